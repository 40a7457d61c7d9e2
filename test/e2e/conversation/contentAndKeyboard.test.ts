import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { click, doubleClick, focus, hover, press, pressAll } from '../../../tools/editor/drive/act.ts';
import {
  acceptFileDialog,
  addSessions,
  clearNotifications,
  clipboardText,
  connect,
  conversationOf,
  openFile,
  reloadByCommand,
} from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { treeRow } from '../journey/pointing.ts';
import { type RecordedService, useService, withObjects } from '../journey/recordedService.ts';
import { hasFocus, isInEditor, patiently, until } from '../journey/until.ts';

/** Trims texts, and returns the name and path of a file only in `source`, without its text and its bytes. */
const loosely = withObjects((fields) => {
  if (fields['type'] === 'text') return { ...fields, text: String(fields['text']).trim() };
  if (fields['type'] !== 'document') return fields;
  const { name, path, mediaType } = fields;
  return { type: 'file', source: { type: 'base64', name, path, mediaType } };
});

const cell = (source: string, outputs: readonly unknown[]) => ({
  cell_type: 'code',
  metadata: {},
  source: [source],
  outputs,
  execution_count: 1,
});
const notebook = {
  cells: [cell('print("pears")\n', [{ output_type: 'stream', name: 'stdout', text: ['pears\n'] }])],
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
};

const service = useService();
const loose = useService({ imageMediaType: 'required', patch: 'replace', listRoles: false }, loosely);
const journey = useJourney();
const view = () => conversationOf(journey.workbench);

/** The computer IDs in all GET requests for a session, in order; null for a request without one. */
const computersOf = ({ requests }: RecordedService, sessionId: string) =>
  requests
    .filter(({ method, url }) => method === 'GET' && url.includes(`/sessions/${sessionId}`))
    .map(({ url }) => new URL(url, 'http://h').searchParams.get('computerId'));

describe('a session on several computers', () => {
  it('is read from the computer in a pasted address, and shows that', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    const { login } = service.sessionIdByName;
    await addSessions(workbench, `${service.baseUrl}/api/v0/sessions/${login}?computerId=computer-build-server`);
    await view().article('The states of a session').waitFor();
    await view()
      .status.filter({ hasText: /From .?computer-build-server/ })
      .waitFor();
    await workbench.picture('read from a computer');
    expect(new Set(computersOf(service, login))).toEqual(new Set(['computer-build-server']));
    await workbench.start('lineside.copyLink');
    await expect.poll(() => clipboardText(workbench), patiently).toContain('&computer=computer-build-server');
  });

  it('is read from another computer, or from any, on request', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    const { login } = service.sessionIdByName;
    const choose = async (text: string) => {
      await workbench.start('lineside.readFromComputer');
      await quickInput.rows.filter({ hasText: 'No specific computer' }).waitFor();
      await workbench.picture('choose a computer to read from');
      await quickInput.pick(text);
    };
    await choose('computer-workstation');
    await expect.poll(() => computersOf(service, login).at(-1), patiently).toBe('computer-workstation');
    await view()
      .status.filter({ hasText: /From .?computer-workstation/ })
      .waitFor();
    await choose('No specific computer');
    await expect.poll(() => computersOf(service, login).at(-1), patiently).toBe(null);
    await expect.poll(() => view().status.innerText(), patiently).not.toContain('From ');
  });
});

