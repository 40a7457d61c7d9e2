import { describe, expect, it } from 'vitest';
import { click } from '../../../tools/editor/drive/act.ts';
import { chooseInContextMenu, chooseInMenu, treeRow } from '../journey/pointing.ts';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import { addSessions, clearNotifications, clipboardText, connect, conversationOf } from '../journey/sessionSteps.ts';
import { patiently, untilIs } from '../journey/until.ts';

const start = 'code-oss://lineside.lineside';
const shown = 'Edge cases: all types of content';
const hostile = '[x](command:workbench.action.quit)`a`\u202e$(alert)';

describe('a link that the browser delivers', () => {
  const service = useService();
  const journey = useJourney();

  it('opens a session of the list at a message, and sends nothing', async () => {
    const { workbench } = journey;
    const { login, tests } = service.sessionIdByName;
    await connect(workbench, service);
    await workbench.focusView('lineside.sessions');
    await addSessions(workbench, `${login} ${tests}`);
    const { article, frame, title } = conversationOf(workbench);
    const message = article('Nice. What would the same check be in SQL');
    await chooseInMenu(
      message.getByRole('button', { name: 'More Actions...' }),
      frame.getByRole('menuitem', { name: 'Copy Link' }),
    );
    await expect.poll(() => clipboardText(workbench), patiently).toMatch(/\/open\?session=.*&message=/);
    const link = await clipboardText(workbench);
    await workbench.execute('lineside.openConversation', { sessionId: tests });
    await expect.poll(() => title.innerText(), patiently).not.toBe(shown);
    await deliver(link.slice(link.indexOf('/open?')));
    await untilIs(() => title.innerText(), shown);
    await message.waitFor();
    expect(await conversationOf(workbench).composer.inputValue()).toBe('');
    expect([service.posts(), service.patches()]).toEqual([[], []]);
  });

  it('adds a session only after confirmation, and sends nothing', async () => {
    const { workbench } = journey;
    const { login } = service.sessionIdByName;
    await chooseInContextMenu(workbench, treeRow(workbench, shown), 'Copy and Export', 'Copy Link');
    await expect.poll(() => clipboardText(workbench), patiently).toMatch(/\/open\?session=[^&]*&service=http[^&]*$/);
    const link = await clipboardText(workbench);
    await workbench.execute('lineside.removeSession', { sessionId: login });
    await treeRow(workbench, shown).waitFor({ state: 'detached' });
    await clearNotifications(workbench);
    await deliver(link.slice(link.indexOf('/open?')));
    const asked = workbench.dialog.filter({ hasText: 'Do you want to add the session from this link' });
    await click(asked.getByRole('button', { name: 'Add Session' }));
    await treeRow(workbench, shown).waitFor();
    await untilIs(() => conversationOf(workbench).title.innerText(), shown);
    await expectNothingHappened();
  });

  it('is one question for twenty links that arrive together, which names their sessions', async () => {
    const { workbench } = journey;
    await workbench.setSetting('extensions.confirmedUriHandlerExtensionIds', ['lineside.lineside']);
    await workbench.openLinks(...Array.from({ length: 20 }, (_, index) => `${start}/open?session=linked-${index + 1}`));
    const asked = workbench.dialog.filter({ hasText: 'Do you want to add 20 sessions from links to your list?' });
    await asked.waitFor();
    expect(await asked.innerText()).toMatch(/linked-1, linked-2, .*linked-10 and 10 more/);
    await click(asked.getByRole('button', { name: 'Cancel' }));
    await asked.waitFor({ state: 'hidden' });
    await expectNothingHappened();
    expect(await treeRow(workbench, 'linked-1').count()).toBe(0);
  });

  // What other links are is tested where they are read, in test/unit.
  it.each([
    ['/send?session=x&text=hello', "Lineside doesn't support this type of link."],
    ['/open?session=x&service=javascript%3Aalert(1)', 'The service URL in the link is invalid.'],
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
    await treeRow(workbench, shown).waitFor();
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
    expect(await conversationOf(workbench).title.innerText()).toBe(shown);
    expect(await conversationOf(workbench).composer.inputValue()).toBe('');
    expect([service.posts(), service.patches()]).toEqual([[], []]);
    expect(workbench.page.context().pages()).toHaveLength(1);
  }
});
