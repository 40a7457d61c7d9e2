import type { Locator } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { click, hover, press, type } from '../../../tools/editor/drive/act.ts';
import {
  addSessions,
  chooseInRow,
  clearNotifications,
  clipboardText,
  connect,
  conversationOf,
  expandStep,
  openByRow,
  openFile,
  openOutput,
  reloadByCommand,
  selectLines,
} from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { cachedOnDisk, draftsOnDisk } from '../journey/keptFiles.ts';
import {
  chooseInContextMenu,
  chooseInOpenMenu,
  closeMenus,
  menuItem,
  pressMenuItem,
  treeRow,
} from '../journey/pointing.ts';
import { useService, withContents } from '../journey/recordedService.ts';
import { editorShown, patiently, untilItSucceeds } from '../journey/until.ts';

const testsTitle = 'Write tests for the redirect guard';
const basketTitle = 'Make vouchers work in the basket';
const loginTitle = 'Edge cases: all types of content';
const historyTitle = 'Tidy up the order service, one module at a time';

const answer = `# Three tests

They are **green**; the third one failed before the fix. <b>It</b> was:

\`\`\`ts
export const total = 0;
\`\`\``;
/** More lines than the page shows. */
const output = Array.from({ length: 2_500 }, (_, at) => `line ${at + 1}`).join('\n');

/** The contents of a seeded conversation: an edit, a long output, and an answer with code. */
const contents: Readonly<Record<string, readonly unknown[]>> = {
  msg_tests_00002: [
    {
      type: 'tool_use',
      id: 'edit',
      name: 'Edit',
      input: { file_path: './src/basket.ts', old_string: 'const fruit', new_string: 'const found' },
    },
    { type: 'tool_use', id: 'run', name: 'Bash', input: { command: 'npm test' } },
  ],
  msg_tests_00003: [
    { type: 'tool_result', toolUseId: 'edit', content: [{ type: 'text', text: 'Done' }] },
    { type: 'tool_result', toolUseId: 'run', content: [{ type: 'text', text: output }] },
  ],
  msg_tests_00004: [{ type: 'text', text: answer }],
};

const service = useService({}, withContents(contents));
const journey = useJourney({ settings: { 'lineside.polling.idleSeconds': 5 } });
const view = () => conversationOf(journey.workbench);
const given = () => view().article('Three tests').last();
const short = () => view().article('A shorter variant of the same answer').last();

/** The text of each open document of a scheme, by the part of its path or query that `named` returns. */
const texts = async (scheme: string, named: (path: string, query: string) => string) => {
  const open = (await journey.workbench.execute('linesideProbe.documents', scheme)) as readonly {
    readonly path: string;
    readonly query: string;
    readonly text: string;
  }[];
  return open
    .map(({ path, query, text }) => [named(path, query), text])
    .sort(([a = ''], [b = '']) => a.localeCompare(b));
};
/** The open documents of a kind: what they show, and their text. VS Code keeps a closed document for minutes. */
const documents = async (kind: 'text' | 'output' | 'branch') =>
  (await texts('lineside', (_, query) => query.split('/').slice(1, 3).join(' '))).filter(([name]) =>
    name?.startsWith(kind),
  );
const closeEditors = () => journey.workbench.execute('workbench.action.closeAllEditors');
/** Opens the Compare submenu in the context menu of a message, and waits for an item. */
const openSubmenu = async (row: Locator, name: string) => {
  const { workbench } = journey;
  await closeMenus(workbench);
  // Click next to the text, because a right click on the text would select a word.
  await click(row, { button: 'right', position: { x: 3, y: 3 } });
  await pressMenuItem(workbench, 'Compare', { timeout: 5_000 });
  await menuItem(workbench, name).waitFor({ timeout: 5_000 });
};
/** Chooses an item of the Compare submenu in the context menu of a message. */
const choose = (row: Locator, name: string) =>
  untilItSucceeds(async () => {
    await openSubmenu(row, name);
    await journey.workbench.picture(`context menu ${name}`);
    await chooseInOpenMenu(journey.workbench, name);
  });