// These tests continue in the window of the tests above, which is connected to `service` and shows the session `login`.
describe('with the keyboard alone', () => {
  const pressKey = (key: string) => press(journey.workbench.page, key);
  const help = () =>
    journey.workbench.page.locator('.part.editor .editor-instance[aria-label^="Accessibility Help.md"]');
  const helpText = async () => (await help().locator('.view-lines').innerText()).replaceAll('\u00a0', ' ');

  it('the rows of the Sessions view say all that they show', async () => {
    const { workbench } = journey;
    const { login, failed } = service.sessionIdByName;
    await workbench.focusView('lineside.sessions');
    await addSessions(workbench, `${login}, ${failed}`);
    await treeRow(workbench, 'Edge cases: all types of content').waitFor();
    // The failed session needs the user once its newest messages have been read. Until then, both sessions can be in
    // sections of days.
    await treeRow(workbench, 'Needs You').waitFor();
    await expect.poll(() => workbench.treeRows('Sessions').count(), patiently).toBe(4);
    await view().article('The states of a session').waitFor();
    const tree = workbench.page.locator('[role="tree"][aria-label="Sessions"]');
    const labels = () =>
      workbench.treeRows('Sessions').evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')));
    await tree.locator('[aria-selected="true"]').waitFor();
    // What a row says besides its title can be drawn up to a second later.
    for (const label of [
      /^Session Check the redirect .*, 4 messages, failed, /,
      /^Session Edge cases: .*, 17 messages$/,
    ]) {
      await expect.poll(labels, patiently).toContainEqual(expect.stringMatching(label));
    }
    // Ages and the sections of days depend on when the test runs.
    const snapshot = async () =>
      (await tree.ariaSnapshot())
        .replaceAll(/(?:\bnow|\d+ (?:min|hrs?|days?))\b/g, '<age>')
        .replaceAll(/\b(?:Today|Yesterday)\b/g, '<day>');
    await workbench.picture('accessible tree');
    await expect(await snapshot()).toMatchFileSnapshot('../snapshots/sessions.yml');
  });

  it('Alt+F1 opens help with the key bindings that VS Code has', async () => {
    const { workbench } = journey;
    await click(treeRow(workbench, 'Edge cases: all types of content'));
    await pressKey('Alt+F1');
    await help().waitFor();
    await expect.poll(helpText, patiently).toContain('Next Code Block:');
    expect(await helpText()).toContain('Next Code Block: Ctrl+Alt+Page Down');
    await workbench.picture('accessibility help');
  });

  it('keys jump through the conversation and announce where they go', async () => {
    await focus(view().log);
    // The keys work as soon as VS Code knows that the conversation has the focus.
    const announced = view().announcements.filter({ hasText: 'Code block: ' });
    await until(
      async () => (await announced.count()) > 0,
      () => pressKey('Control+Alt+PageUp'),
    );
    await expect.poll(() => view().log.locator('pre:focus').count(), patiently).toBe(1);
    await journey.workbench.picture('announced jump');
  });

  it('keys lead to the composer from the list and from an editor', async () => {
    const { workbench } = journey;
    await press(view().log, 'Control+ArrowDown');
    await expect.poll(() => hasFocus(view().composer), patiently).toBe(true);
    await openFile(workbench, 'src/basket.ts');
    await pressAll(workbench.editorInput, 'Control+K', 'l');
    await expect.poll(() => hasFocus(view().composer), patiently).toBe(true);
  });
});

