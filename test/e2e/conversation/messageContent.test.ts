import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { click, hover, press } from '../../../tools/editor/drive/act.ts';
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
import { useService } from '../journey/recordedService.ts';
import { isInEditor, patiently } from '../journey/until.ts';

describe('the content of messages', () => {
  const service = useService();
  const journey = useJourney();
  const view = () => conversationOf(journey.workbench);
  const editorLine = (text: RegExp) => journey.workbench.page.locator('.part.editor .view-line', { hasText: text });
  const activeTab = (name: string | RegExp) =>
    journey.workbench.page.locator('.part.editor .tab.active', { hasText: name });

  it('includes code that can be inserted at the cursor and undone in one step', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.login);
    const answer = view().article('Like this; the index makes it cheap');
    const block = answer.locator('.code-block', { hasText: 'DELETE FROM' });
    await hover(block);
    await click(block.getByRole('button', { name: 'Insert at Cursor' }));
    await workbench.notified('Open a file and place the cursor where you want to insert the code');
    await openFile(workbench, 'src/basket.ts');
    await hover(block);
    await click(block.getByRole('button', { name: 'Insert at Cursor' }));
    await editorLine(/RETURNING\sid;/).waitFor();
    // The editor has the focus, so the user can continue there.
    await expect.poll(() => isInEditor(workbench), patiently).toBe(true);
    await press(workbench.editorInput, 'ControlOrMeta+z');
    await editorLine(/RETURNING\sid;/).waitFor({ state: 'detached' });
    await editorLine(/DELETE\sFROM/).waitFor({ state: 'detached' });
  });

  it('includes code that can be opened as a new file in its language', async () => {
    const { workbench } = journey;
    const answer = view().article('Like this; the index makes it cheap');
    const block = answer.locator('.code-block', { hasText: 'DELETE FROM' });
    await hover(block);
    await click(block.getByRole('button', { name: 'Open in New File' }));
    await activeTab('Untitled').or(activeTab('DELETE FROM')).first().waitFor();
    await editorLine(/RETURNING\sid;/).waitFor();
    await workbench.page.locator('.part.statusbar').getByText(/SQL$/).waitFor();
  });

  it('includes diagrams that the Markdown preview draws, also after a reload', async () => {
    const { workbench } = journey;
    const block = view().log.locator('.code-block', { hasText: 'sequenceDiagram' });
    await goUp(() => block.count());
    await hover(block);
    await click(block.getByRole('button', { name: 'Open Preview' }));
    await activeTab('Diagram').waitFor();
    const preview = workbench.webview({ extensionId: 'vscode.markdown-language-features', place: 'editor' });
    await preview.locator('.mermaid svg').getByText('302 /login').first().waitFor();
    await workbench.picture('diagram');
    await reloadByCommand(workbench);
    await preview.locator('.mermaid svg').getByText('302 /login').first().waitFor();
    await workbench.execute('workbench.action.closeActiveEditor');
    await workbench.focusView('lineside.conversation');
    await view().log.getByRole('article').first().waitFor();
  });

  it('includes diagrams that could load content, which open as source', async () => {
    const { workbench } = journey;
    await view().say('```mermaid\ngraph TD\n  A["//images.test/a.png"]\n```');
    const block = view().log.locator('.code-block', { hasText: 'images.test' });
    await hover(block);
    await click(block.getByRole('button', { name: 'Open Preview' }));
    await workbench.notified('The diagram might load content or contain links');
    await editorLine(/images\.test/).waitFor();
    await clearNotifications(workbench);
    await workbench.execute('workbench.action.revertAndCloseActiveEditor');
  });

  it('includes steps with their results, and the details of a message', async () => {
    const summary = view().log.getByRole('button', { name: /, 1 failed/, expanded: false });
    await goUp(() => summary.count());
    await click(summary);
    const step = view().log.getByRole('button', { name: /^Searched for isSignedIn/, expanded: false });
    await click(step);
    await view().log.getByText('src/session/guard.ts:6').first().waitFor();
    await view().log.getByText('ENOENT: no such file or directory').first().waitFor();
    const row = view().article('Users report a redirect loop');
    await click(row.getByRole('button', { name: 'Show Details' }));
    await row.getByText('via desktop app (desktop)').waitFor();
    const shown = await row.locator('.detail-id').first().textContent();
    await click(row.getByRole('button', { name: 'Copy: Message ID' }));
    await expect.poll(() => clipboardText(journey.workbench), patiently).toBe(shown);
  });

  it('includes an image that opens in an editor and reopens after a reload', async () => {
    const { workbench } = journey;
    const row = view().article('Users report a redirect loop');
    await click(row.getByRole('img', { name: 'Image' }));
    await activeTab('image.png').waitFor();
    const picture = workbench.webview({ extensionId: 'vscode.media-preview', place: 'editor' }).locator('img');
    const widthPx = () => picture.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0));
    await expect.poll(widthPx, patiently).toBe(160);
    await reloadByCommand(workbench);
    await activeTab('image.png').waitFor();
    await expect.poll(widthPx, patiently).toBe(160);
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

  it('includes links to files in the workspace, and formulas', async () => {
    const { workbench } = journey;
    await service.post(
      service.sessionIdByName.tests,
      'See src/basket.ts:15 and `./src/basket.ts#L3`, not src/nowhere.ts, /etc/passwd or ../outside.txt; $a^2$',
    );
    await addSessions(workbench, service.sessionIdByName.tests);
    const row = view().article('See src/basket.ts:15');
    const links = row.getByRole('link');
    await expect.poll(() => links.allTextContents(), patiently).toEqual(['src/basket.ts:15', './src/basket.ts#L3']);
    await click(links.first());
    await activeTab('basket.ts').waitFor();
    await workbench.page.locator('.part.statusbar').getByText('Ln 15, Col 1').waitFor();
    await press(links.nth(1), 'Enter');
    await workbench.page.locator('.part.statusbar').getByText('Ln 3, Col 1').waitFor();
    await row.locator('math msup').waitFor();
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
