import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { click, doubleClick, drag, hover, press, type } from '../../../tools/editor/drive/act.ts';
import { addSessions, clearNotifications, connect, conversationOf, openFile } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { attachmentsOnDisk } from '../journey/keptFiles.ts';
import { type PostedMessage, sha256, useService } from '../journey/recordedService.ts';
import { chooseInContextMenu, closeMenus, menuItem, pressMenuItem, treeRow } from '../journey/pointing.ts';
import { hasFocus, patiently, until, untilItSucceeds } from '../journey/until.ts';

const run = promisify(execFile);

interface Expected {
  readonly name: string;
  readonly path?: string;
  readonly mediaType?: string;
  readonly bytes: Uint8Array | string;
}

describe('attachments', () => {
  const service = useService();
  const journey = useJourney({
    // The problems and symbols come from the Markdown extension, because other built-in extensions start slowly.
    settings: { 'files.autoSave': 'off', 'markdown.validate.enabled': true, 'lineside.polling.runningSeconds': 1 },
  });
  const conversation = () => conversationOf(journey.workbench);
  const inFolder = (...parts: string[]) => join(journey.folder, ...parts);

  it('include symbols and checked editors, each with exactly its text, including unsaved changes', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.login);
    await conversation().article('The states of a session').waitFor();
    await openFile(workbench, 'README.md');
    await goTo('11:1', 'Try this first');
    await type(workbench.editorInput, '0. Unsaved. ');
    // The result of this command reaches the extension host after the typed text, so the next command sees the text.
    await workbench.execute('workbench.action.focusActiveEditorGroup');
    await workbench.start('lineside.attachSymbol');
    await quickInput.activeRow.filter({ hasText: 'Try this first' }).waitFor();
    expect(await quickInput.activeRow.innerText()).toMatch(/Orchard · L9/);
    await workbench.picture('attach symbol');
    await click(quickInput.rows.first());
    await attached(chip('README.md#L1-L14'));
    // With `atCursor`, the command attaches the symbol at the cursor without asking.
    await workbench.execute('lineside.attachSymbol', { atCursor: true });
    await attached(chip('README.md#L9-L14'));
    await openFile(workbench, 'src/price.ts');
    await workbench.start('lineside.attachOpenEditors');
    await quickInput.rows.filter({ hasText: 'README.md' }).filter({ hasText: 'unsaved' }).waitFor();
    // The active editor, here price.ts, is already checked.
    await quickInput.toggle('README.md');
    await workbench.picture('attach open editors');
    await quickInput.accept();
    const lines = (await readFile(inFolder('README.md'), 'utf8')).split('\n');
    const unsaved = lines.with(10, `0. Unsaved. ${lines[10] ?? ''}`);
    await expectSent([
      { name: 'README.md#L1-L14', path: 'README.md', bytes: unsaved.join('\n') },
      { name: 'README.md#L9-L14', path: 'README.md', bytes: unsaved.slice(8).join('\n') },
      { name: 'README.md', path: 'README.md', bytes: unsaved.join('\n') },
      { name: 'price.ts', path: 'src/price.ts', bytes: await readFile(inFolder('src', 'price.ts')) },
    ]);
    await openFile(workbench, 'README.md');
    await workbench.execute('workbench.action.files.revert');
  });

  it('include the text of an untitled document, but none of its symbols if it has none', async () => {
    const { workbench } = journey;
    await workbench.execute('workbench.action.files.newUntitledFile');
    await workbench.page.locator('.part.editor .monaco-editor.focused[data-uri^="untitled:"]').waitFor();
    await type(workbench.editorInput, 'Grüße, 世界 👋');
    await workbench.runCommand('Lineside: Attach File');
    await attached(chip('Untitled-1'));
    await workbench.resizeSideBar('secondary', 250);
    const item = conversation().frame.getByRole('menuitem', { name: 'Symbol...' });
    // The menu doesn't wait long for the reason why nothing can be attached, so open it again if the machine is slow.
    await until(
      () => item.filter({ hasText: 'No symbols found in "Untitled-1".' }).isVisible(),
      async () => {
        if (await item.isVisible()) await press(workbench.page, 'Escape');
        await click(conversation().button('Attach'));
      },
    );
    expect(await item.getAttribute('aria-disabled')).toBe('true');
    await workbench.picture('attach menu without symbols');
    await press(workbench.page, 'Escape');
    await workbench.start('lineside.attachSymbol');
    await workbench.notification('No symbols found in "Untitled-1".').locator('.codicon-info').waitFor();
    await clearNotifications(workbench);
    await expectSent([{ name: 'Untitled-1', bytes: 'Grüße, 世界 👋' }]);
    await click(workbench.page.locator('.part.editor .tab.active'));
    await workbench.execute('workbench.action.revertAndCloseActiveEditor');
  });

  it('include the files of a folder, except ignored files and possible secrets, after the user confirms', async () => {
    const { workbench } = journey;
    await mkdir(inFolder('parts', 'deep', 'out'), { recursive: true });
    await mkdir(inFolder('parts', 'node_modules'));
    await writeFile(inFolder('parts', 'one.txt'), 'one');
    await writeFile(inFolder('parts', 'deep', 'two.txt'), 'two');
    await writeFile(inFolder('parts', 'deep', 'noise.log'), 'noise');
    await writeFile(inFolder('parts', 'deep', 'out', 'made.txt'), 'made');
    await writeFile(inFolder('parts', 'node_modules', 'much.js'), 'much');
    await writeFile(inFolder('parts', 'deep', '.gitignore'), '*.log\n/out/\n');
    await writeFile(inFolder('parts', '.env'), 'PASSWORD=orchard');
    await writeFile(inFolder('parts', 'nothing.txt'), '');
    await symlink(inFolder('package.json'), inFolder('parts', 'linked.json'));
    await workbench.execute('workbench.view.explorer');
    await workbench.execute('workbench.files.action.refreshFilesExplorer');
    const row = workbench.page.locator('.part.sidebar [role="treeitem"]', { hasText: /^parts/ });
    await chooseInContextMenu(workbench, row, 'Lineside', 'Attach Folder...');
    const { dialog } = workbench;
    await dialog.getByText('Attach 3 files from "parts" (18 B in total)?').waitFor();
    for (const line of [
      'parts/deep/two.txt',
      'Skipped files excluded by ignore rules: 3.',
      'Skipped files that might contain secrets: 1.',
    ]) {
      await dialog.getByText(line).first().waitFor();
    }
    await workbench.picture('attach folder');
    await click(dialog.getByRole('button', { name: 'Attach' }));
    await expectSent([
      { name: '.gitignore', path: 'parts/deep/.gitignore', bytes: '*.log\n/out/\n' },
      { name: 'two.txt', path: 'parts/deep/two.txt', bytes: 'two' },
      { name: 'one.txt', path: 'parts/one.txt', bytes: 'one' },
    ]);
  });

  it('include a problem sent with a message from the lightbulb, all problems, or those in the active file', async () => {
    const { workbench } = journey;
    const { quickInput, page } = workbench;
    await writeFile(inFolder('broken.md'), '[An apple][nowhere]\n');
    await openNew('broken.md');
    await page.locator('.squiggly-warning').first().waitFor();
    await workbench.execute('editor.action.marker.next');
    await press(page, 'Escape');
    const fix = page.locator('.action-widget').getByText('Send Problem to Session');
    // The list closes when the editor gets new problems or loses the focus.
    await untilItSucceeds(async () => {
      if (!(await fix.isVisible())) await workbench.execute('editor.action.quickFix');
      await fix.waitFor({ timeout: 5_000 });
      await workbench.picture('lightbulb');
      await click(fix, { timeout: 5_000 });
    });
    await quickInput.enter('Mend this', 'Message to');
    await expect.poll(() => service.posts().at(-1)?.text, patiently).toBe('Mend this');
    const problem = (file: string) =>
      `${file}:1:12: warning: No link definition found: 'nowhere' [link.no-such-reference]\n`;
    expectFiles(service.posts().at(-1), [{ name: 'problems.txt', bytes: problem('broken.md') }]);
    await writeFile(inFolder('worse.md'), '[A pear  ][nowhere]\n');
    await openNew('worse.md');
    await page.locator('.part.statusbar').getByLabel('Warnings: 2').first().waitFor();
    await workbench.start('lineside.attachProblems');
    await quickInput.pick('All problems');
    await attached(chip('problems.txt'));
    await workbench.start('lineside.attachProblems');
    await quickInput.pick('Problems in worse.md');
    await expectSent([
      { name: 'problems.txt', bytes: problem('broken.md') + problem('worse.md') },
      { name: 'problems.txt', bytes: problem('worse.md') },
    ]);
  });

  it('include Git changes as diffs', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    const git = async (...words: string[]) => {
      const person = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
      return (await run('git', [...person, ...words], { cwd: journey.folder })).stdout;
    };
    await git('init', '-q', '-b', 'main');
    await git('add', 'src', 'package.json');
    await git('commit', '-qm', 'all');
    await git('checkout', '-qb', 'other');
    await writeFile(inFolder('package.json'), '{ "name": "Obstgarten" }\n');
    await git('commit', '-qam', 'another name');
    await writeFile(inFolder('src', 'new.ts'), 'export {};\n');
    await git('add', 'src/new.ts');
    await writeFile(inFolder('src', 'price.ts'), '// gone\n');
    await workbench.execute('git.openRepository', journey.folder);
    const attach = async (what: string) => {
      await workbench.start('lineside.attachDiff');
      await quickInput.pick(what);
    };
    await attach('Unstaged changes');
    await attached(chip('unstaged.diff'));
    await attach('Staged changes');
    await attached(chip('staged.diff').nth(1));
    await attach('Between two commits or branches...');
    await quickInput.enter('--output=x', 'Enter a range, such as main...feature');
    await quickInput.message
      .filter({ hasText: 'Enter a branch, tag, or commit, or a range such as main...feature.' })
      .waitFor();
    await quickInput.enter('main...other');
    await expectSent([
      { name: 'unstaged.diff', bytes: await git('diff') },
      { name: 'staged.diff', bytes: await git('diff', '--cached') },
      { name: 'main...other.diff', bytes: await git('diff', 'main...other', '--') },
    ]);
  });

  it('include notebook cells', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    const cell = (type: string, source: string) => ({
      cell_type: type,
      metadata: {},
      source: [source],
      ...(type === 'code' ? { outputs: [], execution_count: null } : {}),
    });
    const notebook = {
      cells: [cell('markdown', '# Apples'), cell('code', 'print("pears")\n')],
      metadata: { language_info: { name: 'python' } },
      nbformat: 4,
      nbformat_minor: 5,
    };
    await writeFile(inFolder('trees.ipynb'), JSON.stringify(notebook));
    await workbench.start('lineside.attachNotebookCells');
    // This is information, not an error, so there is no Retry button.
    await workbench.notification('Open a notebook first.').locator('.codicon-info').waitFor();
    expect(await workbench.notification('Open a notebook first.').getByRole('button', { name: 'Retry' }).count()).toBe(
      0,
    );
    await workbench.picture('nothing to attach');
    await clearNotifications(workbench);
    await openNew('trees.ipynb');
    await workbench.page.locator('.part.statusbar').getByText('Cell 1 of 2').waitFor();
    await workbench.start('lineside.attachNotebookCells');
    await quickInput.rows.filter({ hasText: 'Cell 2' }).waitFor();
    await workbench.picture('attach cells');
    // The selected cell, here the first one, is already checked.
    await quickInput.toggle('Cell 2');
    await quickInput.accept();
    await expectSent([
      { name: 'trees.ipynb#cell-1 (markdown)', path: 'trees.ipynb', bytes: '# Apples' },
      { name: 'trees.ipynb#cell-2 (python)', path: 'trees.ipynb', bytes: 'print("pears")\n' },
    ]);
  });

  it('include an editor tab that is dropped on a session', async () => {
    const { workbench } = journey;
    const { page } = workbench;
    // The Sessions view and the Explorer are in different view containers, so the test drags an editor tab instead.
    await openFile(workbench, 'package.json');
    await workbench.focusView('lineside.sessions');
    const tab = page.locator('.part.editor .tab', { hasText: 'package.json' });
    // The row can move to another section when the agent has finished.
    const session = treeRow(workbench, 'Edge cases: all types of content');
    await session.locator('.codicon-sync').waitFor({ state: 'detached' });
    // The row can still move during the drop.
    await drag(tab, session, async () => (await conversation().chips.count()) > 0);
    await expectSent([{ name: 'package.json', path: 'package.json', bytes: await readFile(inFolder('package.json')) }]);
  });

  it('are updated on request if their files have changed since they were attached', async () => {
    const { dialog } = journey.workbench;
    await writeFile(inFolder('list.txt'), 'apples');
    await attachFile('list.txt');
    await chip('list.txt').waitFor();
    await writeFile(inFolder('list.txt'), 'apples and pears');
    await conversation().say('First thoughts');
    await dialog
      .getByText('Some attachments have changed since you attached them. Which version do you want to send?')
      .waitFor();
    await journey.workbench.picture('changed since');
    await click(dialog.getByRole('button', { name: 'Cancel' }));
    await expect.poll(() => conversation().composer.inputValue(), patiently).toBe('First thoughts');
    await click(conversation().send);
    await click(dialog.getByRole('button', { name: 'Update and Send' }));
    await expect.poll(() => service.posts().at(-1)?.text, patiently).toBe('First thoughts');
    expectFiles(service.posts().at(-1), [{ name: 'list.txt', path: 'list.txt', bytes: 'apples and pears' }]);
    await expectChips(0);
  });

  it('can be chosen from a list and from the context menu of a tab', async () => {
    const { workbench } = journey;
    const { quickInput, page } = workbench;
    await openFile(workbench, 'src/basket.ts');
    await workbench.start('lineside.attach');
    await quickInput.rows.filter({ hasText: 'Notebook Cells...' }).waitFor();
    await workbench.picture('attach menu');
    await quickInput.pick('Current File');
    await attached(chip('basket.ts'));
    const isOpen = () => menuItem(workbench, 'Lineside').isVisible();
    await untilItSucceeds(async () => {
      await closeMenus(workbench);
      await click(page.locator('.part.editor .tab', { hasText: 'basket.ts' }), { button: 'right', effect: isOpen });
      await pressMenuItem(workbench, 'Lineside', { timeout: 5_000 });
      await menuItem(workbench, 'Attach File').waitFor({ timeout: 5_000 });
    });
    expect(await menuItem(workbench, 'Attach Folder...').count()).toBe(0);
    await workbench.picture('tab menu');
    await closeMenus(workbench);
  });

  it('show upload progress, and return to the composer with the message text when the upload is canceled', async () => {
    const { workbench } = journey;
    const bytes = randomBytes(24_000_000);
    await writeFile(inFolder('large.bin'), bytes);
    await click(conversation().button('Remove basket.ts'));
    await workbench.setSetting('lineside.attachments.maxSizeMB', 40);
    await attachFile('large.bin');
    await chip('large.bin').waitFor();
    service.wire.addFault({ method: 'POST', times: 1, fault: { kind: 'stall' } });
    await conversation().say('A large one');
    const row = written('A large one');
    await row.getByText(/^Sending, [\d.]+ [KM]B of 24\.0 MB\.\.\.$/).waitFor();
    await workbench.picture('upload progress');
    expect(await conversation().composer.inputValue()).toBe('');
    await click(row.getByRole('button', { name: 'Cancel' }));
    await expect.poll(() => conversation().composer.inputValue(), patiently).toBe('A large one');
    await row.waitFor({ state: 'detached' });
    await expectChips(1);
    await click(conversation().send);
    await expect.poll(() => service.posts().at(-1)?.text, patiently).toBe('A large one');
    expect(service.posts().filter(({ text }) => text === 'A large one')).toHaveLength(1);
    expect(
      service
        .posts()
        .at(-1)
        ?.files.map(({ data }) => sha256({ base64: data })),
    ).toEqual([sha256(bytes)]);
    await row.filter({ hasNot: conversation().frame.locator('.delivery') }).waitFor();
    expect(await row.count()).toBe(1);
    await workbench.setSetting('lineside.attachments.maxSizeMB', undefined);
    await attachFile('src/basket.ts');
    await attached(chip('basket.ts'));
  });

  it('can be previewed in a read-only editor before they are sent', async () => {
    const { workbench } = journey;
    const { page } = workbench;
    await click(chip('basket.ts').getByRole('button').first());
    const tab = page.locator('.part.editor .tab.active', { hasText: 'basket.ts' });
    await tab.waitFor();
    // The file itself is also open in an editor with the same name, so locate the preview by its URI.
    const preview = page.locator('.part.editor .monaco-editor[data-uri^="lineside-attachment:"]');
    await preview.getByText('Portion').first().waitFor();
    await workbench.picture('attachment preview');
    await click(preview.locator('.view-lines'));
    await type(page, 'x');
    await page.getByText('read-only').first().waitFor();
    await press(page, 'Escape');
    await workbench.execute('workbench.action.closeActiveEditor');
  });

  it('are deleted from disk after sending, while the message details still show their path and hash', async () => {
    const { workbench, editor } = journey;
    const post = await sent(1);
    await expect.poll(() => attachmentsOnDisk(editor), patiently).toEqual([]);
    const row = written(post?.text ?? '');
    await hover(row);
    await click(row.getByRole('button', { name: 'Show Details' }));
    const hash = sha256(await readFile(inFolder('src', 'basket.ts')));
    await row.locator('.details', { hasText: hash }).waitFor();
    await row.locator('.details', { hasText: 'src/basket.ts, text/plain' }).waitFor();
    await workbench.picture('what was sent');
  });

  /** Expects `count` attachments, sends them with a new message, and returns the message that the service received. */
  async function sent(count: number): Promise<PostedMessage | undefined> {
    await expectChips(count);
    const text = `Number ${service.posts().length}`;
    await conversation().say(text);
    await expect.poll(() => service.posts().at(-1)?.text, patiently).toBe(text);
    await written(text).waitFor();
    await expectChips(0);
    return service.posts().at(-1);
  }

  /** The user message with this text. An answer of the agent can quote the same text. */
  function written(text: string): Locator {
    return conversation().log.locator('article[data-role="user"]').filter({ hasText: text });
  }

  /** Waits until an attachment has been added and the composer has taken the focus, which closes an open menu. */
  async function attached(added: Locator): Promise<void> {
    await added.waitFor();
    await expect.poll(() => hasFocus(conversation().composer), patiently).toBe(true);
  }

  async function expectChips(count: number): Promise<void> {
    await expect.poll(() => conversation().chips.count(), patiently).toBe(count);
  }

  async function expectSent(expected: readonly Expected[]): Promise<void> {
    expectFiles(await sent(expected.length), expected);
  }

  function expectFiles(post: PostedMessage | undefined, expected: readonly Expected[]): void {
    expect(post?.images).toEqual([]);
    const found = post?.files.map(({ name, path, mediaType }) => ({ name, path, mediaType }));
    expect(found).toEqual(expected.map(({ name, path, mediaType = 'text/plain' }) => ({ name, path, mediaType })));
    const texts = post?.files.map(({ data }) => Buffer.from(data, 'base64').toString('utf8').slice(0, 400));
    expect(texts).toEqual(expected.map(({ bytes }) => Buffer.from(bytes).toString('utf8').slice(0, 400)));
    const hashes = post?.files.map(({ name, data }) => [name, sha256({ base64: data })]);
    expect(hashes).toEqual(expected.map(({ name, bytes }) => [name, sha256(Buffer.from(bytes))]));
  }

  /** Opens a new file from the Explorer, because Quick Open doesn't list new files immediately. */
  async function openNew(path: string): Promise<void> {
    const { workbench } = journey;
    await workbench.execute('workbench.view.explorer');
    await workbench.execute('workbench.files.action.refreshFilesExplorer');
    const row = workbench.page.locator('.part.sidebar [role="treeitem"]', { hasText: path });
    // Rows in the Explorer can move while it refreshes.
    await until(
      () => workbench.page.locator('.part.editor .tab.active', { hasText: path }).isVisible(),
      () => doubleClick(row),
    );
  }

  /** Moves the cursor to a line and a column, and waits until VS Code itself shows the symbol there. */
  async function goTo(place: string, symbol: string): Promise<void> {
    const { page, quickInput } = journey.workbench;
    await quickInput.open(`:${place}`);
    await quickInput.activeRow.filter({ hasText: place.split(':')[0] ?? '' }).waitFor();
    await quickInput.accept();
    await quickInput.widget.waitFor({ state: 'hidden' });
    await page.locator('.part.editor .monaco-breadcrumbs').getByText(symbol).waitFor();
    await page.locator('.part.editor .monaco-editor.focused').waitFor();
  }

  async function attachFile(path: string): Promise<void> {
    await journey.workbench.execute('lineside.attachFile', { uri: pathToFileURL(inFolder(path)).href });
  }

  function chip(name: string) {
    return conversation().chips.filter({ hasText: name });
  }
});
