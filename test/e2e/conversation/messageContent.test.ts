import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { click, focus, hover, press, pressAll } from '../../../tools/editor/drive/act.ts';
import {
  acceptFileDialog,
  addSessions,
  connect,
  conversationOf,
  openFile,
  reloadByCommand,
} from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { treeRow } from '../journey/pointing.ts';
import { useService } from '../journey/recordedService.ts';
import { hasFocus, isInEditor, patiently, until } from '../journey/until.ts';

const service = useService();
const journey = useJourney();
const view = () => conversationOf(journey.workbench);

describe('with the keyboard alone', () => {
  const pressKey = (key: string) => press(journey.workbench.page, key);
  const help = () =>
    journey.workbench.page.locator('.part.editor .editor-instance[aria-label^="Accessibility Help.md"]');
  const helpText = async () => (await help().locator('.view-lines').innerText()).replaceAll('\u00a0', ' ');

  it('the rows of the Sessions view say all that they show', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    const { login, failed } = service.sessionIdByName;
    await workbench.focusView('lineside.sessions');
    await addSessions(workbench, `${login}, ${failed}`);
    await treeRow(workbench, 'Edge cases: all types of content').waitFor();
    // Two sections: the failed session needs the user once its newest messages were read.
    await expect.poll(() => workbench.treeRows('Sessions').count(), patiently).toBe(4);
    await view().article('The states of a session').waitFor();
    const tree = workbench.page.locator('[role="tree"][aria-label="Sessions"]');
    await tree.locator('[aria-selected="true"]').waitFor();
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

  /** Presses Home until the count is 1, because older messages may still be arriving. */
  async function goUp(countThere: () => Promise<number>): Promise<void> {
    const goAndCount = async () => {
      await press(view().log, 'Home');
      return countThere();
    };
    await expect.poll(goAndCount, patiently).toBe(1);
  }
});
