import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { click, hover } from '../../../tools/editor/drive/act.ts';
import { addSessions, clipboardText, connect, conversationOf, openByRow } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { chooseInContextMenu, chooseInOpenMenu, setExpanded, treeRow } from '../journey/pointing.ts';
import { useService, withContents } from '../journey/recordedService.ts';
import { editorShown, patiently, untilItSucceeds } from '../journey/until.ts';

const patch = `*** Begin Patch
*** Update File: docs/guide.md
*** Move to: docs/manual.md
@@
-# Guide
+# Manual
*** Delete File: docs/old.md
*** End Patch`;

const calls = [
  ['create', 'create_file', { path: 'src/total.ts', content: 'export const total = 1;\n' }],
  ['correct', 'Edit', { file_path: 'src/total.ts', old_string: 'total = 1', new_string: 'total = 0' }],
  ['edit', 'Edit', { file_path: 'src/basket.ts', old_string: 'let count;', new_string: 'const count = 0;' }],
  ['again', 'Edit', { file_path: 'src/basket.ts', old_string: 'add(1)', new_string: 'add(2)' }],
  ['failed', 'Edit', { file_path: 'src/pears.ts', old_string: 'pears', new_string: 'apples' }],
  ['patch', 'apply_patch', { input: patch }],
  ['outside', 'Edit', { file_path: '../../etc/passwd', old_string: 'root', new_string: 'toor' }],
  ['test', 'Bash', { command: 'npm test -- --run' }],
  ['lint', 'Bash', { command: `npm run lint -- ${'src/a.ts '.repeat(40)}` }],
  ['waiting', 'Edit', { file_path: 'src/later.ts', old_string: 'a', new_string: 'b' }],
] as const;
const failures: Readonly<Record<string, string>> = { failed: 'String not found', test: '3 tests failed' };

/** The contents of a seeded conversation: the agent edits files and runs commands. */
const contents: Readonly<Record<string, readonly unknown[]>> = {
  msg_tests_00002: calls.map(([id, name, input]) => ({ type: 'tool_use', id, name, input })),
  msg_tests_00003: calls
    .filter(([id]) => id !== 'waiting')
    .map(([id]) => ({
      type: 'tool_result',
      toolUseId: id,
      isError: id in failures,
      content: [{ type: 'text', text: failures[id] ?? 'Done' }],
    })),
};

const root = '/home/agent/work/shop';
/** Files that the agent read, and that the test adds to the workspace. */
const readFiles = ['lib/parcel.ts', 'lib/stamp.ts', 'lib/letter/envelope.ts'];

const linked = [
  `See [the parcel](${root}/lib/parcel.ts#L2-L3), \`${root}/lib/stamp.ts:2\`, and ${root}/lib/letter/envelope.ts.`,
  `Nothing leads to [the keys](../../.ssh/id_rsa), [the users](/etc/passwd), [outside](${root}/out/secret.txt), [later](lib/later.ts),`,
  'or `CON:3`, [a share](//server/share/a.ts), and [a command](command:workbench.action.quit).',
].join('\n');
/** The contents of a seeded conversation: work of an agent on another computer. */
const linkContents: Readonly<Record<string, readonly unknown[]>> = {
  msg_failed_00002: readFiles.map((file) => ({
    ...{ type: 'tool_use', toolUseId: file, id: file, name: 'Read' },
    input: { file_path: `${root}/${file}` },
  })),
  msg_failed_00003: readFiles.map((toolUseId) => ({
    ...{ type: 'tool_result', toolUseId },
    content: [{ type: 'text', text: 'export {};' }],
  })),
  msg_failed_00004: [{ type: 'text', text: linked }],
};

interface OpenDocument {
  readonly path: string;
  readonly query: string;
  readonly text: string;
}

const service = useService({}, withContents({ ...contents, ...linkContents }));
const journey = useJourney();

