import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useJourney } from '../journey/journey.ts';
import { chooseInMenu } from '../journey/pointing.ts';
import { useService } from '../journey/recordedService.ts';
import { addSessions, connect, conversationOf } from '../journey/sessionSteps.ts';
import { patiently } from '../journey/until.ts';

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
  const conversation = () => conversationOf(journey.workbench);
  /** Waits until the terminal shows the end of an output and the next prompt. */
  const finished = (end: string) =>
    journey.workbench.page
      .locator('.terminal-wrapper.active .xterm-rows', { hasText: new RegExp(`${end}[^]*[#$]\\s`) })
      .waitFor();
  const run = (text: string) => journey.workbench.execute('workbench.action.terminal.sendSequence', { text });
  const attach = async () => {
    const entry = conversation().frame.getByRole('menuitem', { name: 'Terminal Output...' });
    await chooseInMenu(conversation().button('Attach'), entry);
  };
  const lastText = () => Buffer.from(service.posts().at(-1)?.files[0]?.data ?? '', 'base64').toString('utf8');

  it('is the end of a long output, also after the terminal was cleared', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.login);
    await workbench.execute('workbench.action.terminal.new');
    await workbench.page.locator('.terminal-wrapper.active .xterm-rows', { hasText: /[#$]\s/ }).waitFor();
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
});
