import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { click, press, type } from '../../../tools/editor/drive/act.ts';
import {
  addSessions,
  chooseSession,
  clearNotifications,
  connect,
  conversationOf,
  openFile,
  selectLines,
} from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { sha256, useService } from '../journey/recordedService.ts';
import { chooseInContextMenu, chooseInOpenMenu, closeMenus, menuItem, pressMenuItem } from '../journey/pointing.ts';
import { hasFocus, patiently, untilItSucceeds } from '../journey/until.ts';

const basketPath = 'src/basket.ts';
/** What the user types in files that are never attached. */
const secret = 'Nobody was told this';

describe('Send Selection to Session', () => {
  const service = useService();
  const journey = useJourney();

  it('is unavailable if nothing is selected', async () => {
    const { workbench } = journey;
    const { quickInput, page } = workbench;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.login);
    await conversationOf(workbench).article('The states of a session').waitFor();
    await openFile(workbench, basketPath);
    await quickInput.open('>Lineside: Send');
    await quickInput.rows.filter({ hasText: 'Send File to Session' }).waitFor();
    expect(await quickInput.rows.filter({ hasText: 'Send Selection to Session' }).count()).toBe(0);
    await quickInput.cancel();
    await untilItSucceeds(async () => {
      await closeMenus(workbench);
      await openEditorSubmenu();
      const item = menuItem(workbench, 'Send Selection to Session').and(page.locator('.disabled'));
      await item.waitFor({ timeout: 5_000 });
    });
    await closeMenus(workbench);
  });

  it('sends nothing while the user only edits, selects, and saves files', async () => {
    const { workbench } = journey;
    for (const path of ['src/früchte.ts', 'README.md']) {
      await openFile(workbench, path);
      await type(workbench.editorInput, `// ${secret} `);
      await selectLines(workbench, path, 1, 2);
      await workbench.execute('workbench.action.files.save');
    }
    await conversationOf(workbench).write('A draft about to be sent, perhaps');
    const before = service.requests.length;
    await workbench.start('lineside.refresh');
    await expect.poll(() => service.requests.length, patiently).toBeGreaterThan(before + 1);
    expect(new Set(service.requests.map((request) => request.method))).toEqual(new Set(['GET']));
    for (const word of [secret, 'basket', 'früchte', 'orchard', 'draft']) expect(told()).not.toContain(word);
  });

  it('adds nothing to a message in the composer', async () => {
    const { workbench } = journey;
    await selectLines(workbench, 'src/früchte.ts', 1, 3);
    await conversationOf(workbench).say('No code');
    await expect.poll(() => service.posts(), patiently).toMatchObject([{ text: 'No code', files: [], images: [] }]);
  });

  it('sends exactly the selected text from the Command Palette, and shows the answer', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await selectLines(workbench, basketPath, 3, 8);
    await workbench.runCommand('Lineside: Send Selection to Session');
    // With a single session in the list, there is no session to choose.
    await quickInput.message.filter({ hasText: 'Message to "Edge cases: all types of content"' }).waitFor();
    expect(await quickInput.input.inputValue()).toBe('Take a look at basket.ts#L3-L8.');
    await expect.poll(() => hasFocus(quickInput.input), patiently).toBe(true);
    // The suggested text is selected, so typing replaces it.
    await type(quickInput.input, 'Is this type any good?');
    await quickInput.accept();
    const conversation = conversationOf(workbench);
    await conversation.article('Is this type any good?').waitFor();
    await conversation.article('I received one attachment').waitFor();
    const [, post, ...others] = service.posts();
    expect(others).toEqual([]);
    expect(post?.text).toBe('Is this type any good?');
    expect(post?.images).toEqual([]);
    const data = (await linesOfBasket(3, 8)).toString('base64');
    expect(post?.files).toEqual([
      { type: 'base64', name: 'basket.ts#L3-L8', path: basketPath, mediaType: 'text/plain', data },
    ]);
    expect(await conversation.article('Is this type any good?').count()).toBe(1);
  });

  it('opens with Ctrl+K Ctrl+Enter, while Ctrl+K A attaches the selection to the draft', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await selectLines(workbench, basketPath, 15, 20);
    await press(workbench.editorInput, 'Control+K');
    await press(workbench.editorInput, 'Control+Enter');
    await quickInput.message.filter({ hasText: 'Message to "Edge cases: all types of content"' }).waitFor();
    expect(await quickInput.input.inputValue()).toBe('Take a look at basket.ts#L15-L20.');
    await quickInput.cancel();
    await quickInput.widget.waitFor({ state: 'hidden' });
    await selectLines(workbench, basketPath, 15, 20);
    await press(workbench.editorInput, 'Control+K');
    await press(workbench.editorInput, 'a');
    const { chips, composer } = conversationOf(workbench);
    const chip = chips.filter({ hasText: 'basket.ts#L15-L20' });
    await chip.waitFor();
    // Attaching moves the focus to the composer, so wait for that before moving the focus elsewhere.
    await expect.poll(() => hasFocus(composer), patiently).toBe(true);
    await press(chip.getByRole('button').first(), 'Delete');
    await chip.waitFor({ state: 'detached' });
    expect(service.posts()).toHaveLength(2);
  });

  it('sends from the editor context menu to the selected session', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await addSessions(workbench, service.sessionIdByName.tests);
    await conversationOf(workbench).article('Write tests for the redirect guard').waitFor();
    await selectLines(workbench, basketPath, 11, 11);
    await untilItSucceeds(async () => {
      await closeMenus(workbench);
      await openEditorSubmenu();
      await chooseInOpenMenu(workbench, 'Send Selection to Session');
    });
    await quickInput.message.filter({ hasText: 'Message to "Write tests for the redirect guard"' }).waitFor();
    await changeSession('Edge cases: all types of content');
    await quickInput.enter('And this line?', 'Message to "Edge cases: all types of content"');
    const conversation = conversationOf(workbench);
    await conversation.article('And this line?').waitFor();
    await expect.poll(() => conversation.title.innerText(), patiently).toBe('Edge cases: all types of content');
    await expect.poll(() => service.posts().at(-1)?.text, patiently).toBe('And this line?');
    const post = service.posts().at(-1);
    expect(decodeURIComponent(post?.path ?? '')).toBe(`/api/v0/sessions/${service.sessionIdByName.login}/messages`);
    expect(post?.files.map(({ name, path }) => ({ name, path }))).toEqual([
      { name: 'basket.ts#L11', path: basketPath },
    ]);
    expect(sha256({ base64: post?.files[0]?.data ?? '' })).toBe(sha256(await linesOfBasket(11, 11)));
  });

  it('sends nothing if the user cancels', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    const before = service.posts().length;
    await workbench.runCommand('Lineside: Send Selection to Session');
    await quickInput.message.filter({ hasText: 'Message to' }).waitFor();
    await quickInput.fill('  ');
    await quickInput.accept();
    await quickInput.message.filter({ hasText: 'Enter a message.' }).waitFor();
    await quickInput.cancel();
    await quickInput.widget.waitFor({ state: 'hidden' });
    expect(service.posts().length).toBe(before);
  });

  it('has a counterpart for whole files in the Explorer', async () => {
    const { workbench } = journey;
    const { page, quickInput } = workbench;
    await workbench.execute('workbench.view.explorer');
    const file = page.locator('.part.sidebar [role="treeitem"]', { hasText: 'package.json' });
    await chooseInContextMenu(workbench, file, 'Lineside', 'Send File to Session');
    await quickInput.message.filter({ hasText: 'Message to' }).waitFor();
    await changeSession('Write tests for the redirect guard');
    await quickInput.enter('What is this?', 'Message to "Write tests for the redirect guard"');
    await conversationOf(workbench).article('What is this?').waitFor();
    await expect.poll(() => service.posts().at(-1)?.text, patiently).toBe('What is this?');
    const [sent] = service.posts().at(-1)?.files ?? [];
    expect({ name: sent?.name, path: sent?.path }).toEqual({ name: 'package.json', path: 'package.json' });
    expect(sha256({ base64: sent?.data ?? '' })).toBe(sha256(await readFile(join(journey.folder, 'package.json'))));
    await clearNotifications(workbench);
    // No request contains what was typed at the beginning.
    expect(told()).not.toContain(secret);
  });

  /** Everything that the service received, with the decoded contents of the files. */
  function told(): string {
    const requests = service.requests.map(({ url, headers, body }) => [
      decodeURIComponent(url),
      headers,
      body.toString('utf8'),
    ]);
    const files = service.posts().flatMap((post) => post.files);
    return JSON.stringify([requests, files.map(({ data }) => Buffer.from(data, 'base64').toString('utf8'))]);
  }

  async function openEditorSubmenu(): Promise<void> {
    const { workbench } = journey;
    await workbench.page.locator('.part.editor .view-lines').first().waitFor();
    await workbench.runCommand('Show Editor Context Menu');
    await pressMenuItem(workbench, 'Lineside', { timeout: 5_000 });
  }

  async function changeSession(title: string): Promise<void> {
    await click(journey.workbench.quickInput.widget.getByRole('button', { name: 'Change Session...' }));
    await chooseSession(journey.workbench, title);
  }

  async function linesOfBasket(from: number, to: number): Promise<Buffer> {
    const text = await readFile(join(journey.folder, basketPath), 'utf8');
    return Buffer.from(
      text
        .split('\n')
        .slice(from - 1, to)
        .join('\n'),
    );
  }
});