describe("the agent's work in a session", () => {
  const sessionId = () => service.sessionIdByName.tests;
  /** The expanded steps of the conversation whose lines contain this text. */
  const expandedStep = (text: string) =>
    conversationOf(journey.workbench).frame.locator('.step-button[aria-expanded="true"]').filter({ hasText: text });
  /** The texts of the open documents with changes, by side and path. */
  const documents = async () => {
    const open = (await journey.workbench.execute('linesideProbe.documents', 'lineside-change')) as OpenDocument[];
    return Object.fromEntries(
      open.map(({ path, query, text }) => {
        const address = JSON.parse(Buffer.from(query, 'base64url').toString('utf8')) as string[];
        return [`${address.at(-1)} ${path}`, text];
      }),
    );
  };

  it('is shown as a multi-file diff with exactly the texts of the successful calls', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, sessionId());
    await workbench.execute('lineside.showChanges', { sessionId: sessionId() });
    await editorShown(workbench, 'as written by the agent');
    const expected = {
      'after /src/total.ts': 'export const total = 0;\n',
      'before /src/basket.ts': 'let count;\n⋯\nadd(1)',
      'after /src/basket.ts': 'const count = 0;\n⋯\nadd(2)',
      'before /docs/guide.md.txt': '# Guide',
      'after /docs/manual.md.txt': '# Manual',
      'before /docs/old.md.txt': '',
      'before /…/…/etc/passwd': 'root',
      'after /…/…/etc/passwd': 'toor',
    };
    await expect.poll(documents, patiently).toEqual(expected);
    await workbench.picture('changes of a session');
  });

  it('is listed in the tree without failed changes, and a click opens the diff of a file', async () => {
    const { workbench } = journey;
    await workbench.focusView('lineside.sessions');
    const session = treeRow(workbench, 'Write tests for the redirect guard');
    await setExpanded(session, true);
    const changes = treeRow(workbench, /^Changes/);
    await setExpanded(changes, true);
    await treeRow(workbench, 'basket.ts').waitFor();
    // Leave out the rows of messages, which begin with what the agent did.
    const isFile = (text: string) =>
      /\.(ts|md)|passwd/.test(text) && !/^(?:Edit(?:ed)?|Created?|Deleted?|Wrote|Read) /.test(text);
    const names = async () => (await workbench.treeRows('Sessions').allInnerTexts()).filter(isFile);
    await expect.poll(names, patiently).toHaveLength(6);
    expect((await names()).join('\n')).not.toContain('pears.ts');
    await workbench.picture('changed files in the tree');
    const tab = workbench.page.locator('.part.editor .tab.active', { hasText: 'basket.ts' });
    await click(treeRow(workbench, 'basket.ts'), { effect: () => tab.isVisible() });
    await editorShown(workbench, 'basket.ts');
    await workbench.page.locator('.part.editor .view-line', { hasText: '⋯' }).first().waitFor();
    await workbench.picture('changes of a file');
  });

  it('compares a file with the one in the workspace, and never with one outside', async () => {
    const { workbench } = journey;
    await chooseInContextMenu(workbench, treeRow(workbench, 'basket.ts'), 'Compare with Workspace File');
    await editorShown(workbench, 'workspace ↔ agent');
    await workbench.picture('comparison with the workspace');
    // Move the pointer away, because the hover of the previous row would cover the row that is clicked next.
    await workbench.page.mouse.move(0, 0);
    await chooseInContextMenu(workbench, treeRow(workbench, 'passwd'), 'Compare with Workspace File');
    await workbench.notified("isn't a file in this workspace");
  });

  it('compares all files with those in the workspace, and leaves out those elsewhere', async () => {
    const { workbench } = journey;
    await workbench.execute('lineside.compareAllWithWorkspace', { sessionId: sessionId() });
    await editorShown(workbench, 'workspace ↔ agent, 1 of 5 files, text comparison');
  });

  it('lists commands that can be copied, and goes to the step of the selected one', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await workbench.start('lineside.showCommands');
    const lint = quickInput.rows.filter({ hasText: 'npm run lint' });
    await lint.waitFor();
    await quickInput.rows.filter({ hasText: 'npm test -- --run' }).filter({ hasText: 'failed' }).waitFor();
    await workbench.picture('commands of a session');
    await hover(lint);
    await click(lint.getByRole('button', { name: 'Copy Command' }));
    await expect.poll(() => clipboardText(workbench), patiently).toBe(calls[8][2].command);
    await quickInput.accept();
    await expandedStep('npm run lint').waitFor();
    expect(await expandedStep('').count()).toBe(1);
  });

  it('lists errors, and goes to the step of the selected one', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await openByRow(workbench, treeRow(workbench, 'Write tests'), 'Write tests for the redirect guard');
    await workbench.start('lineside.showErrors');
    await quickInput.rows.filter({ hasText: 'String not found' }).waitFor();
    expect(await quickInput.rows.filter({ hasText: '3 tests failed' }).count()).toBe(1);
    await workbench.picture('errors of a session');
    await quickInput.fill('String not found');
    await quickInput.accept();
    await expandedStep('src/pears.ts').waitFor();
    await workbench.picture('a step to go to');
  });

  it('is reported as absent where there is none, and as incomplete where only a part is loaded', async () => {
    const { workbench } = journey;
    const { pending, history } = service.sessionIdByName;
    await addSessions(workbench, `${pending} ${history}`);
    await workbench.runCommand('Lineside: Show Changes');
    await workbench.notified('No changed files found in this session.');
    await expect(workbench.execute('lineside.showErrors', { sessionId: pending })).rejects.toThrow(
      'No errors found in this session.',
    );
    // The messages of this session were never loaded, so the command loads the newest ones.
    await expect(workbench.execute('lineside.showErrors', { sessionId: history })).rejects.toThrow(
      'No errors found in the loaded messages.',
    );
  });

  it('of one turn can be shown, and a file without changes is an error', async () => {
    const { workbench } = journey;
    const turn = { sessionId: sessionId(), messageId: 'msg_tests_00004' };
    await workbench.execute('workbench.action.closeAllEditors');
    await workbench.execute('lineside.showChanges', turn);
    await editorShown(workbench, 'in one turn');
    await expect(workbench.execute('lineside.showChanges', { ...turn, path: 'src/pears.ts' })).rejects.toThrow(
      'No changes to this file.',
    );
  });
});

