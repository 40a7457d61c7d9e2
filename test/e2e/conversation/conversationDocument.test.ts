import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { click, press, type } from '../../../tools/editor/drive/act.ts';
import type { Workbench } from '../../../tools/editor/drive/workbench.ts';
import { addSessions, connect, conversationOf, reloadByCommand } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { cachedOnDisk, draftsOnDisk } from '../journey/keptFiles.ts';
import { useService } from '../journey/recordedService.ts';
import { chooseInContextMenu, treeRow } from '../journey/pointing.ts';
import { patiently } from '../journey/until.ts';

const service = useService();
const journey = useJourney({ settings: { 'lineside.polling.idleSeconds': 5 } });

describe('a conversation as a document', () => {
  const title = 'Tidy up the order service, one module at a time';

  it('opens with all messages, as a read-only file named after the session', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.history);
    await conversationOf(workbench).article('Turn 48').first().waitFor();
    await workbench.runCommand('Lineside: Open Conversation as Document');
    await tab(workbench, title).waitFor();
    const prompts = async () => (await textOf(workbench)).match(/^## User, /gm);
    await expect.poll(prompts, patiently).toHaveLength(48);
    await expect.poll(() => textOf(workbench), patiently).not.toContain('Older messages are not loaded');
    const text = await textOf(workbench);
    expect(text).toContain(`title: "${title}"`);
    expect(text).toContain('\n# Tidy up the order service, one module at a time\n');
    expect(text.match(/^#{2,3} /gm)).toHaveLength(240);
    await type(workbench.editorInput, 'x');
    await workbench.page.getByText('Editor is read-only').first().waitFor();
  });

  it('has an outline with an entry for each turn', async () => {
    const { workbench } = journey;
    await workbench.quickInput.open('@Turn 40');
    await workbench.quickInput.rows
      .filter({ hasText: /User, .*Turn 40: / })
      .first()
      .waitFor();
    await press(workbench.page, 'Escape');
  });

  it('shows new messages without moving the cursor', async () => {
    const { workbench } = journey;
    await workbench.quickInput.open('@Turn 30: ');
    await workbench.quickInput.activeRow.filter({ hasText: 'Turn 30: ' }).waitFor();
    await workbench.quickInput.accept();
    await workbench.quickInput.widget.waitFor({ state: 'hidden' });
    await expect.poll(() => lineAtCaret(workbench), patiently).toMatch(/^## User, .*: Turn 30: /);
    const before = await active(workbench);
    await service.post(service.sessionIdByName.history, 'Said while one read the document');
    await expect.poll(() => textOf(workbench), patiently).toContain('Said while one read the document');
    expect((await active(workbench)).line).toBe(before.line);
  });

  it('opens from the context menu of a session in the tree', async () => {
    const { workbench } = journey;
    await workbench.focusView('lineside.sessions');
    await addSessions(workbench, service.sessionIdByName.login);
    const row = treeRow(workbench, 'Edge cases: all types of content');
    await chooseInContextMenu(workbench, row, 'Session', 'Open Conversation as Document');
    await tab(workbench, 'Edge cases- all types of content').waitFor();
    await expect.poll(() => textOf(workbench), patiently).toContain('expires_at');
  });

  it('is restored after a reload without the service, and shows its age', async () => {
    const { workbench } = journey;
    // The cache is written shortly after the session is read. Users don't reload faster than that.
    await expect.poll(() => cachedOnDisk(journey.editor), patiently).toContain('The states of a session');
    await service.wire.refuseConnections();
    await reloadByCommand(workbench);
    await tab(workbench, 'Edge cases- all types of content').waitFor();
    await expect.poll(() => textOf(workbench), patiently).toMatch(/Last refreshed /);
    await expect.poll(() => textOf(workbench), patiently).toContain('expires_at');
    await service.wire.acceptConnections();
  });

  it('shows the full text of a message that is truncated on the page', async () => {
    const { workbench } = journey;
    const lines = Array.from({ length: 20_000 }, (_, place) => `line ${place} of many`);
    await service.post(service.sessionIdByName.tests, lines.join('\n'));
    await addSessions(workbench, service.sessionIdByName.tests);
    const page = conversationOf(workbench);
    const cut = page.article("characters aren't shown.");
    await click(cut.getByRole('button', { name: 'Show All in Editor' }));
    await expect.poll(() => textOf(workbench), patiently).toContain('\nline 19999 of many\n');
    expect(await page.log.getByText('line 19999 of many').count()).toBe(0);
    await workbench.picture('cut message');
  });
});

describe('a conversation page that has stopped responding', () => {
  it('is reloaded with its draft, and the status bar reports this', async () => {
    const { workbench } = journey;
    await addSessions(workbench, service.sessionIdByName.login);
    const page = conversationOf(workbench);
    await page.article('The states of a session').waitFor();
    await page.write('A draft that must not be lost');
    // Text typed right before a page dies is lost, so wait until the draft is saved.
    await expect.poll(() => draftsOnDisk(journey.editor), patiently).toContain('A draft that must not be lost');
    const frames = workbench.page.locator('iframe.webview.ready');
    const breakPage = () =>
      frames.evaluate((frame) => {
        // Simulates a killed page process: nothing in the frame responds or listens anymore.
        (frame as HTMLIFrameElement).src = 'about:blank';
      });
    const isReplaced = () => expect.poll(() => frames.getAttribute('src'), patiently).not.toBe('about:blank');
    // The status bar shows this for only a few seconds after the page has reloaded, so wait for it from the start.
    const report = workbench.page.locator('.part.statusbar').getByText('was reloaded. Your draft is saved.');
    await Promise.all([report.waitFor(), breakPage().then(isReplaced)]);
    const again = workbench.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await again.getByRole('article').filter({ hasText: 'The states of a session' }).waitFor();
    await expect
      .poll(() => again.getByRole('textbox', { name: 'Message' }).inputValue(), patiently)
      .toBe('A draft that must not be lost');
    await workbench.picture('page loaded again');
  });
});

function tab(workbench: Workbench, title: string): Locator {
  return workbench.page.locator('.part.editor .tab.active', { hasText: `${title}.md` });
}

/** The full text of the active editor and the zero-based line of its cursor. */
async function active(workbench: Workbench): Promise<{ readonly text: string; readonly line: number }> {
  return (await workbench.execute('linesideProbe.activeText')) as { text: string; line: number };
}

async function lineAtCaret(workbench: Workbench): Promise<string | undefined> {
  const { text, line } = await active(workbench);
  return text.split('\n')[line];
}

async function textOf(workbench: Workbench): Promise<string> {
  return (await active(workbench)).text;
}
