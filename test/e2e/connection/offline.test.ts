import { describe, expect, it } from 'vitest';
import { click } from '../../../tools/editor/drive/act.ts';
import { addSessions, clipboardText, connect, conversationOf } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { cachedOnDisk, compiledOnDisk, draftsOnDisk } from '../journey/keptFiles.ts';
import { useService } from '../journey/recordedService.ts';
import { treeRow } from '../journey/pointing.ts';
import { patiently } from '../journey/until.ts';

const title = 'Edge cases: all types of content';
const typed = ['First of three', 'Second of three', 'Third of three'];

// The agent is so slow that its answers don't push the three messages out of view, or fill the cache.
const service = useService({ agentDelayMs: 60_000 });
const journey = useJourney({ settings: { 'lineside.polling.idleSeconds': 5 } });
const conversation = () => conversationOf(journey.workbench);
let compiled: readonly string[] = [];

describe('a window that is reloaded while sending, and then has no service', () => {
  it('shows the cached conversation, its age, and the draft', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.login);
    await conversation().article('The states of a session').waitFor();
    await workbench.focusView('lineside.sessions');
    await treeRow(workbench, title).waitFor();
    // The cache is written shortly after the session is read. Users don't reload faster than that.
    await expect.poll(() => cachedOnDisk(journey.editor), patiently).toContain('The states of a session');
    // The service processes the first message but never responds, so the other messages have to wait.
    service.wire.addFault({ method: 'POST', times: 1, fault: { kind: 'hang', when: 'after' } });
    for (const text of typed) await conversation().say(text);
    await expect.poll(() => processed(), patiently).toEqual(typed.slice(0, 1));
    await conversation().article('Third of three').getByText('Waiting to be sent').waitFor();
    await conversation().write('Not finished yet');
    await expect.poll(() => draftsOnDisk(journey.editor), patiently).toContain('Not finished yet');
    // This resets only new requests. `refuseConnections` would also end the request of the first message, which has to
    // stay open until the reload.
    service.wire.addFault({ fault: { kind: 'reset', when: 'before' } });
    // A window that has compiled the extension's code saves the result. The next window uses that, and saves nothing.
    await expect.poll(() => compiledOnDisk(journey.editor), patiently).toHaveLength(1);
    compiled = await compiledOnDisk(journey.editor);
    const before = service.requests.length;
    await workbench.reload();
    await workbench.focusView('lineside.sessions');
    await treeRow(workbench, title).waitFor();
    await workbench.focusView('lineside.conversation');
    await conversation().article('The states of a session').waitFor();
    await conversation().trouble.filter({ hasText: 'Showing the last known state.' }).waitFor();
    await expect.poll(() => conversation().title.textContent(), patiently).toBe(title);
    await expect.poll(() => conversation().status.textContent(), patiently).toMatch(/as of \d/);
    await expect.poll(() => conversation().composer.inputValue(), patiently).toBe('Not finished yet');
    // Before it sends anything, the window has to find out from the service which messages have arrived.
    expect(new Set(service.requests.slice(before).map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it('sends every message once and in order, and loads no older messages, when the service is back', async () => {
    await service.post(service.sessionIdByName.login, 'Written while the window was cut off');
    const before = service.requests.length;
    service.wire.clearFaults();
    await conversation().article('Written while the window was cut off').waitFor();
    await conversation().trouble.filter({ hasText: 'Showing the last known state.' }).waitFor({ state: 'hidden' });
    await expect.poll(() => processed(), patiently).toEqual(typed);
    for (const text of typed) {
      await conversation().article(text).getByText('Waiting to be sent').waitFor({ state: 'detached' });
      const shown = userMessages().filter({ hasText: text });
      await shown.first().waitFor();
      expect(await shown.count()).toBe(1);
    }
    expect(await shownInOrder()).toEqual(typed);
    expect(await conversation().composer.inputValue()).toBe('Not finished yet');
    const since = service.requests.slice(before);
    const lists = since.filter(({ url }) => url.includes('/messages?'));
    expect(lists.every(({ url }) => !url.includes('cursor='))).toBe(true);
    expect(await compiledOnDisk(journey.editor)).toEqual(compiled);
    // The API key survives the reload.
    expect(new Set(since.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${service.token}`]));
  });

  /** The texts of the posted messages that the service has processed, in order. */
  function processed(): string[] {
    return service.posts().flatMap(({ text, isProcessed }) => (isProcessed ? [text] : []));
  }

  function userMessages() {
    return conversation().log.getByRole('article', { name: /^User message/ });
  }

  async function shownInOrder(): Promise<string[]> {
    const articles = await userMessages().allInnerTexts();
    return articles.flatMap((text) => typed.filter((wanted) => text.includes(wanted)));
  }
});

// The window shows the session of the tests above. Their messages have arrived, and a draft is in the composer.
describe('a window that opens without a service and, after Clear Cache, without the last known state', () => {
  it('reports that in the tree and on the page, with a way to retry', async () => {
    const { workbench } = journey;
    await service.wire.refuseConnections();
    await workbench.runCommand('Lineside: Clear Cache');
    await workbench.notified('Cleared the cache.');
    await workbench.reload();
    await workbench.focusView('lineside.sessions');
    const sideBar = workbench.page.locator('.part.sidebar');
    await sideBar
      .getByText("Can't reach the service. Your sessions will appear here when you're back online.")
      .waitFor();
    await sideBar.getByText('Retry', { exact: true }).waitFor();
    await workbench.focusView('lineside.conversation');
    await conversation()
      .trouble.filter({ hasText: /^Can't reach the service\./ })
      .waitFor();
    await conversation().button('Retry').waitFor();
    await conversation().write('Written before the service was back');
  });

  it('has error details that can be copied and do not contain the API key', async () => {
    const { workbench } = journey;
    await click(conversation().button('Copy Details'));
    await expect
      .poll(() => clipboardText(workbench), patiently)
      .toMatch(/^Can't reach the service\.\nkind: unreachable\ncode: ECONNREFUSED\n/);
    const details = await clipboardText(workbench);
    expect(details).not.toContain(service.token);
    await workbench.page.evaluate(() => navigator.clipboard.writeText(''));
    await click(workbench.page.locator('.part.sidebar').getByText('Copy error details'));
    await expect.poll(() => clipboardText(workbench), patiently).toContain('code: ECONNREFUSED');
  });

  it('reads everything as soon as the service is reachable again', async () => {
    await service.wire.acceptConnections();
    const { article, trouble, composer } = conversation();
    await article('The states of a session').waitFor();
    await treeRow(journey.workbench, title).waitFor();
    await trouble.filter({ hasText: "Can't reach the service" }).waitFor({ state: 'hidden' });
    expect(await composer.inputValue()).toBe('Written before the service was back');
  });
});
