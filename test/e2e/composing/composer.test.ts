import { readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { click, press, type } from '../../../tools/editor/drive/act.ts';
import { desktopWanted } from '../../../tools/editor/run/openEditor.ts';
import { answerShown } from '../journey/answers.ts';
import {
  addSessions,
  chooseInFileDialog,
  connect,
  conversationOf,
  openFile,
  selectLines,
} from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { treeRow } from '../journey/pointing.ts';
import { draftsOnDisk } from '../journey/keptFiles.ts';
import { sha256, useService } from '../journey/recordedService.ts';
import { hasFocus, patiently } from '../journey/until.ts';

const service = useService();
const journey = useJourney({ settings: { 'files.autoSave': 'off', 'lineside.polling.runningSeconds': 1 } });
const conversation = () => conversationOf(journey.workbench);

describe('the composer', () => {
  it('lists attachments with their sizes, and removes one on request', async () => {
    const { workbench } = journey;

    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.login);
    await conversation().article('The states of a session').waitFor();
    await openFile(workbench, 'src/basket.ts');
    await press(workbench.editorInput, 'Control+End');
    await type(workbench.editorInput, '// not saved: Grüße');
    await conversation().attach('Current File');
    await chip('basket.ts').waitFor();
    await selectLines(workbench, 'src/früchte.ts', 3, 5);
    await conversation().attach('Selection');
    await chip('früchte.ts#L3-L5').waitFor();
    await workbench.start('lineside.attachImages');
    await chooseInFileDialog(workbench, join(journey.folder, 'assets', 'logo.png'));
    await chip('logo.png').waitFor();
    await conversation().attach('Choose Files...');
    await chooseInFileDialog(workbench, join(journey.folder, 'package.json'));
    await chip('package.json').waitFor();
    await expect.poll(() => hasFocus(conversation().composer), patiently).toBe(true);
    const shown = async () => (await conversation().chips.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    await expect
      .poll(shown, patiently)
      .toEqual([
        expect.stringMatching(/^basket\.ts \d+ B, unsaved$/),
        expect.stringMatching(/^früchte\.ts#L3-L5 \d+ B$/),
        expect.stringMatching(/^logo\.png [\d.]+ (B|KB)$/),
        expect.stringMatching(/^package\.json \d+ B$/),
      ]);
    await click(conversation().button('Remove package.json'));
    await chip('package.json').waitFor({ state: 'detached' });
    expect(service.posts()).toEqual([]);
  });

  it('restores the draft and its attachments after a window reload', async () => {
    const { workbench } = journey;
    await conversation().write('Three things, please look.');
    // A draft is saved shortly after the last key press. Users don't reload faster than that.
    await expect.poll(() => draftsOnDisk(journey.editor), patiently).toContain('Three things, please look.');
    await workbench.reload();
    await workbench.focusView('lineside.conversation');
    await expect.poll(() => conversation().composer.inputValue(), patiently).toBe('Three things, please look.');
    await expect.poll(() => conversation().chips.count(), patiently).toBe(3);
  });

  it('asks which version of a changed file to send, and sends exactly the bytes of that version', async () => {
    const { workbench } = journey;
    const { dialog } = workbench;
    // VS Code may or may not have restored the unsaved changes, so revert them.
    await openFile(workbench, 'src/basket.ts');
    await workbench.runCommand('File: Revert File');
    await workbench.page.locator('.part.editor .tab.active:not(.dirty)', { hasText: 'basket.ts' }).waitFor();
    await click(conversation().send);
    await dialog
      .getByText('Some attachments have changed since you attached them. Which version do you want to send?')
      .waitFor();
    await dialog.getByText('basket.ts', { exact: true }).waitFor();
    await click(dialog.getByRole('button', { name: 'Send Attached Version' }));
    await conversation().article('Three things, please look.').waitFor();
    await conversation().article('I received 3 attachments').waitFor();
    await expect.poll(() => conversation().composer.inputValue(), patiently).toBe('');
    await expect.poll(() => conversation().chips.count(), patiently).toBe(0);
    const [post, ...others] = service.posts();
    expect(others).toEqual([]);
    expect(post?.files.map(({ name, path, mediaType }) => ({ name, path, mediaType }))).toEqual([
      { name: 'basket.ts', path: 'src/basket.ts', mediaType: 'text/plain' },
      { name: 'früchte.ts#L3-L5', path: 'src/früchte.ts', mediaType: 'text/plain' },
    ]);
    const saved = await readFile(join(journey.folder, 'src', 'basket.ts'));
    const fruits = (await readFile(join(journey.folder, 'src', 'früchte.ts'), 'utf8')).split('\n');
    const expected = [
      Buffer.concat([saved, Buffer.from('// not saved: Grüße')]),
      Buffer.from(fruits.slice(2, 5).join('\n')),
    ];
    expect(post?.files.map(({ data }) => sha256({ base64: data }))).toEqual(expected.map((bytes) => sha256(bytes)));
    const logo = await readFile(join(journey.folder, 'assets', 'logo.png'));
    expect(post?.images).toEqual([{ type: 'base64', data: logo.toString('base64') }]);
  });

  it('explains why a file cannot be attached, until the user goes on', async () => {
    const { workbench } = journey;
    await workbench.setSetting('lineside.attachments.maxSizeMB', 0.0001);
    await conversation().attach('Choose Files...');
    await chooseInFileDialog(workbench, join(journey.folder, 'assets', 'logo.png'));
    const failure = conversation().frame.locator('.composer-failure', { hasText: 'logo.png' });
    await failure.waitFor();
    expect(await failure.innerText()).toMatch(
      /^Couldn't attach "logo\.png"\. Its size \([\d.]+ (B|KB)\) exceeds the limit of 0\.0001 MB \("lineside\.attachments\.maxSizeMB"\)\. To resize an image before attaching it, paste it instead\.$/,
    );
    await workbench.picture('picture too large');
    await workbench.setSetting('lineside.attachments.maxSizeMB', undefined);
    await conversation().write('On I go');
    await failure.waitFor({ state: 'hidden' });
    expect(await conversation().chips.count()).toBe(0);
  });

  it('asks before attaching what might contain secrets, is a link, or is outside the workspace (R36)', async () => {
    const { workbench, folder } = journey;
    const { dialog } = workbench;
    const attach = (path: string) =>
      workbench.execute('lineside.attachFile', { uri: pathToFileURL(join(folder, path)).href });
    await writeFile(join(folder, '.env'), 'PASSWORD=orchard\n');
    await writeFile(join(folder, '..', 'outside.txt'), 'not of this workspace\n');
    await symlink(join(folder, '..', 'outside.txt'), join(folder, 'inside.txt'));
    const risks = {
      '.env': 'This file might contain secrets.',
      'inside.txt': 'This file is a symbolic link or is inside a linked folder.',
      '../outside.txt': 'This file is outside your workspace.',
    };
    for (const [path, reason] of Object.entries(risks)) {
      void attach(path);
      await dialog.getByText(`Attach "${basename(path)}"?`).waitFor();
      await dialog.getByText(reason).waitFor();
      await click(dialog.getByRole('button', { name: 'Cancel' }));
      await dialog.waitFor({ state: 'hidden' });
    }
    expect(await conversation().chips.count()).toBe(0);
    void attach('../outside.txt');
    await click(dialog.getByRole('button', { name: 'Attach' }));
    await chip('outside.txt').waitFor();
    expect(await conversation().chips.count()).toBe(1);
    await conversation().say('From elsewhere');
    await conversation().article('From elsewhere').waitFor();
    await expect.poll(() => service.posts().at(-1)?.text, patiently).toBe('From elsewhere');
    const data = Buffer.from('not of this workspace\n').toString('base64');
    expect(service.posts().at(-1)?.files).toEqual([
      { type: 'base64', name: 'outside.txt', mediaType: 'text/plain', data },
    ]);
  });

  it('shows "Not sent" when the service rejects a message, and lets the user edit it', async () => {
    service.wire.addFault({
      method: 'POST',
      times: 1,
      fault: { kind: 'answer', status: 413, body: '{"detail":"at most 1 MB"}' },
    });
    await conversation().say('Too much for it');
    const row = conversation().article('Too much for it');
    await row.getByText('Not sent').waitFor();
    await row
      .getByText(
        'The request is larger than the service allows. The service responded: at most 1 MB. Your message is saved.',
      )
      .waitFor();
    await click(row.getByRole('button', { name: 'Edit' }));
    await row.waitFor({ state: 'detached' });
    await expect.poll(() => conversation().composer.inputValue(), patiently).toBe('Too much for it');
    await conversation().say('Little enough');
    await expectDeliveredOnce('Little enough');
  });

  it('reports a message that may not have arrived, and sends later ones only on request', async () => {
    const { workbench } = journey;
    await answerShown(conversation(), service, service.sessionIdByName.login);
    service.wire.addFault({ method: 'POST', times: 1, fault: { kind: 'reset', when: 'before' } });
    await workbench.focusView('lineside.sessions');
    await conversation().say('Perhaps lost');
    await conversation().say('On a good line');
    const strip = conversation().frame.locator('.delivery-strip');
    await strip.getByText(/Couldn't confirm delivery of .*Perhaps lost/).waitFor();
    await conversation().article('On a good line').getByText('Waiting for the message above').waitFor();
    const row = conversation().article('Perhaps lost');
    await row.getByText("Couldn't confirm delivery").waitFor();
    for (const name of ['Send Again', 'Edit', 'Discard']) await row.getByRole('button', { name }).waitFor();
    const processed = (text: string) => service.posts().filter((post) => post.text === text && post.isProcessed);
    expect(processed('Perhaps lost')).toEqual([]);
    await workbench.statusBarItem('lineside.status').filter({ hasText: '1 needs you' }).waitFor();
    await treeRow(workbench, 'Edge cases: all types of content').locator('.codicon-warning').waitFor();
    await workbench.picture('undecided message');
    await click(strip.getByRole('button', { name: 'Send Remaining Messages' }));
    await expect.poll(() => processed('On a good line').length, patiently).toBe(1);
    await strip.waitFor({ state: 'hidden' });
    await click(row.getByRole('button', { name: 'Send Again' }));
    // The window asks first while Lineside is still looking for the message on the service.
    const asked = workbench.dialog.getByRole('button', { name: 'Send Again' });
    const isDecided = async () => (await asked.isVisible()) || (await row.locator('.delivery').count()) === 0;
    await expect.poll(isDecided, patiently).toBe(true);
    if (await asked.isVisible()) await click(asked);
    await expectDeliveredOnce('Perhaps lost');
  });

  it('discards a message on request', async () => {
    service.wire.addFault({ method: 'POST', times: 1, fault: { kind: 'answer', status: 403 } });
    await conversation().say('Never mind');
    const row = conversation().article('Never mind');
    await click(row.getByRole('button', { name: 'Discard' }));
    await row.waitFor({ state: 'detached' });
    expect(service.posts().filter(({ text, isProcessed }) => text === 'Never mind' && isProcessed)).toEqual([]);
  });

  // Tests can drive a second window only in the server build.
  it.skipIf(desktopWanted())('shows a draft in a second window, and a message sent there once in both', async () => {
    const { editor } = journey;
    const text = 'Written here, sent there';
    await conversation().write(text);
    await expect.poll(() => draftsOnDisk(editor), patiently).toContain(text);
    // From here on, `execute` runs in the second window, because its extension host is the newest one.
    const other = await editor.openWindow();
    const page = conversationOf(other);
    await other.execute('lineside.openConversation', { sessionId: service.sessionIdByName.login });
    await expect.poll(() => page.title.innerText(), patiently).toBe('Edge cases: all types of content');
    await expect.poll(() => page.composer.inputValue(), patiently).toBe(text);
    await click(page.send);
    for (const each of [page, conversation()]) {
      await expectDeliveredOnce(text, each);
      await expect.poll(() => each.composer.inputValue(), patiently).toBe('');
    }
  });

  /** Expects exactly one row without a delivery status, and exactly one POST request that the service processed. */
  async function expectDeliveredOnce(text: string, page = conversation()): Promise<void> {
    const delivered = () => service.posts().filter((post) => post.text === text && post.isProcessed).length;
    await expect.poll(delivered, patiently).toBe(1);
    // The agent of the demo quotes the message in its answer, so look for messages of the user only.
    const row = page.log.locator('article[data-role="user"]').filter({ hasText: text });
    await row.filter({ hasNot: page.frame.locator('.delivery') }).waitFor();
    await page.status.filter({ hasText: 'Idle' }).waitFor();
    expect(await row.count()).toBe(1);
    expect(delivered()).toBe(1);
  }

  function chip(name: string) {
    return conversation().chips.filter({ hasText: name });
  }
});
