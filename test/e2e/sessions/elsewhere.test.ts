import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { click } from '../../../tools/editor/drive/act.ts';
import { useJourney } from '../journey/journey.ts';
import { chooseInContextMenu, closeMenus, contextMenuOf, treeRow } from '../journey/pointing.ts';
import { HeldAgent, useService } from '../journey/recordedService.ts';
import { addSessions, clearNotifications, connect, conversationOf, openByRow } from '../journey/sessionSteps.ts';
import { patiently } from '../journey/until.ts';

const urlSetting = 'lineside.openInBrowser.url';
const commandSetting = 'lineside.openInTerminal.command';

const folder = mkdtempSync(join(tmpdir(), 'lineside-elsewhere-'));
/**
 * Installs a program in a folder that is first in the PATH of the server. The program appends its arguments as a line
 * of JSON to `<name>.calls`. Returns the path of that file.
 */
function installRecorder(name: string): string {
  const calls = join(folder, `${name}.calls`);
  const record = `require('node:fs').appendFileSync(${JSON.stringify(calls)},
    JSON.stringify(process.argv.slice(2)) + '\\n');`;
  writeFileSync(join(folder, name), `#!${process.execPath}\n${record}`, { mode: 0o755 });
  return calls;
}
const agentCalls = installRecorder('my-agent');
const notifierCalls = installRecorder('notify-send');
/** The arguments of each call. Rejects until the first call has been written completely. */
async function recordedCalls(file: string): Promise<unknown[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as unknown);
}

describe('a session elsewhere', () => {
  const agent = new HeldAgent();
  const service = useService({}, agent.reshape);
  // With VSCODE_CLI, VS Code keeps the PATH instead of reading that of a login shell.
  const environment = { PATH: [folder, process.env['PATH']].join(delimiter), VSCODE_CLI: '1' };
  const journey = useJourney({ environment, settings: { 'lineside.polling.runningSeconds': 1 } });
  const unicode = '設定画面の国際化';
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has no commands until the person sets a template', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await workbench.focusView('lineside.sessions');
    const { unicode: unicodeId, login } = service.sessionIdByName;
    await addSessions(workbench, login);
    await workbench.execute('lineside.addSession', { sessionId: unicodeId });
    await treeRow(workbench, unicode).waitFor();
    const entries = await contextMenuOf(workbench, treeRow(workbench, unicode));
    expect(entries.filter((label) => label !== '').length).toBeLessThanOrEqual(10);
    await closeMenus(workbench);
    const items = await contextMenuOf(workbench, treeRow(workbench, unicode), 'Session');
    expect(items).toContain('Edit Tags...');
    expect(items).not.toContain('Open in Browser');
    expect(items).not.toContain('Open in Terminal');
    await closeMenus(workbench);
    await expect(workbench.execute('lineside.openInBrowser', { sessionId: unicodeId })).rejects.toThrow(
      `To use this command, set "${urlSetting}" first.`,
    );
  });

  it('opens the browser at the exact URL, which the person sees first', async () => {
    const { workbench } = journey;
    await workbench.page.context().route('https://agents.example/**', (route) => route.fulfill({ body: 'Elsewhere' }));
    await workbench.setSetting(
      urlSetting,
      'https://agents.example/s/${sessionId}/now?id=${sessionId}&x=1#${sessionId}',
    );
    const url = 'https://agents.example/s/a%20b%2F%C3%BC/now?id=a%20b%2F%C3%BC&x=1#a%20b%2F%C3%BC';
    await chooseInContextMenu(workbench, treeRow(workbench, unicode), 'Session', 'Open in Browser');
    await workbench.dialog.filter({ hasText: 'Open this URL?' }).waitFor();
    expect(await workbench.dialog.innerText()).toContain(`\n${url}\n`);
    await answer('Open this URL?', 'Open');
    expect(await openedUrl()).toBe(url);
    const { login: sessionId } = service.sessionIdByName;
    const running = workbench.execute('lineside.openInBrowser', { sessionId });
    expect(await openedUrl()).toContain(`/s/${sessionId}/now?`);
    await running;
  });

  it('starts the program as the process of a terminal, with exactly the arguments that the person sees first', async () => {
    const { workbench } = journey;
    const { login: sessionId } = service.sessionIdByName;
    await workbench.setSetting(commandSetting, ['my-agent', 'resume', '${sessionId}', '$HOME; "x" `id` $(id)', '']);
    await chooseInContextMenu(
      workbench,
      treeRow(workbench, 'Edge cases: all types of content'),
      'Session',
      'Open in Terminal',
    );
    await workbench.dialog.filter({ hasText: 'Run this command in a terminal?' }).waitFor();
    expect(await workbench.dialog.innerText()).toContain(`["my-agent", "resume", "${sessionId}", `);
    expect(existsSync(agentCalls)).toBe(false);
    await answer('Run this command in a terminal?', 'Run');
    const calls = () => recordedCalls(agentCalls);
    await expect.poll(calls, patiently).toEqual([['resume', sessionId, '$HOME; "x" `id` $(id)', '']]);
    await rm(agentCalls);
  });

  it('starts no program for notifications in the server build', async () => {
    const { workbench } = journey;
    const title = 'Edge cases: all types of content';
    await workbench.setSetting('lineside.notifications.system', true);
    await workbench.setSetting('lineside.notifications.whenFinished', 'always');
    await openByRow(workbench, treeRow(workbench, title), title);
    await conversationOf(workbench).say('Please go on');
    const { login: sessionId } = service.sessionIdByName;
    // A session has finished only if a poll has seen its agent running.
    agent.hold(sessionId);
    await conversationOf(workbench).status.filter({ hasText: 'Running' }).waitFor();
    agent.release();
    await workbench.notified(/Edge cases: all types of content.* finished/);
    await clearNotifications(workbench);
    // Running the same program as a terminal command shows that its calls are recorded. By then, a notification would
    // have been shown.
    await workbench.setSetting(commandSetting, ['notify-send', '${sessionId}']);
    expect(existsSync(notifierCalls)).toBe(false);
    const running = workbench.execute('lineside.openInTerminal', { sessionId });
    await answer('Run this command in a terminal?', 'Run');
    await running;
    await expect.poll(() => recordedCalls(notifierCalls), patiently).toEqual([[sessionId]]);
  });

  async function answer(question: string, button: string): Promise<void> {
    const { dialog } = journey.workbench;
    await click(dialog.filter({ hasText: question }).getByRole('button', { name: button, exact: true }));
  }

  /** Confirms VS Code's question about external websites. Resolves to the URL of the tab that VS Code then opens. */
  async function openedUrl(): Promise<string> {
    const opening = journey.workbench.page.context().waitForEvent('page');
    await answer('open the external website', 'Open');
    const opened = await opening;
    await opened.waitForURL('https://agents.example/**');
    const url = opened.url();
    await opened.close();
    return url;
  }
});
