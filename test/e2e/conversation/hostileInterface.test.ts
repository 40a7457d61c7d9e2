import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../fakes/faults.ts';
import { leadsOut } from '../../fakes/markdownLinks.ts';
import { click, hover } from '../../../tools/editor/drive/act.ts';
import { useJourney } from '../journey/journey.ts';
import { MessageLinks } from '../journey/messageLinks.ts';
import { treeRow } from '../journey/pointing.ts';
import { HeldAgent, useService } from '../journey/recordedService.ts';
import { addSessions, clearNotifications, connect, conversationOf } from '../journey/sessionSteps.ts';
import { patiently, until, untilItSucceeds } from '../journey/until.ts';

/**
 * Text that parts of VS Code's interface would draw as links, images, code, icons, or HTML, or that would change the
 * order of what follows.
 */
const hostile =
  '$(alert)![](https://evil.test/)\u202e [Update](command:workbench.action.quit "x") [a](https://evil.test) `code` <b>b</b> https://evil.test/x';
const shownStart = '[Update] (command:workbench.action.quit "x") [a] (https://evil.test)';

/** Puts the text in the titles and tags of all sessions and in all answers. */
function withHostileTexts(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if ('sessionId' in json && 'status' in json) {
    return { ...json, title: hostile, sessionSettings: { tags: [{ name: hostile, metadata: { note: hostile } }] } };
  }
  if (!('messages' in json) || !Array.isArray(json.messages)) return json;
  const messages = json.messages.map((message: { role?: string }) =>
    message.role === 'assistant' ? { ...message, content: [{ type: 'text', text: hostile }] } : message,
  );
  return { ...json, messages };
}

const squeezed = (text: string) => text.replace(/\s+/g, ' ');

