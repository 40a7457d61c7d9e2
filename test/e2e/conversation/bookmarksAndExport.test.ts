import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { click, focus, hover, press } from '../../../tools/editor/drive/act.ts';
import { patienceMs } from '../../../tools/editor/run/patience.ts';
import { addSessions, chooseInRow, connect, conversationOf, reloadByCommand } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import { hasFocus, patiently, until } from '../journey/until.ts';

const service = useService({ messages: 600 });
const journey = useJourney();
const view = () => conversationOf(journey.workbench);
const marks = () => view().log.getByRole('img', { name: 'Bookmark' });
const markedOnRail = () => view().frame.locator('.rail-marks .bookmark').getAttribute('d');
const early = () => view().article('Turn 7:').first();
const answer = () => view().article('All 319 tests pass.').last();
/** The requests for lists of messages. */
const lists = () => service.requests.filter(({ url }) => url.includes('/messages?'));
const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

describe('bookmarks in a conversation that is not fully loaded', () => {
  /** Whether the message with this text has the focus in the page. */
  const isFocused = async (text: string) =>
    (await view().log.locator('article:focus').filter({ hasText: text }).count()) === 1;

  it('are added with a keyboard shortcut, and get a note in the menu of the message', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.history);
    await answer().waitFor();
    await until(
      () => hasFocus(answer()),
      () => focus(answer()),
    );
    // VS Code runs shortcuts of the page once it knows that the page has the focus. This one changes nothing.
    const hasNone = view().announcements.filter({ hasText: 'Nothing more in this direction.' });
    await until(
      async () => (await hasNone.count()) > 0,
      () => press(workbench.page, 'Alt+Shift+PageDown'),
    );
    // A second press would remove the bookmark, so a retry comes long after the first press.
    await until(
      async () => (await marks().count()) === 1,
      async () => {
        await press(workbench.page, 'Control+k');
        await press(workbench.page, 'Control+Alt+b');
      },
      patienceMs,
      patienceMs / 2,
    );
    await expect.poll(() => view().announcements.textContent(), patiently).toContain('Bookmark added.');
    await chooseInRow(view(), answer(), 'Edit Bookmark Note...');
    await workbench.quickInput.enter('the final numbers', 'Enter a note');
    await expect.poll(() => marks().first().getAttribute('title'), patiently).toBe('the final numbers');
    await expect.poll(markedOnRail, patiently).toMatch(/^M0 \d+h/);
    await workbench.picture('bookmark with a note');
  });

  it('survive a reload, also on a message that Go to Prompt loaded; their list loads it again', async () => {
    const { workbench } = journey;
    await workbench.start('lineside.goToPrompt');
    await workbench.quickInput.rows.filter({ hasText: 'Turn 120:' }).first().waitFor();
    await workbench.quickInput.fill('Turn 7:');
    const prompt = workbench.quickInput.rows.filter({ hasText: 'Turn 7:' });
    await prompt.waitFor();
    expect(lists().filter(({ url }) => url.includes('role=user'))).toHaveLength(2);
    await click(prompt);
    await expect.poll(() => early().isVisible(), patiently).toBe(true);
    await chooseInRow(view(), early(), 'Toggle Bookmark');
    await expect.poll(() => early().getByRole('img', { name: 'Bookmark' }).count(), patiently).toBe(1);
    await workbench.execute('lineside.clearCache');
    await reloadByCommand(workbench);
    await workbench.focusView('lineside.conversation');
    await press(view().log, 'End');
    await answer().waitFor();
    expect(await early().count()).toBe(0);
    await workbench.start('lineside.showBookmarks');
    const { rows } = workbench.quickInput;
    await rows.filter({ hasText: 'the final numbers' }).waitFor();
    await workbench.picture('bookmarks');
    await click(rows.filter({ hasText: 'Message not loaded' }));
    await expect.poll(() => early().isVisible(), patiently).toBe(true);
  });

  it('are next and previous, with announcements', async () => {
    const { workbench } = journey;
    await until(
      () => hasFocus(early()),
      () => focus(early()),
    );
    await until(
      () => isFocused('All 319 tests pass.'),
      () => press(workbench.page, 'Alt+Shift+PageDown'),
    );
    await expect.poll(() => view().announcements.textContent(), patiently).toContain('Bookmark: the final numbers');
    await press(workbench.page, 'Alt+Shift+PageUp');
    await expect.poll(() => isFocused('Turn 7:'), patiently).toBe(true);
    await expect.poll(() => view().announcements.textContent(), patiently).toContain('Bookmark: Turn 7:');
    await workbench.picture('previous bookmark');
  });

  it('are removed in the list', async () => {
    const { workbench } = journey;
    await workbench.start('lineside.showBookmarks');
    const row = workbench.quickInput.rows.filter({ hasText: 'Turn 7:' });
    await hover(row);
    await click(row.getByRole('button', { name: 'Remove Bookmark' }));
    await expect.poll(() => row.count(), patiently).toBe(0);
    await expect
      .poll(() => workbench.quickInput.rows.filter({ hasText: 'the final numbers' }).count(), patiently)
      .toBe(1);
    await workbench.quickInput.cancel();
    await expect.poll(() => early().getByRole('img', { name: 'Bookmark' }).count(), patiently).toBe(0);
    await workbench.execute('lineside.toggleBookmark', await messageOf());
    await workbench.start('lineside.showBookmarks');
    await workbench.notified('No bookmarks yet.');
  });

  /** The argument for commands on the bookmarked message. */
  async function messageOf(): Promise<object> {
    await press(view().log, 'End');
    await answer().waitFor();
    const messageId = await answer().getAttribute('data-key');
    return { sessionId: service.sessionIdByName.history, messageId };
  }
});

// This test continues in the window of the tests above, which is connected to the service and has the session `history`
// in its list.
describe('a conversation that is not fully loaded', () => {
  it('is exported as JSON with all messages as the service returned them', async () => {
    const { workbench } = journey;
    const sessionId = service.sessionIdByName.history;
    const folder = await mkdtemp(join(tmpdir(), 'lineside-export-'));
    folders.push(folder);
    const file = join(folder, 'conversation.json');
    const uri = pathToFileURL(file).href;
    expect(await workbench.execute('lineside.exportConversation', { sessionId, uri })).toBe(uri);
    const { session, messages } = JSON.parse(await readFile(file, 'utf8')) as { session: object; messages: object[] };
    const headers = { authorization: `Bearer ${service.token}` };
    const get = async (path: string): Promise<unknown> =>
      (await fetch(`${service.baseUrl}/api/v0/sessions/${sessionId}${path}`, { headers })).json();
    const sent: object[] = [];
    for (let query = '?limit=100'; query !== '';) {
      const page = (await get(`/messages${query}`)) as {
        messages: object[];
        pagination: { nextCursor?: string | null };
      };
      sent.unshift(...page.messages.toReversed());
      const { nextCursor } = page.pagination;
      query = nextCursor ? `?limit=100&cursor=${encodeURIComponent(nextCursor)}` : '';
    }
    expect(sent).toHaveLength(600);
    expect(JSON.stringify(messages)).toBe(JSON.stringify(sent));
    expect(JSON.stringify(session)).toBe(JSON.stringify(await get('')));
  });
});