// These tests continue in the window of the tests above, which is connected to the service.
describe('links to files', () => {
  const log = () => conversationOf(journey.workbench).log;
  const link = (name: string) => log().locator('a.path-link', { hasText: name }).last();
  const tabs = (name: string) => journey.workbench.page.locator('.part.editor .tab', { hasText: name });
  const write = async (path: string) => {
    await mkdir(dirname(join(journey.folder, path)), { recursive: true });
    await writeFile(join(journey.folder, path), 'one\ntwo\nthree\nfour\n');
  };

  it('lead from paths on the computer of the agent to the workspace', async () => {
    const { workbench } = journey;
    for (const file of readFiles) await write(file);
    const outside = join(journey.folder, '..', 'secret.txt');
    await writeFile(outside, 'x');
    await mkdir(join(journey.folder, 'out'));
    await symlink(outside, join(journey.folder, 'out', 'secret.txt'));
    await workbench.execute('workbench.action.closeAllEditors');
    await addSessions(workbench, service.sessionIdByName.failed);
    await link('the parcel').waitFor();
    expect(await link('the parcel').getAttribute('title')).toMatch(
      /lib\/parcel\.ts[^]*\/home\/agent\/work\/shop\/lib\/parcel\.ts[^]* on /,
    );
    await hover(link('the parcel'));
    await workbench.picture('file links');
    await click(link('the parcel'));
    await tabs('parcel.ts').waitFor();
    await workbench.page
      .locator('.part.statusbar')
      .getByText(/\(9 selected\)/)
      .waitFor();
  });

  it('open to the side with Ctrl+click', async () => {
    const { workbench } = journey;
    await click(link('lib/stamp.ts:2'), { modifiers: ['ControlOrMeta'] });
    await expect.poll(() => workbench.page.locator('.editor-group-container').count(), patiently).toBe(2);
    await tabs('stamp.ts').waitFor();
    await workbench.page.locator('.part.statusbar').getByText('Ln 2, Col 1').waitFor();
  });

  it('are text if they lead out of the workspace', async () => {
    const labels = ['the keys', 'the users', 'outside', 'later', 'a share'];
    for (const label of labels) {
      const text = log().locator('.path-text', { hasText: label }).last();
      expect(await text.getAttribute('title')).toContain("wasn't found in this workspace");
      const before = await tabs('').count();
      await click(text);
      expect(await tabs('').count()).toBe(before);
    }
    expect(await log().locator('p').filter({ hasText: 'CON:3' }).last().textContent()).toContain(
      '[a command](command:workbench.action.quit)',
    );
    expect(await readdir(join(journey.folder, 'out'))).toEqual(['secret.txt']);
  });

  it('become links when the file appears', async () => {
    await write('lib/later.ts');
    await link('later').waitFor();
  });

  it('have a context menu', async () => {
    const { workbench } = journey;
    const choose = async (name: string, item: string) => {
      const menu = workbench.page.locator('.monaco-menu:visible');
      // A page that takes the focus closes the menu.
      await untilItSucceeds(async () => {
        await click(link(name), { button: 'right', effect: async () => (await menu.count()) > 0 });
        await chooseInOpenMenu(workbench, item);
      });
    };
    await choose('the parcel', 'Copy Relative Path');
    await expect.poll(() => clipboardText(workbench), patiently).toBe(join('lib', 'parcel.ts'));
    await workbench.execute('workbench.action.closeAllEditors');
    await choose('the parcel', 'Open to the Side');
    // If the menu closed late, the file has been opened twice.
    await tabs('parcel.ts').first().waitFor();
    await choose('lib/stamp.ts:2', 'Attach');
    await workbench.webview({ place: 'view' }).locator('.composer').getByText('stamp.ts').first().waitFor();
  });

  it('are in documents', async () => {
    const { workbench } = journey;
    await workbench.start('lineside.openConversationAsDocument');
    const links = async () => {
      const found = (await workbench.execute('linesideProbe.actions', ['lineside'])) as readonly { links: string[] }[];
      return found.flatMap((one) => one.links).filter((target) => target.startsWith('file:'));
    };
    const folder = pathToFileURL(journey.folder).href;
    await expect
      .poll(links, patiently)
      .toEqual(
        expect.arrayContaining([
          `${folder}/lib/parcel.ts#L2,1-3,1000001`,
          `${folder}/lib/stamp.ts#L2,1`,
          `${folder}/lib/letter/envelope.ts`,
          `${folder}/lib/later.ts`,
        ]),
      );
    expect((await links()).filter((target) => !target.startsWith(`${folder}/lib/`))).toEqual([]);
  });

  it('are text after their file was renamed', async () => {
    await rename(join(journey.folder, 'lib/later.ts'), join(journey.folder, 'lib/sooner.ts'));
    await journey.workbench.focusView('lineside.conversation');
    await log().locator('.path-text', { hasText: 'later' }).last().waitFor();
  });

  it('follow Map Agent Folder', async () => {
    const { workbench } = journey;
    await workbench.focusView('lineside.conversation');
    await workbench.start('lineside.mapAgentFolder');
    await workbench.quickInput.rows.filter({ hasText: root }).first().waitFor();
    await workbench.picture('map agent folder');
    await click(workbench.quickInput.rows.filter({ hasText: root }).first());
    await click(workbench.quickInput.rows.filter({ hasText: "Don't Map" }));
    await link('the parcel').waitFor({ state: 'detached' });
    await log().locator('.path-text', { hasText: 'the parcel' }).last().waitFor();
  });
});
