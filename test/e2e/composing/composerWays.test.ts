import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { click, press, type } from '../../../tools/editor/drive/act.ts';
import { until } from '../../../tools/editor/drive/until.ts';
import { computers } from '../../../src/demoService/demoComputers.ts';
import { addSessions, connect, conversationOf, openFile } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { filesOnDisk, filesWith } from '../journey/keptFiles.ts';
import { sha256, useService } from '../journey/recordedService.ts';
import { chooseInMenu } from '../journey/pointing.ts';
import { hasFocus, isInEditor, patiently } from '../journey/until.ts';

interface GivenFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Text that a terminal prints. It doesn't look like a secret, because Lineside asks before it attaches secrets. */
const canary = 'canary-71f0c2';

const service = useService();
const journey = useJourney({
  settings: {
    'lineside.composer.snippets': { review: 'Please review ${file}.' },
    // With GPU acceleration, the text of a terminal isn't in the DOM.
    'terminal.integrated.gpuAcceleration': 'off',
  },
});
const conversation = () => conversationOf(journey.workbench);

describe('a message', () => {
  const lastPost = () => service.posts().at(-1);
  /** Waits until the service has received the message and the composer has cleared its attachments. */
  const posted = async (text: string) => {
    await expect.poll(() => lastPost()?.text, patiently).toBe(text);
    await expect.poll(() => conversation().chips.count(), patiently).toBe(0);
  };
  /** Waits until the suggestion `name` is selected with `letters` highlighted, so that the list is up to date. */
  const offered = async (name: string, letters: string) => {
    const option = conversation().frame.getByRole('option', { name });
    await expect.poll(() => option.locator('b').allTextContents(), patiently).toEqual([letters]);
    await expect.poll(() => option.getAttribute('aria-selected'), patiently).toBe('true');
  };

  it('can mention and attach a file by keyboard alone', async () => {
    const { workbench } = journey;
    await writeFile(join(journey.folder, '.gitignore'), '/made/\n');
    await mkdir(join(journey.folder, 'made'));
    await writeFile(join(journey.folder, 'made', 'basket.ts'), 'made\n');
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.login);
    await conversation().article('The states of a session').waitFor();
    const { composer } = conversation();
    await type(composer, 'Look at @bask');
    await offered('basket.ts src', 'bask');
    // Files that Git ignores aren't suggested.
    expect(await conversation().frame.getByRole('option', { name: 'made' }).count()).toBe(0);
    await press(composer, 'Tab');
    await conversation().chips.filter({ hasText: 'basket.ts' }).waitFor();
    await type(composer, 'please');
    await workbench.picture('composer mention');
    await press(composer, 'Enter');
    await posted('Look at @src/basket.ts please');
    const [file, ...others] = lastPost()?.files ?? [];
    expect(others).toEqual([]);
    expect(file).toMatchObject({ name: 'basket.ts', path: 'src/basket.ts' });
    const bytes = await readFile(join(journey.folder, 'src', 'basket.ts'));
    expect(sha256({ base64: file?.data ?? '' })).toBe(sha256(bytes));
  });

  it('includes a pasted image, byte for byte', async () => {
    const bytes = await readFile(join(journey.folder, 'assets', 'logo.png'));
    await give('paste', { name: 'image.png', type: 'image/png', bytes });
    await conversation().chips.filter({ hasText: 'image.png' }).waitFor();
    await conversation().say('What is this?');
    await posted('What is this?');
    expect(lastPost()?.images.map(({ data }) => sha256({ base64: data }))).toEqual([sha256(bytes)]);
    expect(lastPost()?.files).toEqual([]);
  });

  it('includes an image and a file dropped from outside VS Code, byte for byte', async () => {
    const picture = await readFile(join(journey.folder, 'assets', 'logo.png'));
    const bytes = Buffer.concat([Buffer.from([0, 255]), randomBytes(300_000)]);
    await give('drop', { name: 'photo.png', type: 'image/png', bytes: picture });
    await give('drop', { name: 'sounds.bin', type: '', bytes });
    for (const name of ['photo.png', 'sounds.bin']) await conversation().chips.filter({ hasText: name }).waitFor();
    expect(await conversation().chips.count()).toBe(2);
    await conversation().say('From my desktop');
    await posted('From my desktop');
    expect(lastPost()?.images.map(({ data }) => sha256({ base64: data }))).toEqual([sha256(picture)]);
    const [file, ...others] = lastPost()?.files ?? [];
    expect(others).toEqual([]);
    expect({ ...file, data: undefined }).toEqual({
      type: 'base64',
      name: 'sounds.bin',
      mediaType: 'application/octet-stream',
      data: undefined,
    });
    expect(sha256({ base64: file?.data ?? '' })).toBe(sha256(bytes));
  });

  it('includes long pasted text as a file, byte for byte', async () => {
    const text = 'Grüße, 世界 👋\r\n\tindented  \n'.repeat(800);
    await give('paste', text);
    await conversation().chips.filter({ hasText: 'pasted-text.txt' }).waitFor();
    expect(await conversation().composer.inputValue()).toBe('');
    await journey.workbench.picture('pasted text as a file');
    await conversation().say('What does it say?');
    await posted('What does it say?');
    const [file, ...others] = lastPost()?.files ?? [];
    expect(others).toEqual([]);
    expect(file).toMatchObject({ name: 'pasted-text.txt', mediaType: 'text/plain' });
    expect(sha256({ base64: file?.data ?? '' })).toBe(sha256(Buffer.from(text)));
  });

  it('includes the files of a dropped folder after the user confirms', async () => {
    const { dialog } = journey.workbench;
    const folder = pathToFileURL(join(journey.folder, 'assets')).href;
    await conversation().composer.evaluate((node, uri) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/uri-list', uri);
      node.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, shiftKey: true, dataTransfer }));
    }, folder);
    await dialog.getByText(/^Attach \d+ files? from "assets" /).waitFor();
    await click(dialog.getByRole('button', { name: 'Attach' }));
    await conversation().chips.filter({ hasText: 'logo.png' }).waitFor();
    await conversation().say('All of it');
    await posted('All of it');
    const logo = await readFile(join(journey.folder, 'assets', 'logo.png'));
    expect(lastPost()?.images.map(({ data }) => sha256({ base64: data }))).toContain(sha256(logo));
  });

  it('can be sent to a specific computer, which applies to that message only', async () => {
    const { workbench } = journey;
    await workbench.execute('lineside.chooseComputer', { computerId: computers.buildServer });
    await conversation().frame.locator('.recipient', { hasText: computers.buildServer }).waitFor();
    await conversation().say('Only there');
    await posted('Only there');
    expect(lastPost()?.computerId).toBe(computers.buildServer);
    await conversation().frame.locator('.recipient').waitFor({ state: 'hidden' });
    await conversation().say('Anywhere');
    await posted('Anywhere');
    expect(lastPost()?.computerId).toBeUndefined();
  });

  it('can start from a snippet that names the active file', async () => {
    const { workbench } = journey;
    await openFile(workbench, 'README.md');
    await type(conversation().composer, '/rev');
    await offered('review', 'rev');
    await press(conversation().composer, 'Enter');
    await expect.poll(() => conversation().composer.inputValue(), patiently).toBe('Please review README.md.');
  });

  it('can start with a command after /', async () => {
    const { workbench } = journey;
    const { composer, frame } = conversation();
    await conversation().write('');
    await type(composer, '/');
    const names = ['review', 'attach', 'model', 'computer', 'editor', 'snippets'];
    await expect.poll(() => frame.locator('.suggestion-label').allTextContents(), patiently).toEqual(names);
    await workbench.picture('commands after a slash');
    await type(composer, 'mod');
    await offered('model', 'mod');
    await press(composer, 'Enter');
    await workbench.quickInput.widget.getByText('sonnet-large').first().waitFor();
    expect(await composer.inputValue()).toBe('');
    await workbench.quickInput.cancel();
    // A command is offered only if its name starts with the text, but a snippet even if its name only contains it.
    await type(composer, '/view');
    await offered('review', 'view');
    expect(await frame.locator('.suggestion-label').allTextContents()).toEqual(['review']);
    await conversation().write('Please review README.md.');
  });

  it('can be sent from an editor that opens with the draft and closes after sending', async () => {
    const { workbench } = journey;
    const { page } = workbench;
    await workbench.runCommand('Lineside: Compose Message in Editor');
    const tab = page.locator('.part.editor .tab.active', { hasText: 'Untitled-1' });
    await tab.waitFor();
    // The editor that showed README.md is reused and already had the focus, so wait for the draft text as well.
    await page.locator('.part.editor .view-lines').getByText('Please review README.md.').waitFor();
    await page.locator('.part.editor .monaco-editor.focused').waitFor();
    await type(workbench.editorInput, ' Thank you.');
    const text = 'Please review README.md. Thank you.';
    await expect.poll(() => conversation().composer.inputValue(), patiently).toBe(text);
    // Closing the editor without saving must keep the draft. Reopening it allows time for a faulty deletion to show.
    await press(workbench.editorInput, 'Control+w');
    await click(workbench.dialog.getByRole('button', { name: /Don.t Save/ }));
    await tab.waitFor({ state: 'detached' });
    await workbench.start('lineside.composeInEditor');
    await tab.waitFor();
    await page.locator('.part.editor .view-lines').getByText('Thank you.').waitFor();
    expect(await conversation().composer.inputValue()).toBe(text);
    await workbench.picture('composer in an editor');
    await click(page.getByRole('button', { name: 'Send to Session', exact: true }).first());
    await tab.waitFor({ state: 'detached' });
    await posted(text);
    await expect.poll(() => conversation().composer.inputValue(), patiently).toBe('');
    expect(lastPost()?.files).toEqual([]);
  });

  it('can be composed and sent by keyboard alone, starting and ending in the editor', async () => {
    const { workbench } = journey;
    const { page } = workbench;
    const { chips, composer, frame } = conversation();
    const focused = () =>
      frame
        .locator(':focus')
        .getAttribute('aria-label', { timeout: 1_000 })
        .catch(() => null);
    // A key that is pressed before the workbench knows that the page has the focus would go to the editor.
    const expectFocus = async (name: string | RegExp) => {
      await expect.poll(focused, patiently).toMatch(name);
      await expect.poll(() => hasFocus(frame.locator(':focus')), patiently).toBe(true);
    };
    await openFile(workbench, 'src/price.ts');
    for (const key of ['Control+Home', 'Shift+ArrowDown', 'Shift+End']) await press(workbench.editorInput, key);
    await page.locator('.part.statusbar').getByText('selected)').waitFor();
    await press(workbench.editorInput, 'Control+k');
    await press(workbench.editorInput, 'a');
    await chips.filter({ hasText: 'price.ts#L1-L2' }).waitFor();
    await expectFocus('Message');
    await press(page, 'Tab');
    await expectFocus('Attach');
    await press(page, 'Enter');
    await frame.getByRole('menuitem', { name: 'Current File' }).waitFor();
    await press(page, 'Enter');
    await chips.nth(1).waitFor();
    await expectFocus('Message');
    await press(page, 'Shift+Tab');
    await expectFocus(/^price\.ts#L1-L2 /);
    await press(page, 'ArrowRight');
    await expectFocus(/^price\.ts \d/);
    await press(page, 'Delete');
    await chips.nth(1).waitFor({ state: 'detached' });
    await expectFocus(/^price\.ts#L1-L2 /);
    await press(page, 'Tab');
    await expectFocus('Message');
    await press(composer, 'ArrowUp');
    await expect.poll(() => composer.inputValue(), patiently).toBe('Please review README.md. Thank you.');
    await press(composer, 'ArrowUp');
    await expect.poll(() => composer.inputValue(), patiently).toBe('Anywhere');
    await press(composer, 'Escape');
    await expect.poll(() => composer.inputValue(), patiently).toBe('');
    await type(composer, 'Beside @bask');
    await offered('basket.ts src', 'bask');
    await press(page, 'Tab');
    await chips.filter({ hasText: 'basket.ts' }).waitFor();
    await press(page, 'Enter');
    await posted('Beside @src/basket.ts ');
    expect(lastPost()?.files.map(({ name }) => name)).toEqual(['price.ts#L1-L2', 'basket.ts']);
    await workbench.picture('composer by keyboard');
    await press(page, 'F6');
    await expect.poll(() => isInEditor(workbench), patiently).toBe(true);
    // VS Code moves the focus into a page only if nothing else has taken it meanwhile. More presses of F6 go through
    // the other parts and reach the page again.
    await until(
      async () => (await focused()) === 'Message',
      () => press(page, 'F6'),
    );
    await expectFocus('Message');
  });

  /** Pastes text or a file into the composer, or drops it there, with the events that a browser dispatches. */
  async function give(kind: 'paste' | 'drop', given: string | GivenFile): Promise<void> {
    const file =
      typeof given === 'string' ? undefined : { ...given, bytes: Buffer.from(given.bytes).toString('base64') };
    const text = typeof given === 'string' ? given : '';
    await conversation().composer.evaluate(
      (node, { kind, file, text }) => {
        const data = new DataTransfer();
        if (file) {
          const bytes = Uint8Array.from(atob(file.bytes), (character) => character.charCodeAt(0));
          data.items.add(new File([bytes], file.name, { type: file.type }));
        } else data.setData('text/plain', text);
        const options = { bubbles: true, cancelable: true };
        const event =
          kind === 'paste'
            ? new ClipboardEvent('paste', { ...options, clipboardData: data })
            : new DragEvent('drop', { ...options, dataTransfer: data, shiftKey: true });
        node.dispatchEvent(event);
      },
      { kind, file, text },
    );
  }
});

