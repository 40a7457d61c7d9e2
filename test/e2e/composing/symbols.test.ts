import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { click, press, type } from '../../../tools/editor/drive/act.ts';
import { addSessions, clearNotifications, connect, conversationOf, openFile } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { type PostedMessage, useService } from '../journey/recordedService.ts';
import { patiently, until } from '../journey/until.ts';

describe('symbols', () => {
  const service = useService();
  const journey = useJourney({ builtInExtensions: 'all', settings: { 'files.autoSave': 'off' } });
  const conversation = () => conversationOf(journey.workbench);
  const textOf = (path: string) => readFile(join(journey.folder, path), 'utf8');

  it('of the active editor are attached with exactly their text', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.login);
    await conversation().article('The states of a session').waitFor();
    await clearNotifications(workbench);
    await openFile(workbench, 'src/basket.ts');
    await goTo('18:12', 'amountCents');
    await workbench.start('lineside.attachSymbol');
    await quickInput.activeRow.filter({ hasText: 'portionPrice · L18' }).waitFor();
    expect(await quickInput.row('german').innerText()).toContain('Portion · L6');
    await workbench.picture('attach symbol');
    await quickInput.pick('portionPrice');
    const lines = (await textOf('src/basket.ts')).split('\n');
    expect(fileOf(await sent())).toEqual({
      name: 'basket.ts#L15-L20',
      path: 'src/basket.ts',
      mediaType: 'text/plain',
      text: lines.slice(14, 20).join('\n'),
    });
  });

  it('at the cursor are attached without a question, including unsaved changes', async () => {
    const { workbench } = journey;
    await openFile(workbench, 'README.md');
    await goTo('11:1', 'Try this first');
    await type(workbench.editorInput, '0. Unsaved. ');
    // The answer of the window reaches the extension host after the typed text.
    await workbench.execute('workbench.action.focusActiveEditorGroup');
    await workbench.execute('lineside.attachSymbol', { atCursor: true });
    const text = (await textOf('README.md')).split('\n');
    text[10] = `0. Unsaved. ${text[10] ?? ''}`;
    const { name, path, text: attached } = fileOf(await sent()) ?? {};
    expect({ name, path }).toEqual({ name: 'README.md#L9-L14', path: 'README.md' });
    expect(attached).toBe(text.slice(8).join('\n'));
    await workbench.runCommand('File: Revert File');
  });

  it('are unavailable, with the reason, in a file without symbols', async () => {
    const { workbench } = journey;
    await workbench.execute('workbench.action.files.newUntitledFile');
    await workbench.page.locator('.part.editor .monaco-editor.focused[data-uri^="untitled:"]').waitFor();
    await workbench.resizeSideBar('secondary', 250);
    const item = conversation().frame.getByRole('menuitem', { name: 'Symbol...' });
    // The menu doesn't wait long for the reason, so open it again if the machine is slow.
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
  });

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

  async function sent(): Promise<PostedMessage | undefined> {
    await expect.poll(() => conversation().chips.count(), patiently).toBe(1);
    const text = `Number ${service.posts().length}`;
    await conversation().say(text);
    await expect.poll(() => service.posts().at(-1)?.text, patiently).toBe(text);
    await expect.poll(() => conversation().chips.count(), patiently).toBe(0);
    return service.posts().at(-1);
  }

  function fileOf(post: PostedMessage | undefined) {
    return post?.files.map(({ name, path, mediaType, data }) => {
      return { name, path, mediaType, text: Buffer.from(data, 'base64').toString('utf8') };
    })[0];
  }
});
