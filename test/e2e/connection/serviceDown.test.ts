import { describe, expect, it } from 'vitest';
import { click } from '../../../tools/editor/drive/act.ts';
import { addSessions, clipboardText, connect, conversationOf } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import { treeRow } from '../journey/pointing.ts';
import { patiently } from '../journey/until.ts';

describe('a service that is unreachable when the window opens', () => {
  const service = useService();
  // With the cache, the session would be shown instead of the error.
  const journey = useJourney({
    settings: { 'lineside.polling.idleSeconds': 5, 'lineside.cache.enabled': false },
  });

  it('is reported in the tree and on the page, with a way to retry', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.login);
    await conversationOf(workbench).article('The states of a session').waitFor();
    await workbench.focusView('lineside.sessions');
    await treeRow(workbench, 'Edge cases: all types of content').waitFor();
    await service.wire.refuseConnections();
    await workbench.reload();
    await workbench.focusView('lineside.sessions');
    const sideBar = workbench.page.locator('.part.sidebar');
    await sideBar
      .getByText("Can't reach the service. Your sessions will appear here when you're back online.")
      .waitFor();
    await sideBar.getByText('Retry', { exact: true }).waitFor();
    await workbench.focusView('lineside.conversation');
    const { trouble, button, write } = conversationOf(workbench);
    await trouble.filter({ hasText: /^Can't reach the service\./ }).waitFor();
    await button('Retry').waitFor();
    await write('Written before the service was back');
  });

  it('has error details that can be copied and do not contain the API key', async () => {
    const { workbench } = journey;
    await click(conversationOf(workbench).button('Copy Details'));
    await expect
      .poll(() => clipboardText(workbench), patiently)
      .toMatch(/^Can't reach the service\.\nkind: unreachable\ncode: ECONNREFUSED\n/);
    const details = await clipboardText(workbench);
    expect(details).not.toContain(service.token);
    await workbench.page.evaluate(() => navigator.clipboard.writeText(''));
    await click(workbench.page.locator('.part.sidebar').getByText('Copy error details'));
    await expect.poll(() => clipboardText(workbench), patiently).toContain('code: ECONNREFUSED');
  });

  it('is read as soon as it is reachable again', async () => {
    const { workbench } = journey;
    await service.wire.acceptConnections();
    const { article, trouble, composer } = conversationOf(workbench);
    await article('The states of a session').waitFor();
    await treeRow(workbench, 'Edge cases: all types of content').waitFor();
    await trouble.filter({ hasText: "Can't reach the service" }).waitFor({ state: 'hidden' });
    expect(await composer.inputValue()).toBe('Written before the service was back');
  });
});
