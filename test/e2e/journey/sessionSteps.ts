import { basename } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { expect } from 'vitest';
import { type WebviewChoice, type Workbench, workbenchShown } from '../../editor/drive/workbench.ts';
import type { RecordedService } from './recordedService.ts';
import { chooseInMenu } from './pointing.ts';
import { patiently, until } from './until.ts';

/** A conversation page by the roles and names it promises to assistive technology. */
export interface ConversationPage {
  readonly frame: FrameLocator;
  readonly title: Locator;
  /** The line under the title: status, age, model. */
  readonly status: Locator;
  /** What is wrong with the session or the service, while something is. */
  readonly trouble: Locator;
  readonly log: Locator;
  readonly composer: Locator;
  readonly send: Locator;
  /** The attachments of the next message. */
  readonly chips: Locator;
  /** What screen readers are told. */
  readonly announcements: Locator;
  /** The messages in sight that hold this text. */
  article(text: string | RegExp): Locator;
  button(name: string): Locator;
  /** Attaches by the Attach menu. */
  attach(what: 'Current File' | 'Selection' | 'Choose Files...'): Promise<void>;
  /** Writes a text and presses Send. */
  say(text: string): Promise<void>;
}

/** The conversation in the side bar, or in an editor tab. */
export function conversationOf(workbench: Workbench, place: WebviewChoice['place'] = 'view'): ConversationPage {
  const frame = workbench.webview({ place });
  const log = frame.getByRole('log', { name: 'Conversation' });
  const composer = frame.getByRole('textbox', { name: 'Message' });
  const button = (name: string): Locator => frame.getByRole('button', { name, exact: true });
  const send = button('Send');
  return {
    frame,
    title: frame.getByRole('heading', { level: 1 }),
    status: frame.locator('.page-status'),
    trouble: frame.locator('.problem-text:visible'),
    log,
    composer,
    send,
    chips: frame.getByRole('list', { name: 'Attachments' }).getByRole('listitem'),
    announcements: frame.getByRole('status'),
    article: (text) => log.getByRole('article').filter({ hasText: text }),
    button,
    attach: (what) => chooseInMenu(button('Attach'), frame.getByRole('menuitem', { name: what })),
    say: async (text) => {
      await composer.fill(text);
      await send.click();
    },
  };
}

/** Connects by the palette's command, and waits for the word that it worked. */
export async function connect(
  workbench: Workbench,
  service: Pick<RecordedService, 'baseUrl' | 'token'>,
): Promise<void> {
  const { quickInput } = workbench;
  await workbench.runCommand('Lineside: Connect to Service...');
  // Where a service is known already, there is a list of them that takes another one as well.
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
  await workbench.notification(`Connected to ${service.baseUrl}`).waitFor();
  await clearNotifications(workbench);
}

/** Adds sessions by ID or URL; the conversation of the first one opens. */
export async function addSessions(workbench: Workbench, text: string): Promise<void> {
  // The command looks whether an ID was copied; a browser that was not told to let it says so in a toast.
  await allowClipboard(workbench);
  await workbench.runCommand('Lineside: Add Session...');
  await workbench.quickInput.enter(text, 'session ID');
}

/** Opens a link of ours and answers our question of it. Some editors have a question of their own before. */
export async function openLink(workbench: Workbench, link: string, question: string, answer: string): Promise<void> {
  await workbench.openLink(link);
  const asked = workbench.dialog.filter({ hasText: question });
  const allow = workbench.dialog.getByRole('button', { name: 'Open', exact: true });
  await allow.or(asked).first().waitFor();
  if (await allow.isVisible()) await allow.click();
  await asked.getByRole('button', { name: answer }).click();
}

/** Opens the conversation of a row of the tree in the side bar. */
export async function openByRow(workbench: Workbench, row: Locator, title: string): Promise<void> {
  await row.click();
  await expect.poll(() => conversationOf(workbench).title.innerText(), patiently).toBe(title);
}

/** Chooses a session in the pick that is open or about to be. What is typed puts it first: rows move while it is read. */
export async function chooseSession({ quickInput }: Workbench, title: string): Promise<void> {
  await quickInput.widget.getByPlaceholder('Select a session').waitFor();
  await quickInput.fill(title);
  await expect.poll(() => quickInput.rows.first().innerText(), patiently).toContain(title);
  await quickInput.rows.first().click();
}

/** Opens a file and waits until what is typed goes into it. */
export async function openFile(workbench: Workbench, path: string): Promise<void> {
  await workbench.openFile(path);
  await workbench.quickInput.widget.waitFor({ state: 'hidden' });
  // The editor is the same one for the file before, and had the focus already then.
  const name = encodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  await workbench.page.locator(`.part.editor .monaco-editor.focused[data-uri$="/${name}"]`).waitFor();
}

/** Selects whole lines of a file, counted from 1, without the last line's end. */
export async function selectLines(workbench: Workbench, path: string, from: number, to: number): Promise<void> {
  const { page, quickInput } = workbench;
  await openFile(workbench, path);
  await quickInput.open(`:${from}`);
  // The row says where it will go; before, Enter is not heard.
  await quickInput.rows
    .filter({ hasText: String(from) })
    .first()
    .waitFor();
  await quickInput.accept();
  await quickInput.widget.waitFor({ state: 'hidden' });
  await page.locator('.part.editor .monaco-editor.focused').waitFor();
  for (const key of ['Home', 'Home', ...Array<string>(to - from).fill('Shift+ArrowDown'), 'Shift+End']) {
    await page.keyboard.press(key);
  }
  await page.locator('.part.statusbar').getByText('selected)').waitFor();
}

/**
 * Reloads the window as a person does. In a browser this tells VS Code beforehand, so that it remembers its editors and
 * what their pages kept; a page that is simply loaded anew has what was written in the last minute's save.
 */
export async function reloadByCommand(workbench: Workbench): Promise<void> {
  const loaded = workbench.page.waitForEvent('load', { timeout: 60_000 });
  await workbench.runCommand('Developer: Reload Window');
  await loaded;
  await workbenchShown(workbench.page);
}

/** Takes a file in VS Code's own file dialog; presses Enter again where the dialog was still listing its first folder. */
export async function chooseInFileDialog(workbench: Workbench, path: string): Promise<void> {
  const { quickInput } = workbench;
  // By its whole label: the palette on its way out still shows commands that end in three dots, and then nothing shows.
  await quickInput.row('..').waitFor();
  const file = quickInput.rows.filter({ hasText: basename(path) }).first();
  await acceptFileDialog(workbench, async () => {
    await quickInput.fill(path);
    await file.waitFor({ timeout: 5_000 }).catch(() => undefined);
  });
}

/** Presses Enter in VS Code's own file dialog, after `prepare`, until it has closed: while it lists, it hears nothing. */
export async function acceptFileDialog({ quickInput }: Workbench, prepare?: () => Promise<void>): Promise<void> {
  const isClosed = async () => !(await quickInput.widget.isVisible());
  await until(isClosed, async () => {
    await prepare?.();
    await quickInput.accept();
  });
}

/** Puts away every toast. */
export async function clearNotifications(workbench: Workbench): Promise<void> {
  await workbench.runCommand('Notifications: Clear All Notifications');
}

/** What is on the clipboard. */
export async function clipboardText(workbench: Workbench): Promise<string> {
  await allowClipboard(workbench);
  return workbench.page.evaluate(() => navigator.clipboard.readText());
}

async function allowClipboard(workbench: Workbench): Promise<void> {
  await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
}