// These tests continue in the window of the tests above, which is connected to `service`, shows the session `login`,
// and has the session `failed` in its list.
describe('the content of messages', () => {
  const editorLine = (text: RegExp) => journey.workbench.page.locator('.part.editor .view-line', { hasText: text });
  const tabOf = (name: string | RegExp) => journey.workbench.page.locator('.part.editor .tab', { hasText: name });
  const activeTab = (name: string | RegExp) => tabOf(name).and(journey.workbench.page.locator('.active'));

  it('includes code that can be inserted at the cursor and undone in one step, or opened as a new file', async () => {
    const { workbench } = journey;
    await workbench.execute('workbench.action.closeAllEditors');
    const answer = view().article('Like this; the index makes it cheap');
    const block = answer.locator('.code-block', { hasText: 'DELETE FROM' });
    const insert = block.getByRole('button', { name: 'Insert at Cursor' });
    await hover(block);
    await click(insert);
    await workbench.notified('Open a file and place the cursor where you want to insert the code');
    await openFile(workbench, 'src/basket.ts');
    await hover(block);
    await click(insert);
    await editorLine(/RETURNING\sid;/).waitFor();
    // The editor has the focus, so the user can continue there.
    await expect.poll(() => isInEditor(workbench), patiently).toBe(true);
    await press(workbench.editorInput, 'ControlOrMeta+z');
    await editorLine(/RETURNING\sid;/).waitFor({ state: 'detached' });
    await editorLine(/DELETE\sFROM/).waitFor({ state: 'detached' });
    await hover(block);
    await click(block.getByRole('button', { name: 'Open in New File' }));
    await activeTab('Untitled').or(activeTab('DELETE FROM')).first().waitFor();
    await editorLine(/RETURNING\sid;/).waitFor();
    await workbench.page.locator('.part.statusbar').getByText(/SQL$/).waitFor();
  });

  it('includes diagrams and images, which open in editors, also after a reload', async () => {
    const { workbench } = journey;
    const block = view().log.locator('.code-block', { hasText: 'sequenceDiagram' });
    await goUp(() => block.count());
    await hover(block);
    await click(block.getByRole('button', { name: 'Open Preview' }));
    await activeTab('Diagram').waitFor();
    const diagram = workbench
      .webview({ extensionId: 'vscode.markdown-language-features', place: 'editor' })
      .locator('.mermaid svg')
      .getByText('302 /login')
      .first();
    await diagram.waitFor();
    await workbench.picture('diagram');
    const row = view().article('Users report a redirect loop');
    await goUp(() => row.count());
    await click(row.getByRole('img', { name: 'Image' }));
    await activeTab('image.png').waitFor();
    const picture = workbench.webview({ extensionId: 'vscode.media-preview', place: 'editor' }).locator('img');
    const widthPx = () => picture.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0));
    await expect.poll(widthPx, patiently).toBe(160);
    await reloadByCommand(workbench);
    await activeTab('image.png').waitFor();
    await expect.poll(widthPx, patiently).toBe(160);
    await click(tabOf('Diagram'));
    await diagram.waitFor();
    await workbench.focusView('lineside.conversation');
  });

  it('includes a file that can be saved with the file dialog', async () => {
    const { workbench, folder } = journey;
    const row = view().article('Users report a redirect loop');
    await goUp(() => row.count());
    await click(row.getByRole('button', { name: 'Save notes.md As...' }));
    await expect
      .poll(() => workbench.quickInput.widget.locator('input').first().inputValue(), patiently)
      .toMatch(/orchard\/notes\.md$/);
    await acceptFileDialog(workbench);
    const saved = () => readFile(join(folder, 'notes.md'), 'utf8').catch(() => '');
    await expect.poll(saved, patiently).toMatch(/^2026-03-02 login keeps bouncing/);
  });

  it('includes the text that was sent with a file', async () => {
    const row = view().article('redirects.pdf');
    await goUp(() => row.count());
    const fold = row.getByRole('button', { name: /^Parsed text/ });
    await fold.scrollIntoViewIfNeeded();
    await click(fold);
    await row.getByText('Redirects per day: Mon 12').waitFor();
    await journey.workbench.picture('parsed text');
  });

  /** Presses Home until the count is 1, because older messages may still be arriving. */
  async function goUp(countThere: () => Promise<number>): Promise<void> {
    const goAndCount = async () => {
      await press(view().log, 'Home');
      return countThere();
    };
    await expect.poll(goAndCount, patiently).toBe(1);
  }
});