/** The full text of the active editor and the zero-based line of its cursor. */
const active = async () =>
  (await journey.workbench.execute('linesideProbe.activeText')) as { readonly text: string; readonly line: number };
const activeText = async () => (await active()).text;
const tab = (title: string) => journey.workbench.page.locator('.part.editor .tab', { hasText: title });
const activeTab = (title: string) => tab(title).and(journey.workbench.page.locator('.active'));

describe('a document of a message or an output', () => {
  it('has exactly the text that Copy copies', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.tests);
    await chooseInRow(view(), given(), 'Copy');
    await expect.poll(() => clipboardText(workbench), patiently).toBe(answer);
    await chooseInRow(view(), given(), 'Open as Document');
    await editorShown(workbench, 'Three tests');
    await expect.poll(() => documents('text'), patiently).toEqual([['text msg_tests_00004', `${answer}\n`]]);
    await workbench.picture('message as a document');
  });

  it('has the whole output of a step of which the page shows a part', async () => {
    const { workbench } = journey;
    const { log } = view();
    const summary = log.getByRole('button', { name: 'Edited 1 file, ran 1 command' });
    await expect.poll(() => summary.count(), patiently).toBe(1);
    await click(summary);
    const step = log.getByRole('button', { name: /^Ran npm test/ });
    await expandStep(step);
    await workbench.picture('step with a long output');
    await openOutput(view());
    await editorShown(workbench, 'npm test');
    await expect.poll(async () => (await documents('output')).length, patiently).toBe(1);
    const [[name, text] = []] = await documents('output');
    expect(name).toBe('output 1-msg_tests_00002');
    expect(text).toBe(output);
  });
});

