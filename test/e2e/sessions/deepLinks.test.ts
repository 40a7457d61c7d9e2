import { describe, expect, it } from 'vitest';
import { click } from '../../../tools/editor/drive/act.ts';
import { treeRow } from '../journey/pointing.ts';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import { addSessions, clearNotifications, connect, conversationOf } from '../journey/sessionSteps.ts';
import { patiently, untilIs } from '../journey/until.ts';

const start = 'code-oss://lineside.lineside';
const hostile = '[x](command:workbench.action.quit)`a`\u202e$(alert)';

describe('a link that the browser delivers', () => {
  const service = useService();
  const journey = useJourney();

  it('opens a session of the list at a message, and sends nothing', async () => {
    const { workbench } = journey;
    const { login, tests } = service.sessionIdByName;
    await connect(workbench, service);
    await addSessions(workbench, `${tests} ${login}`);
    await deliver(`/open?session=${encodeURIComponent(encodeURIComponent(login))}`);
    await untilIs(() => conversationOf(workbench).title.innerText(), 'Edge cases: all types of content');
    expect(await conversationOf(workbench).composer.inputValue()).toBe('');
    expect([service.posts(), service.patches()]).toEqual([[], []]);
  });

  it.each([
    ['/send?session=x&text=hello', "Lineside doesn't support this type of link."],
    ['/', "Lineside doesn't support this type of link."],
    ['/open', "The link doesn't contain a session ID."],
    ['/open?session=', "The link doesn't contain a session ID."],
    [`/open?session=${'x'.repeat(1_001)}`, "The link doesn't contain a session ID."],
    ['/open?session=x&service=javascript%3Aalert(1)', 'The service URL in the link is invalid.'],
    ['/open?session=x&service=file%3A%2F%2F%2Fetc%2Fpasswd', 'The service URL in the link is invalid.'],
  ])('to %s is explained in one sentence', async (path, sentence) => {
    const { workbench } = journey;
    await deliver(path);
    await workbench.notified(sentence);
    await expectNothingHappened();
    await clearNotifications(workbench);
  });

  it('to a session that is not in the list asks first, and shows what it contains as text', async () => {
    const { workbench } = journey;
    await deliver(`/open?session=${twice(hostile)}&computer=${twice(hostile)}&text=hello&key=secret`);
    const asked = workbench.dialog.filter({ hasText: 'Do you want to add the session from this link to your list?' });
    await asked.waitFor();
    expect(await asked.locator('.dialog-message-container').locator('a, code, .codicon-alert').count()).toBe(0);
    expect(await asked.innerText()).toContain('<U+202E>');
    await workbench.picture('hostile link');
    await click(asked.getByRole('button', { name: 'Cancel' }));
    await asked.waitFor({ state: 'hidden' });
    await expectNothingHappened();
    await workbench.focusView('lineside.sessions');
    await expect.poll(() => workbench.treeRows('Sessions').count(), patiently).toBeGreaterThan(0);
    expect(await treeRow(workbench, 'command:').count()).toBe(0);
  });

  it('to another service offers to connect, and fills in no address', async () => {
    const { workbench } = journey;
    await deliver(`/open?session=x&service=${twice('https://\u0430pple.test/path?a=b')}`);
    const message = 'The link opens a session on https://xn--pple-43d.test. Connect to that service first.';
    await workbench.answerNotification(message, 'Connect to Service...');
    await workbench.quickInput.widget.waitFor();
    expect(await workbench.quickInput.input.inputValue()).toBe('');
    expect(await workbench.quickInput.widget.innerText()).not.toContain('pple');
    await workbench.quickInput.cancel();
    await workbench.quickInput.widget.waitFor({ state: 'hidden' });
    await expectNothingHappened();
    await clearNotifications(workbench);
  });

  function twice(text: string): string {
    return encodeURIComponent(encodeURIComponent(text));
  }

  /** Opens the address that stands for a link in another tab, as the browser does. */
  async function deliver(path: string): Promise<void> {
    const { workbench } = journey;
    const address = await workbench.execute('linesideProbe.externalAddress', `${start}${path}`);
    const tab = await workbench.page.context().newPage();
    await tab.goto(String(address));
    await tab.close();
  }

  async function expectNothingHappened(): Promise<void> {
    const { workbench } = journey;
    expect(await workbench.dialog.count()).toBe(0);
    expect(await conversationOf(workbench).title.innerText()).toBe('Edge cases: all types of content');
    expect(await conversationOf(workbench).composer.inputValue()).toBe('');
    expect([service.posts(), service.patches()]).toEqual([[], []]);
    expect(workbench.page.context().pages()).toHaveLength(1);
  }
});