// These tests continue in the window of the tests above, which is connected to `service` and shows the session `login`,
// whose draft has no attachments.
describe('features that the specification offers, and cases that it leaves open', () => {
  const attachCell = async () => {
    const { workbench } = journey;
    // The notebook becomes the active editor some time after the editor that covered it has closed.
    await workbench.page.locator('.part.statusbar').getByText('Cell 1 of 1').waitFor();
    // Extensions learn of the active notebook only after the window shows it.
    const active = () => workbench.execute('linesideProbe.activeNotebook');
    await expect.poll(active, patiently).toMatch(/\/fruit\.ipynb$/);
    await workbench.start('lineside.attachNotebookCells');
    await workbench.quickInput.rows.filter({ hasText: 'with outputs (5 B)' }).waitFor();
    await workbench.quickInput.accept();
    await expect.poll(() => view().chips.count(), patiently).toBe(2);
  };

  it('sends the outputs of a notebook cell, which can be opened and removed first', async () => {
    const { workbench } = journey;
    const { page } = workbench;
    await writeFile(join(journey.folder, 'fruit.ipynb'), JSON.stringify(notebook));
    await workbench.execute('workbench.view.explorer');
    await workbench.execute('workbench.files.action.refreshFilesExplorer');
    const file = page.locator('.part.sidebar [role="treeitem"]', { hasText: 'fruit.ipynb' });
    // Rows in the Explorer can move while it refreshes.
    await until(
      () => page.locator('.part.editor .tab.active', { hasText: 'fruit.ipynb' }).isVisible(),
      () => doubleClick(file),
    );
    await attachCell();
    const outputs = view().chips.filter({ hasText: 'Outputs of' });
    await workbench.picture('outputs of a cell');
    await click(outputs.getByRole('button').first());
    await page.locator('.part.editor .tab.active', { hasText: '.outputs.txt' }).waitFor();
    await page.locator('.part.editor .view-lines').getByText('pears').waitFor();
    await view().say('With outputs');
    await expect
      .poll(() => service.posts().at(-1), patiently)
      .toMatchObject({
        text: 'With outputs',
        isProcessed: true,
        files: [{ name: 'fruit.ipynb#cell-1 (python)', parsedData: 'pears' }],
      });
    await expect.poll(() => view().chips.count(), patiently).toBe(0);
    // The preview covers the notebook, from which the cell is attached again.
    await workbench.execute('workbench.action.closeActiveEditor');
    await attachCell();
    await click(outputs.getByRole('button', { name: /^Remove Outputs of/ }));
    await expect.poll(() => view().chips.count(), patiently).toBe(1);
    await view().say('Without outputs');
    await expect.poll(() => service.posts().at(-1)?.text, patiently).toBe('Without outputs');
    expect(service.posts().at(-1)?.files[0]).not.toHaveProperty('parsedData');
  });

  it('works with a service that requires a media type, trims text, and returns less than it received', async () => {
    const { workbench } = journey;
    await clearNotifications(workbench);
    await connect(workbench, loose);
    await addSessions(
      workbench,
      `${loose.baseUrl}/sessions/${loose.sessionIdByName.tests}?computerId=computer-workstation`,
    );
    await view()
      .status.filter({ hasText: /From .?computer-workstation/ })
      .waitFor();
    await attachCell();
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await view().composer.evaluate((field, base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], 'dot.png', { type: 'image/png' }));
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, png);
    await expect.poll(() => view().chips.count(), patiently).toBe(3);
    await view().say('Look at this   ');
    await expect.poll(() => loose.posts().length, patiently).toBe(2);
    expect(loose.posts().map(({ images }) => images.map(({ mediaType }) => mediaType))).toEqual([
      [undefined],
      ['image/png'],
    ]);
    const sent = view().article('Look at this');
    await sent.getByText('fruit.ipynb#cell-1 (python)').waitFor();
    await sent.getByRole('img').first().waitFor();
    await view().article('I received two attachments').or(view().article('I received 2 attachments')).waitFor();
    expect(await sent.count()).toBe(1);
    await workbench.picture('what came back');
    expect(new Set(computersOf(loose, loose.sessionIdByName.tests))).toEqual(new Set(['computer-workstation']));
    expect(loose.posts()).toHaveLength(2);
  });
});
