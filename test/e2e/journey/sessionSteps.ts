import { basename } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { expect } from 'vitest';
import { click, fill, hover } from '../../../tools/editor/drive/act.ts';
import { readSessionReferences } from '../../../src/state/sessions/sessionLinks.ts';
import { type WebviewChoice, type Workbench, workbenchShown } from '../../../tools/editor/drive/workbench.ts';
import type { RecordedService } from './recordedService.ts';
import { chooseInMenu } from './pointing.ts';
import { patiently, until, untilIs, untilItSucceeds } from './until.ts';

/** A conversation page, located by the roles and names that it exposes to assistive technology. */
export interface ConversationPage {
  readonly frame: FrameLocator;
  readonly title: Locator;
  /** The status next to the title, with its age and with notes such as `Custom title`. */
  readonly status: Locator;
  /** The visible failure of the session or the service, if there is one. */
  readonly trouble: Locator;
  readonly log: Locator;
  readonly composer: Locator;
  readonly send: Locator;
  /** The attachments of the next message. */
  readonly chips: Locator;
  /** The live region with the announcements to screen readers. */
  readonly announcements: Locator;
  /** The rendered messages that contain this text. */
  article(text: string | RegExp): Locator;
  button(name: string): Locator;
  /** Attaches something with the Attach menu. */
  attach(what: 'Current File' | 'Selection' | 'Choose Files...'): Promise<void>;
  /** Replaces the text in the composer. */
  write(text: string): Promise<void>;
  /** Enters the text in the composer and clicks Send. */
  say(text: string): Promise<void>;
}

/** The conversation page in the side bar or in an editor tab. */
export function conversationOf(workbench: Workbench, place: WebviewChoice['place'] = 'view'): ConversationPage {
  const frame = workbench.webview({ place });
  const log = frame.getByRole('log', { name: 'Conversation' });
  const composer = frame.getByRole('textbox', { name: 'Message' });
  const button = (name: string): Locator => frame.getByRole('button', { name, exact: true });
  const send = button('Send');
  // VS Code can take the focus away while the text is inserted, for example after it has closed an editor.
  const write = (text: string): Promise<void> =>
    until(
      async () => (await composer.inputValue()) === text,
      () => fill(composer, text),
    );
  return {
    frame,
    title: frame.getByRole('heading', { level: 1 }),
    status: frame.locator('.page-status'),
    trouble: frame.locator('.failure-text:visible'),
    log,
    composer,
    send,
    chips: frame.getByRole('list', { name: 'Attachments' }).getByRole('listitem'),
    announcements: frame.getByRole('status'),
    article: (text) => log.getByRole('article').filter({ hasText: text }),
    button,
    attach: (what) => chooseInMenu(button('Attach'), frame.getByRole('menuitem', { name: what })),
    write,
    say: async (text) => {
      await write(text);
      await click(send);
    },
  };
}

/** Chooses an item of a message's menu. */
export async function chooseInRow(page: ConversationPage, row: Locator, name: string): Promise<void> {
  await hover(row);
  await chooseInMenu(
    row.getByRole('button', { name: 'More Actions' }),
    page.frame.getByRole('menuitem', { name, exact: true }),
  );
}

/** Expands a step of the agent by its button. */
export async function expandStep(step: Locator): Promise<void> {
  await step.waitFor();
  await click(step, { effect: async () => (await step.getAttribute('aria-expanded')) === 'true' });
}

/** Opens the long output of the only expanded step as a document. */
export async function openOutput({ log }: ConversationPage): Promise<void> {
  const open = log.getByRole('button', { name: 'Open Output as Document' });
  // The output is drawn in pieces, one of which can push the button out of view while the test scrolls to it.
  await untilItSucceeds(async () => {
    if ((await open.count()) === 0) await log.evaluate((node) => node.scrollTo(0, 0));
    await click(open, { timeout: 5_000 });
  });
}

/**
 * Connects and waits for the confirmation. If the session list is empty, the command continues with Add Session, which
 * is canceled.
 */
export async function connect(
  workbench: Workbench,
  service: Pick<RecordedService, 'baseUrl' | 'token'>,
): Promise<void> {
  const { quickInput } = workbench;
  await workbench.start('lineside.connect');
  // If there are services already, the command shows a list of them that also accepts a new URL.
  const list = quickInput.widget.getByPlaceholder('Select a service');
  await list
    .or(quickInput.message.filter({ hasText: 'base URL' }))
    .first()
    .waitFor();
  if (await list.isVisible()) {
    await quickInput.fill(service.baseUrl);
    await quickInput.pick(`Connect to ${service.baseUrl}`);
  } else {
    await quickInput.enter(service.baseUrl, 'base URL');
  }
  await quickInput.enter(service.token, 'API key');
  const adding = quickInput.message.filter({ hasText: `Connected to ${service.baseUrl}.` });
  await workbench.notification(`Connected to ${service.baseUrl}`).or(adding).first().waitFor();
  if (await adding.isVisible()) {
    await quickInput.cancel();
    await quickInput.widget.waitFor({ state: 'hidden' });
  }
  await clearNotifications(workbench);
}

