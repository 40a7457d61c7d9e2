import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { click, press } from '../../../tools/editor/drive/act.ts';
import type { Workbench } from '../../../tools/editor/drive/workbench.ts';
import { useJourney } from '../journey/journey.ts';
import { chooseInMenu } from '../journey/pointing.ts';
import { useService } from '../journey/recordedService.ts';
import { addSessions, connect, type ConversationPage, conversationOf } from '../journey/sessionSteps.ts';
import { patiently, until } from '../journey/until.ts';

/** Not in the form of a key, because Lineside would ask about one. */
const canary = 'canary-71f0c2';

describe('the output of a terminal', () => {
  const service = useService();
  const journey = useJourney({
    settings: {
      'lineside.attachments.recordTerminalOutput': true,
      // With the graphics processor, the terminal's text isn't in the page.
      'terminal.integrated.gpuAcceleration': 'off',
    },
  });
  /** Another window with the same folder. */
  let other: Workbench;
  const conversation = () => conversationOf(journey.workbench);
  /** Waits until the terminal shows the end of an output and the next prompt. */
  const finished = (end: string, { page } = journey.workbench) =>
    page.locator('.terminal-wrapper.active .xterm-rows', { hasText: new RegExp(`${end}[^]*[#$]\\s`) }).waitFor();
  const openTerminal = async ({ execute, page }: Workbench) => {
    await execute('workbench.action.terminal.new');
    await page.locator('.terminal-wrapper.active .xterm-rows', { hasText: /[#$]\s/ }).waitFor();
  };
  const run = (text: string) => journey.workbench.execute('workbench.action.terminal.sendSequence', { text });
  const entryOf = ({ frame }: ConversationPage) => frame.getByRole('menuitem', { name: 'Terminal Output...' });
  const attach = (page = conversation()) => chooseInMenu(page.button('Attach'), entryOf(page));
  /** Waits until nothing can be attached, for the given reason. */
  const nothingToAttach = async (page: ConversationPage, reason: string) => {
    const entry = entryOf(page).and(page.frame.locator('[aria-disabled=true]')).filter({ hasText: reason });
    await until(
      () => entry.isVisible(),
      () => click(page.button('Attach')),
    );
    await press(entry, 'Escape');
  };
  const lastText = () => Buffer.from(service.posts().at(-1)?.files[0]?.data ?? '', 'base64').toString('utf8');

  it('is the end of a long output, also after the terminal was cleared', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.login);
    await openTerminal(workbench);
    await run("yes 'a line of output' | head -c 3000000; printf '\\nthe end\\n'\n");
    await finished('the end');
    await workbench.execute('workbench.action.terminal.clear');
    await attach();
    await conversation().chips.waitFor();
    await conversation().say('What does it print?');
    await expect.poll(() => service.posts().length, patiently).toBe(1);
    expect(lastText().length).toBeLessThan(501_000);
    expect(lastText()).toMatch(
      /^\$ yes .*\n\[The beginning of the output is missing\.\]\na line of output\n[^]*\nthe end\n\[Exit code 0\]\n$/,
    );
  });

  it('contains no control sequences, and is in no log', async () => {
    const { editor, folder } = journey;
    // VS Code loses output that arrives together with the start of its command, so this one starts with a pause.
    const script = `sleep 1; printf '\\033]0;title\\007\\033[31m${canary}\\033[0m\\302\\23331m 10%%\\r20%%\\n'\n`;
    await writeFile(join(folder, 'colors.sh'), script);
    await run('sh colors.sh\n');
    await finished('20%ary');
    await attach();
    await conversation().chips.waitFor();
    await conversation().say('And this?');
    await expect.poll(() => service.posts().length, patiently).toBe(2);
    // The shell can draw its prompt once more after the terminal was cleared, which VS Code counts as output.
    expect(lastText()).toMatch(/^\$ sh colors\.sh\n[^]*20%ary-71f0c2 10%\n\[Exit code 0\]\n$/);
    expect(lastText()).not.toMatch(/[^\P{Cc}\n\t]/u);
    const logs = (await readdir(editor.dataFolder, { recursive: true })).filter((name) =>
      /Lineside[^/]*\.log$/.test(name),
    );
    expect(logs).not.toEqual([]);
    for (const name of logs) expect(await readFile(join(editor.dataFolder, name), 'utf8')).not.toContain(canary);
  });

  it('stays in the memory of its window until its terminal is closed', async () => {
    const { editor, folder } = journey;
    // From now on, `execute` works in this window.
    other = await editor.openWindow();
    const page = conversationOf(other);
    await other.execute('lineside.openConversation', { sessionId: service.sessionIdByName.login });
    await expect.poll(() => page.title.innerText(), patiently).toBe('Edge cases: all types of content');
    await nothingToAttach(page, 'No command has run');
    await writeFile(join(folder, 'other.sh'), "sleep 1; printf 'other-%s\\n' window\n");
    await openTerminal(other);
    await run('sh other.sh\n');
    await finished('other-window', other);
    const files = await readdir(editor.dataFolder, { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile())) {
      const path = join(file.parentPath, file.name);
      expect((await readFile(path)).includes('other-window'), path).toBe(false);
    }
    await attach(page);
    await page.chips.waitFor();
    await page.say('And there?');
    await expect.poll(() => service.posts().length, patiently).toBe(3);
    expect(lastText()).toMatch(/^\$ sh other\.sh\n[^]*other-window\n\[Exit code 0\]\n$/);
    await other.execute('workbench.action.terminal.killAll');
    await nothingToAttach(page, 'No command has run');
    await attach();
    await conversation().chips.waitFor();
    await conversation().say('And here?');
    await expect.poll(() => service.posts().length, patiently).toBe(4);
    expect(lastText()).toMatch(/^\$ sh colors\.sh\n/);
  });

  it('is attached after a question if it might contain secrets, and is dropped if recording is turned off', async () => {
    const page = conversationOf(other);
    const script = `sleep 1; printf 'ghp_%s\\n' ${'aB3dE6gH9k'.repeat(3)}mN2pQr\n`;
    await writeFile(join(journey.folder, 'key.sh'), script);
    await openTerminal(other);
    await run('sh key.sh\n');
    await finished('mN2pQr', other);
    await attach(page);
    await other.dialog.getByText('This file might contain secrets.').waitFor();
    await click(other.dialog.getByRole('button', { name: 'Cancel' }));
    await other.setSetting('lineside.attachments.recordTerminalOutput', false);
    await nothingToAttach(page, 'turn on "Record Terminal Output"');
    expect(await page.chips.count()).toBe(0);
    await other.setSetting('lineside.attachments.recordTerminalOutput', true);
    await nothingToAttach(page, 'No command has run');
  });
});
