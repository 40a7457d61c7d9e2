import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { click, hover } from '../../../tools/editor/drive/act.ts';
import {
  addSessions,
  chooseInRow,
  clearNotifications,
  clipboardText,
  connect,
  conversationOf,
  openByRow,
  openFile,
  reloadByCommand,
  selectLines,
} from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { cachedOnDisk } from '../journey/keptFiles.ts';
import {
  chooseInContextMenu,
  chooseInOpenMenu,
  closeMenus,
  menuItem,
  pressMenuItem,
  treeRow,
  untilItSucceeds,
} from '../journey/pointing.ts';
import { useService, withContents } from '../journey/recordedService.ts';
import { editorShown, patiently } from '../journey/until.ts';

const testsTitle = 'Write tests for the redirect guard';
const loginTitle = 'Edge cases: all types of content';

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

describe('comparing', () => {
  const service = useService({}, withContents(contents));
  const journey = useJourney();
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
  /** The open documents of a kind: what they show, and their text. VS Code keeps a document for minutes. */
  const documents = async (kind: 'text' | 'output' | 'branch') =>
    (await texts('lineside', (_, query) => query.split('/').slice(1, 3).join(' '))).filter(([name]) =>
      name?.startsWith(kind),
    );
  const closeEditors = () => journey.workbench.runCommand('View: Close All Editors');
  /** Opens the Compare submenu in the context menu of a message, and waits for an item. */
  const openSubmenu = async (row: Locator, name: string) => {
    const { workbench } = journey;
    await closeMenus(workbench);
    // Next to the text, because a click on it would select a word.
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

  it('opens a message as a document with exactly the text that Copy copies', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    const { tests, login } = service.sessionIdByName;
    await addSessions(workbench, `${tests} ${login}`);
    await chooseInRow(view(), given(), 'Copy');
    await expect.poll(() => clipboardText(workbench), patiently).toBe(answer);
    await chooseInRow(view(), given(), 'Open as Document');
    await editorShown(workbench, 'Three tests');
    await expect.poll(() => documents('text'), patiently).toEqual([['text msg_tests_00004', `${answer}\n`]]);
    await workbench.picture('message as a document');
  });

  it('opens the whole output of a step of which the page shows only a part', async () => {
    const { workbench } = journey;
    const { log } = view();
    const summary = log.getByRole('button', { name: 'Edited 1 file, ran 1 command' });
    await expect.poll(() => summary.count(), patiently).toBe(1);
    await click(summary);
    await click(log.getByRole('button', { name: /^Ran npm test/ }));
    const open = log.getByRole('button', { name: 'Open Output as Document' });
    await open.waitFor();
    await workbench.picture('step with a long output');
    await click(open);
    await editorShown(workbench, 'npm test');
    await expect.poll(async () => (await documents('output')).length, patiently).toBe(1);
    const [[name, text] = []] = await documents('output');
    expect(name).toBe('output 1-msg_tests_00002');
    expect(text).toBe(output);
  });

  it('restores both documents after a reload, without the service', async () => {
    const { workbench } = journey;
    await expect.poll(() => cachedOnDisk(journey.editor), patiently).toContain('Three tests');
    await service.wire.refuseConnections();
    await reloadByCommand(workbench);
    await workbench.page.locator('.part.editor .tab.active', { hasText: 'npm test' }).waitFor();
    const active = async () => (await workbench.execute('linesideProbe.activeText')) as { text: string } | undefined;
    await expect.poll(async () => (await active())?.text, patiently).toBe(output);
    await click(workbench.page.locator('.part.editor .tab', { hasText: 'Three tests' }));
    await expect.poll(async () => (await active())?.text, patiently).toBe(`${answer}\n`);
    await service.wire.acceptConnections();
    await closeEditors();
  });

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
    await chooseInRow(view(), short(), 'Copy');
    await choose(view().article('Like this; the index makes it cheap').last(), 'Compare Message with Clipboard');
    await editorShown(workbench, /Clipboard ↔ .?Assistant/);
    const clipboard = () => texts('lineside-compare', (path) => path);
    const copied = 'A shorter variant of the same answer: `DELETE FROM sessions WHERE expires_at <= now();`\n';
    await expect.poll(clipboard, patiently).toEqual([['/Clipboard.md.txt', copied]]);
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

  it('lists the sessions that changed a file, also those that are only cached, and goes to the change', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await openByRow(workbench, treeRow(workbench, loginTitle), loginTitle);
    await reloadByCommand(workbench);
    await openFile(workbench, 'src/basket.ts');
    await workbench.start('lineside.showFileSessions');
    await quickInput.rows.filter({ hasText: testsTitle }).filter({ hasText: '1 edit' }).waitFor();
    expect(await quickInput.rows.count()).toBe(1);
    await workbench.picture('sessions that changed a file');
    await quickInput.accept();
    await expect.poll(() => view().title.innerText(), patiently).toBe(testsTitle);
    await view().article('./src/basket.ts').first().waitFor();
  });

  it('says if no loaded conversation changed a file, from the Explorer', async () => {
    const { workbench } = journey;
    await clearNotifications(workbench);
    await workbench.runCommand('Explorer: Focus on Folders View');
    const row = workbench.page.locator('.explorer-folders-view [role="treeitem"]', { hasText: 'README.md' });
    await chooseInContextMenu(workbench, row, 'Lineside', 'Show Sessions That Changed This File...');
    await workbench.notified('in the conversations loaded on this machine');
    await workbench.picture('no session changed the file');
  });
});