describe('a document of a conversation', () => {
  it('is read-only with all messages, named after the session, and has an outline', async () => {
    const { workbench } = journey;
    const { history } = service.sessionIdByName;
    await addSessions(workbench, history);
    await view().article('Turn 48').first().waitFor();
    await workbench.execute('lineside.openConversationAsDocument', { sessionId: history });
    await activeTab(`${historyTitle}.md`).waitFor();
    await expect.poll(async () => (await activeText()).match(/^## User, /gm), patiently).toHaveLength(48);
    await expect.poll(activeText, patiently).not.toContain('messages are loaded. Reopen');
    const text = await activeText();
    expect(text).toContain(`title: "${historyTitle}"`);
    expect(text).toContain(`\n# ${historyTitle}\n`);
    expect(text.match(/^#{2,3} /gm)).toHaveLength(240);
    await type(workbench.editorInput, 'x');
    await workbench.page.getByText('Editor is read-only').first().waitFor();
    await workbench.quickInput.open('@Turn 40');
    await workbench.quickInput.rows
      .filter({ hasText: /User, .*Turn 40: / })
      .first()
      .waitFor();
    await press(workbench.page, 'Escape');
  });

  it('shows new messages without moving the cursor', async () => {
    const { workbench } = journey;
    await workbench.quickInput.open('@Turn 30: ');
    await workbench.quickInput.activeRow.filter({ hasText: 'Turn 30: ' }).waitFor();
    await workbench.quickInput.accept();
    await workbench.quickInput.widget.waitFor({ state: 'hidden' });
    const lineAtCaret = async () => {
      const { text, line } = await active();
      return text.split('\n')[line];
    };
    await expect.poll(lineAtCaret, patiently).toMatch(/^## User, .*: Turn 30: /);
    const before = await active();
    await service.post(service.sessionIdByName.history, 'Said while one read the document');
    await expect.poll(activeText, patiently).toContain('Said while one read the document');
    expect((await active()).line).toBe(before.line);
  });

  it('is opened from the context menu of its session', async () => {
    const { workbench } = journey;
    await addSessions(workbench, service.sessionIdByName.login);
    await workbench.focusView('lineside.sessions');
    await chooseInContextMenu(workbench, treeRow(workbench, loginTitle), 'Session', 'Open Conversation as Document');
    await activeTab('Edge cases- all types of content.md').waitFor();
    await expect.poll(activeText, patiently).toContain('expires_at');
  });
});

describe('after a reload without the service', () => {
  it('documents of a conversation with its age, a message, and an output are restored', async () => {
    const { workbench } = journey;
    const { basket, login } = service.sessionIdByName;
    await addSessions(workbench, basket);
    await view().article('Both imports are updated').waitFor();
    await addSessions(workbench, login);
    // The cache is written shortly after the session is read. Users don't reload faster than that.
    await expect.poll(() => cachedOnDisk(journey.editor), patiently).toContain('Three tests');
    await expect.poll(() => cachedOnDisk(journey.editor), patiently).toContain('The states of a session');
    await expect.poll(() => cachedOnDisk(journey.editor), patiently).toContain('Both imports are updated');
    await service.wire.refuseConnections();
    await reloadByCommand(workbench);
    await activeTab('Edge cases- all types of content.md').waitFor();
    await expect.poll(activeText, patiently).toMatch(/Last refreshed /);
    await expect.poll(activeText, patiently).toContain('expires_at');
    await click(tab('npm test'));
    await expect.poll(activeText, patiently).toBe(output);
    await click(tab('Three tests'));
    await expect.poll(activeText, patiently).toBe(`${answer}\n`);
    await closeEditors();
  });
});

// These tests continue in the window of the tests above. The service is unreachable, and neither the page nor a
// document has shown the session `basket` since the reload, so its messages are only in the cache.
describe('Show Sessions That Changed This File', () => {
  afterAll(() => service.wire.acceptConnections());

  it('lists the sessions that changed a file, also those that are only cached, and leads to the change', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await openFile(workbench, 'src/basket.ts');
    await workbench.start('lineside.showFileSessions');
    await quickInput.rows.filter({ hasText: testsTitle }).filter({ hasText: '1 edit' }).waitFor();
    await quickInput.rows.filter({ hasText: basketTitle }).filter({ hasText: '2 edits' }).waitFor();
    expect(await quickInput.rows.count()).toBe(2);
    await workbench.picture('sessions that changed a file');
    await quickInput.pick(basketTitle);
    await expect.poll(() => view().title.innerText(), patiently).toBe(basketTitle);
    await view().article('src/basket.ts').first().waitFor();
    await closeEditors();
  });

  it('says if there are none, from the Explorer', async () => {
    const { workbench } = journey;
    await clearNotifications(workbench);
    await workbench.focusView('workbench.explorer.fileView');
    const row = workbench.page.locator('.explorer-folders-view [role="treeitem"]', { hasText: 'README.md' });
    await chooseInContextMenu(workbench, row, 'Lineside', 'Show Sessions That Changed This File...');
    await workbench.notified('in the conversations loaded on this machine');
    await workbench.picture('no session changed the file');
  });
});

// These tests continue in the window of the tests above, which is connected to the service again and has the sessions
// `tests` and `login` in its list.
describe('comparing', () => {
  it('compares a message with the selected one of another session', async () => {
    const { workbench } = journey;
    await workbench.focusView('lineside.sessions');
    await openByRow(workbench, treeRow(workbench, testsTitle), testsTitle);
    await choose(given(), 'Select Message for Compare');
    // The command looks for the message in the session that is open when it runs.
    await untilItSucceeds(() => openSubmenu(given(), 'Compare with Selected Message'));
    await closeMenus(workbench);
    await openByRow(workbench, treeRow(workbench, loginTitle), loginTitle);
    await short().waitFor();
    await choose(short(), 'Compare with Selected Message');
    await editorShown(workbench, /Assistant, .*\(Write tests.*\).? ↔ .?Assistant, .*\(Edge cases.*\)/);
    const shorter = 'A shorter variant of the same answer: `DELETE FROM sessions WHERE expires_at <= now();`';
    await expect
      .poll(async () => (await documents('text')).map(([, text]) => text), patiently)
      .toEqual([`${shorter}\n`, `${answer}\n`]);
    await workbench.picture('comparison of two messages');
    await closeEditors();
  });

  it('compares a message with the clipboard', async () => {
    const { workbench } = journey;
    const shorter = 'A shorter variant of the same answer: `DELETE FROM sessions WHERE expires_at <= now();`';
    await chooseInRow(view(), short(), 'Copy');
    await expect.poll(() => clipboardText(workbench), patiently).toBe(shorter);
    await choose(view().article('Like this; the index makes it cheap').last(), 'Compare Message with Clipboard');
    await editorShown(workbench, /Clipboard ↔ .?Assistant/);
    const clipboard = () => texts('lineside-compare', (path) => path);
    await expect.poll(clipboard, patiently).toEqual([['/Clipboard.md.txt', `${shorter}\n`]]);
    await workbench.picture('comparison with the clipboard');
    await closeEditors();
  });

  it('compares two branches of a conversation with what follows in them', async () => {
    const { workbench } = journey;
    await choose(short(), 'Compare Branches');
    await editorShown(workbench, 'Branch 1 of 2 ↔ Branch 2 of 2');
    const shown = async () => (await documents('branch')).map(([, text = '']) => text.match(/^#{2,3} .*\n\n.*/gm));
    await expect
      .poll(shown, patiently)
      .toEqual([
        ['### Assistant\n\nLike this; the index makes it cheap:'],
        [
          expect.stringMatching(/^### Assistant\n\n/) as string,
          expect.stringMatching(/^### Assistant\n\n/) as string,
          '### System\n\n*Hidden from the agent*',
        ],
      ]);
    await workbench.picture('comparison of branches');
    await closeEditors();
  });

  it('compares code with the file or the selection of the active editor', async () => {
    const { workbench } = journey;
    await openByRow(workbench, treeRow(workbench, testsTitle), testsTitle);
    await openFile(workbench, 'src/price.ts');
    const compare = async () => {
      await hover(given().locator('pre'));
      await click(given().getByRole('button', { name: 'Compare with Active Editor' }));
    };
    await compare();
    await editorShown(workbench, /price\.ts.? ↔ Code Block/);
    const compared = () => texts('lineside-compare', (path) => path);
    // VS Code keeps the documents of earlier comparisons for minutes.
    await expect.poll(compared, patiently).toContainEqual(['/price.ts', 'export const total = 0;']);
    await workbench.picture('comparison of code with a file');
    await closeEditors();
    await selectLines(workbench, 'src/price.ts', 1, 1);
    await compare();
    await editorShown(workbench, /price\.ts#L1.? ↔ Code Block/);
    const [firstLine = ''] = (
      (await texts('file', (path) => path)).find(([path]) => path?.endsWith('price.ts'))?.[1] ?? ''
    ).split('\n');
    expect(firstLine).not.toBe('');
    await expect
      .poll(async () => (await compared()).map(([, text]) => text), patiently)
      .toEqual(expect.arrayContaining(['export const total = 0;', firstLine]));
    await closeEditors();
  });
});

// This suite is the last one, because VS Code doesn't mark a reloaded page as part of a view, so `view` can't find it.
describe('a conversation page that has stopped responding', () => {
  const draft = 'A draft that must not be lost';

  it('is reloaded with its draft, and the status bar reports this', async () => {
    const { workbench } = journey;
    const frames = workbench.page.locator('iframe.webview.ready');
    await addSessions(workbench, service.sessionIdByName.login);
    await view().article('The states of a session').waitFor();
    await view().write(draft);
    // Text typed right before a page dies is lost, so wait until the draft is saved.
    await expect.poll(() => draftsOnDisk(journey.editor), patiently).toContain(draft);
    await frames.evaluate((frame) => {
      // Simulates a killed page process: nothing in the frame responds or listens anymore.
      (frame as HTMLIFrameElement).src = 'about:blank';
    });
    // The host pings a page soon after sending it a message, and otherwise less often.
    await workbench.start('lineside.focusMessageInput');
    // The status bar shows this for only a few seconds after the page has reloaded, so wait for it first.
    await workbench.page.locator('.part.statusbar').getByText('was reloaded. Your draft is saved.').waitFor();
    await expect.poll(() => frames.getAttribute('src'), patiently).not.toBe('about:blank');
    const again = workbench.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await again.getByRole('article').filter({ hasText: 'The states of a session' }).waitFor();
    await expect.poll(() => again.getByRole('textbox', { name: 'Message' }).inputValue(), patiently).toBe(draft);
    await workbench.picture('page loaded again');
  });
});