/** What VS Code's own interface makes of the texts of a service (R47). See docs/security.md. */
describe('hostile texts in the interface of VS Code', () => {
  const agent = new HeldAgent();
  const service = useService({}, (json) => agent.reshape(withHostileTexts(json)));
  const journey = useJourney({ settings: { 'lineside.notifications.whenFinished': 'always' } });

  /** The requests of the window for addresses in the texts. */
  const requested: string[] = [];

  /** What a text must not become in a part of the window: an icon, HTML, or a link to anything but a web page. */
  const liveParts = 'a[data-href]:not([data-href^="https://"]), .codicon-alert, img, b';
  const live = (part: Locator) => part.locator(liveParts);

  it('are text in notifications', async () => {
    const { workbench } = journey;
    const { login: sessionId } = service.sessionIdByName;
    workbench.page.context().on('request', (request) => {
      if (request.url().includes('evil.test')) requested.push(request.url());
    });
    await connect(workbench, service);
    await addSessions(workbench, sessionId);
    await conversationOf(workbench).say('Please go on');
    // A session is reported as finished only if a poll has seen its agent running.
    agent.hold(sessionId);
    await conversationOf(workbench).status.filter({ hasText: 'Running' }).waitFor();
    agent.release();
    await workbench.notified(/finished/);
    const body = JSON.stringify({ detail: hostile });
    service.wire.addFault({ method: 'PATCH', fault: { kind: 'answer', status: 422, body } });
    await workbench.start('lineside.archiveSession');
    await workbench.notified('The service rejected the request (422)');
    await workbench.execute('notifications.showList');
    const center = workbench.page.locator('.notifications-center');
    const messages = center.locator('.notification-list-item-message');
    await expect.poll(() => messages.count(), patiently).toBeGreaterThanOrEqual(2);
    await workbench.picture('hostile notifications');
    for (const html of await messages.evaluateAll((all) => all.map((node) => node.innerHTML))) {
      expect(html).not.toMatch(/<(?!\/?span\b)[a-z]/i);
      expect(html).not.toContain('codicon');
    }
    for (const text of await messages.allInnerTexts()) {
      expect(text).toContain(shownStart.slice(0, 20));
      expect(text).not.toMatch(/[\u202a-\u202e]/);
    }
    expect(await center.locator('.notification-list-item-details-row a:not(.monaco-button)').count()).toBe(0);
    await clearNotifications(workbench);
    expect(workbench.page.context().pages()).toHaveLength(1);
  });

  it('are text in the rows of pickers, their hovers, and input boxes', async () => {
    const { workbench } = journey;
    const { quickInput, page } = workbench;
    await workbench.start('lineside.findSessions');
    const found = quickInput.rows.filter({ hasText: shownStart.slice(0, 20) }).first();
    await found.waitFor();
    expect(await live(found).count()).toBe(0);
    await quickInput.cancel();
    await workbench.start('lineside.editTags');
    const tag = quickInput.rows.filter({ hasText: shownStart.slice(0, 20) }).first();
    const tip = page.locator('.monaco-hover', { hasText: 'evil.test' });
    await hover(tag.locator('.label-description').last(), { effect: () => tip.isVisible() });
    await workbench.picture('hostile row of a picker');
    expect(await live(tag).count()).toBe(0);
    expect(await live(tip).count()).toBe(0);
    await quickInput.cancel();
    await workbench.start('lineside.renameSession');
    await quickInput.input.waitFor();
    expect(await live(quickInput.widget).count()).toBe(0);
    await quickInput.cancel();
  });

  it('are text in the Sessions view, its tooltips, and the status bar', async () => {
    const { workbench } = journey;
    const { page } = workbench;
    await workbench.focusView('lineside.sessions');
    await workbench.setSetting('lineside.sessions.titleLength', 0);
    const row = treeRow(workbench, 'workbench.action.quit');
    await row.waitFor();
    expect(await live(row).count()).toBe(0);
    await workbench.picture('hostile row of a tree');
    for (const [element, name] of [
      [row, 'hostile tooltip'],
      [workbench.statusBarItem('lineside.status'), 'hostile status'],
    ] as const) {
      const tip = page.locator('.monaco-hover', { hasText: 'evil.test' });
      await hover(element, { effect: () => tip.isVisible() });
      await workbench.picture(name);
      expect(await live(tip).count(), name).toBe(0);
      await page.mouse.move(0, 0);
      await tip.waitFor({ state: 'hidden' });
    }
    expect(page.context().pages()).toHaveLength(1);
  });

  it('are text in the tab of a terminal and its hover', async () => {
    const { workbench } = journey;
    const { page } = workbench;
    const { login: sessionId } = service.sessionIdByName;
    await workbench.setSetting('lineside.openInTerminal.command', [process.execPath, '-i']);
    const opening = workbench.execute('lineside.openInTerminal', { sessionId });
    await click(workbench.dialog.getByRole('button', { name: 'Run' }));
    await opening;
    const read = (part: Locator, options?: { readonly timeout: number }) =>
      part.evaluate(
        (node, selector) => ({ text: node.textContent, liveCount: node.querySelectorAll(selector).length }),
        liveParts,
        options,
      );
    const expectText = ({ text, liveCount }: Awaited<ReturnType<typeof read>>) => {
      expect(text).toContain('$(alert)![] (https://evil.test/)<U+202E>');
      expect(liveCount).toBe(0);
    };
    const tab = page.locator('.single-terminal-tab', { hasText: 'evil.test' });
    const tip = page.locator('.monaco-hover:visible', { hasText: 'Process ID' });
    const contents: Awaited<ReturnType<typeof read>>[] = [];
    // The hover can close after it has been seen.
    await untilItSucceeds(async () => {
      await hover(tab, { effect: () => tip.isVisible() });
      await workbench.picture('hostile terminal');
      contents.push(await read(tip, { timeout: 5_000 }));
    });
    contents.push(await read(tab));
    await workbench.setSetting('terminal.integrated.tabs.hideCondition', 'never');
    contents.push(await read(page.locator('.terminal-tabs-entry', { hasText: 'evil.test' })));
    for (const content of contents) expectText(content);
    await workbench.execute('workbench.action.terminal.killAll');
  });

  it('are text above a message in an editor', async () => {
    const { workbench } = journey;
    const { login: sessionId } = service.sessionIdByName;
    await workbench.execute('lineside.composeInEditor', { sessionId });
    const lens = workbench.page.locator('.part.editor .codelens-decoration', { hasText: 'Send to' });
    await lens.waitFor();
    await workbench.picture('hostile CodeLens');
    expect(squeezed(await lens.innerText())).toContain('$(alert)![](https://evil.test/)<U+202E> [Update](command:');
    expect(await live(lens).count()).toBe(0);
    const found = await workbench.execute('linesideProbe.actions', ['untitled']);
    expect(found).toMatchObject([{ links: [], commands: ['lineside.sendComposed'] }]);
    await workbench.execute('workbench.action.closeActiveEditor');
  });

  it('are not in the log, and neither are the errors of the service', async () => {
    const { workbench } = journey;
    const { login: sessionId } = service.sessionIdByName;
    const error = `file:///etc/canary [a](command:linesideProbe.canary) ${hostile}`;
    const faults: Readonly<Record<string, Fault>> = {
      'responded with 400.': { kind: 'answer', status: 400, body: JSON.stringify({ detail: error }) },
      'responded with 500.': { kind: 'answer', status: 500, body: JSON.stringify({ error: { message: error } }) },
      'responded with 502.': { kind: 'answer', status: 502, headers: { 'content-type': 'text/plain' }, body: error },
      'is not valid JSON': { kind: 'answer', body: `{ "a": ${error} }` },
      "doesn't have the specified shape": { kind: 'answer', body: JSON.stringify({ [error]: error }) },
      'a redirect to file:': { kind: 'answer', status: 302, headers: { location: 'file:///etc/canary' } },
    };
    await workbench.execute('lineside.showLog');
    // Set the log level to Trace, so that the log has every line.
    await workbench.execute('workbench.action.output.activeOutputLogLevel.1');
    const shown = async () => {
      const documents = (await workbench.execute('linesideProbe.documents', 'output')) as { text: string }[];
      return documents.map(({ text }) => text).join('\n');
    };
    for (const [line, fault] of Object.entries(faults)) {
      service.wire.addFault({ path: /\/sessions\//, times: 1, fault });
      await until(
        async () => (await shown()).includes(line),
        () => workbench.execute('lineside.refresh', { sessionId }),
      );
    }
    await workbench.picture('log of hostile errors');
    const found = (await workbench.execute('linesideProbe.actions', ['output'])) as { links: string[] }[];
    expect(found).not.toEqual([]);
    for (const { links } of found) expect(links.filter((target) => !leadsOut(target))).toEqual([]);
    expect(await shown()).not.toMatch(/canary|command:|evil\.test|Update/);
  });

  it('cause no request', () => {
    expect(requested).toEqual([]);
  });

  /** oldestEditor.test.ts has the same tests for VS Code 1.110, which opens addresses with different code. */
  describe('a link in a message', () => {
    let links: MessageLinks;

    it('opens exactly the address that its tooltip shows, after VS Code asks, and mail addresses unchanged', async () => {
      const { workbench } = journey;
      // A notification could cover a link.
      await workbench.setSetting('lineside.notifications.whenFinished', 'never');
      await clearNotifications(workbench);
      links = await MessageLinks.open(workbench, service);
      await links.expectShownAddresses();
      await links.expectMailAddress();
    });

    it('never runs a command or opens anything else', () => links.expectNothingElse());
  });
});