describe('the output of a terminal', () => {
  const entry = () => conversation().frame.getByRole('menuitem', { name: 'Terminal Output...' });
  /** Waits until the terminal shows the end of an output and the next prompt. */
  const finished = (end: string) =>
    journey.workbench.page
      .locator('.terminal-wrapper.active .xterm-rows', { hasText: new RegExp(`${end}[^]*[#$]\\s`) })
      .waitFor();
  /**
   * The circle in front of a failed command (`error`), or in front of a new prompt (`default-color`). Until VS Code
   * shows one of them, it may not know that the command has ended. The attached output then says that the command is
   * still running.
   */
  const decoration = (kind: 'error' | 'default-color') =>
    journey.workbench.page.locator(`.terminal-wrapper.active .terminal-command-decoration.${kind}`).last();
  const openTerminal = async () => {
    const { execute, page } = journey.workbench;
    await execute('workbench.action.terminal.new');
    await page.locator('.terminal-wrapper.active .xterm-rows', { hasText: /[#$]\s/ }).waitFor();
  };
  const run = (text: string) => journey.workbench.execute('workbench.action.terminal.sendSequence', { text });
  const record = (isRecorded: boolean) =>
    journey.workbench.setSetting('lineside.attachments.recordTerminalOutput', isRecorded);
  const attach = () => chooseInMenu(conversation().button('Attach'), entry());
  /** Attaches the output, and sends it with the message `text`. Resolves to the output that the service received. */
  const sent = async (text: string): Promise<string> => {
    await attach();
    await conversation().chips.waitFor();
    await conversation().say(text);
    await expect.poll(() => service.posts().at(-1)?.text, patiently).toBe(text);
    const [file, ...others] = service.posts().at(-1)?.files ?? [];
    expect(others).toEqual([]);
    expect(file).toMatchObject({ name: 'terminal-output.txt', mediaType: 'text/plain' });
    return Buffer.from(file?.data ?? '', 'base64').toString('utf8');
  };
  /** Waits until nothing can be attached, for the given reason. */
  const nothingToAttach = async (reason: string) => {
    const unavailable = entry().and(conversation().frame.locator('[aria-disabled=true]')).filter({ hasText: reason });
    await until(
      () => unavailable.isVisible(),
      () => click(conversation().button('Attach')),
    );
    await press(unavailable, 'Escape');
  };

  it('is the end of a long output, also after the terminal was cleared', async () => {
    const { workbench } = journey;
    await nothingToAttach('turn on "Record Terminal Output"');
    await record(true);
    await nothingToAttach('No command has run');
    await openTerminal();
    await run("yes 'a line of output' | head -c 700000; printf '\\nthe end\\n'\n");
    await finished('the end');
    await decoration('default-color').waitFor();
    await workbench.execute('workbench.action.terminal.clear');
    const text = await sent('What does it print?');
    expect(text.length).toBeLessThan(501_000);
    expect(text).toMatch(
      /^\$ yes .*\n\[The beginning of the output is missing\.\]\na line of output\n[^]*\nthe end\n\[Exit code 0\]\n$/,
    );
  });

  it('contains no control sequences, stays in memory, and is dropped with its terminal', async () => {
    const { editor, folder, workbench } = journey;
    // VS Code loses output that arrives together with the start of its command, so this command starts with a pause.
    const script = `sleep 1; printf '\\033]0;title\\007\\033[31m${canary}\\033[0m\\302\\23331m 10%%\\r20%%\\n'; exit 3\n`;
    await writeFile(join(folder, 'colors.sh'), script);
    await run('sh colors.sh\n');
    await finished('20%ary');
    await decoration('error').waitFor();
    for (const form of ['20%ary', canary]) expect(await filesWith(await filesOnDisk(editor), form)).toEqual([]);
    const text = await sent('And this?');
    // The shell can draw its prompt once more after the terminal is cleared, which VS Code counts as output.
    expect(text).toMatch(/^\$ sh colors\.sh\n[^]*20%ary-71f0c2 10%\n\[Exit code 3\]\n$/);
    expect(text).not.toMatch(/[^\P{Cc}\n\t]/u);
    const logs = (await filesOnDisk(editor)).filter((path) => /Lineside[^/]*\.log$/.test(path));
    expect(logs).not.toEqual([]);
    for (const form of ['20%ary', canary]) expect(await filesWith(logs, form)).toEqual([]);
    await workbench.execute('workbench.action.terminal.killAll');
    await nothingToAttach('No command has run');
  });

  it('is attached after a question if it might contain secrets, and is dropped if recording is turned off', async () => {
    const { dialog } = journey.workbench;
    const script = `sleep 1; printf 'ghp_%s\\n' ${'aB3dE6gH9k'.repeat(3)}mN2pQr\n`;
    await writeFile(join(journey.folder, 'key.sh'), script);
    await openTerminal();
    await run('sh key.sh\n');
    await finished('mN2pQr');
    await attach();
    await dialog.getByText('This file might contain secrets.').waitFor();
    await click(dialog.getByRole('button', { name: 'Cancel' }));
    await record(false);
    await nothingToAttach('turn on "Record Terminal Output"');
    expect(await conversation().chips.count()).toBe(0);
    await record(true);
    await nothingToAttach('No command has run');
  });
});