/**
 * Adds sessions by ID or URL, which opens the conversation of the first one. Waits until the page in the side bar shows
 * that session: only then are all sessions in the list, and a page that has just been opened no longer takes the focus.
 */
export async function addSessions(workbench: Workbench, text: string): Promise<void> {
  await enterSessions(workbench, text);
  // If the page already shows this session, only the hidden input box shows that the command has received the text.
  await workbench.quickInput.widget.waitFor({ state: 'hidden' });
  await untilIs(() => shownSessionId(workbench), readSessionReferences(text)[0]?.sessionId);
}

/** Enters the IDs or URLs of sessions to add. The first one is opened only if the service knows it. */
export async function enterSessions(workbench: Workbench, text: string): Promise<void> {
  // The command looks for a session ID on the clipboard. Without permission, the browser would cause a toast.
  await allowClipboard(workbench);
  await workbench.start('lineside.addSession');
  await workbench.quickInput.enter(text, 'session ID');
}

/** The ID of the session that the page in the side bar shows. */
async function shownSessionId(workbench: Workbench): Promise<string | null> {
  return conversationOf(workbench).frame.locator('[data-session-id]').getAttribute('data-session-id');
}

/** Opens the conversation of a tree row in the side bar. */
export async function openByRow(workbench: Workbench, row: Locator, title: string): Promise<void> {
  // A row can move under the pointer while sessions are being loaded.
  await click(row, { effect: async () => (await conversationOf(workbench).title.innerText()) === title });
}

/** Chooses a session in the Quick Pick. Filters by title first, because rows move while sessions are being loaded. */
export async function chooseSession({ quickInput }: Workbench, title: string): Promise<void> {
  await quickInput.widget.getByPlaceholder('Select a session').waitFor();
  await quickInput.fill(title);
  await expect.poll(() => quickInput.rows.first().innerText(), patiently).toContain(title);
  await click(quickInput.rows.first());
}

/** Opens a file and waits until its editor has the focus. */
export async function openFile(workbench: Workbench, path: string): Promise<void> {
  await workbench.openFile(path);
  // VS Code reuses the editor of the previous file, which may already have had the focus, so check the URI as well.
  const name = encodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  await workbench.page.locator(`.part.editor .monaco-editor.focused[data-uri$="/${name}"]`).waitFor();
}

/** Selects whole lines of a file by 1-based line numbers, without the last line break. */
export async function selectLines(workbench: Workbench, path: string, from: number, to: number): Promise<void> {
  await openFile(workbench, path);
  await workbench.selectLines(from, to);
  await workbench.page.locator('.part.statusbar').getByText('selected)').waitFor();
}

/**
 * Reloads the window as users do. In a browser, VS Code then saves its editors and the state of their pages first.
 * Reloading the browser page would restore only the state from the last periodic save.
 */
export async function reloadByCommand(workbench: Workbench): Promise<void> {
  const loaded = workbench.page.waitForEvent('load');
  await workbench.start('workbench.action.reloadWindow');
  await loaded;
  await workbenchShown(workbench.page);
}

/** Sets the focus state that VS Code reads, because a headless browser always reports that its page has the focus. */
export async function setWindowFocus(workbench: Workbench, isFocused: boolean): Promise<void> {
  await workbench.page.evaluate((value) => {
    document.hasFocus = () => value;
    document.dispatchEvent(new Event('visibilitychange'));
  }, isFocused);
}

/** Chooses a file in VS Code's own file dialog. Retries if the dialog was still listing its initial folder. */
export async function chooseInFileDialog(workbench: Workbench, path: string): Promise<void> {
  const { quickInput } = workbench;
  // Match the whole label, because the closing Command Palette still shows commands that end with three dots.
  await quickInput.row('..').waitFor();
  const file = quickInput.rows.filter({ hasText: basename(path) }).first();
  await acceptFileDialog(workbench, async () => {
    await quickInput.fill(path);
    await file.waitFor({ timeout: 5_000 }).catch(() => undefined);
  });
}

/**
 * Presses Enter in VS Code's own file dialog until it closes, because it ignores Enter while it lists a folder. Runs
 * `prepare` before each attempt.
 */
export async function acceptFileDialog({ quickInput }: Workbench, prepare?: () => Promise<void>): Promise<void> {
  const isClosed = async () => !(await quickInput.widget.isVisible());
  await until(isClosed, async () => {
    await prepare?.();
    await quickInput.accept({ timeout: 5_000 });
  });
}

/** Clears all notifications. */
export async function clearNotifications(workbench: Workbench): Promise<void> {
  await workbench.execute('notifications.clearAll');
}

/** Returns the text on the clipboard. */
export async function clipboardText(workbench: Workbench): Promise<string> {
  await allowClipboard(workbench);
  return workbench.page.evaluate(() => navigator.clipboard.readText());
}

async function allowClipboard(workbench: Workbench): Promise<void> {
  await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
}
