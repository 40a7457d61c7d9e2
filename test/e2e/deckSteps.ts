import type { FrameLocator, Locator } from 'playwright-core';
import type { WebviewChoice, Workbench } from '../editor/workbench.ts';
import type { RecordedService } from './recordedService.ts';

/** A conversation page by the roles and names it promises to assistive technology. */
export interface ConversationPage {
  readonly frame: FrameLocator;
  readonly title: Locator;
  /** The line under the title: status, age, model. */
  readonly status: Locator;
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
    log,
    composer,
    send,
    chips: frame.getByRole('list', { name: 'Attachments' }).getByRole('listitem'),
    announcements: frame.getByRole('status'),
    article: (text) => log.getByRole('article').filter({ hasText: text }),
    button,
    attach: async (what) => {
      await button('Attach').click();
      await frame.getByRole('menuitem', { name: what }).click();
    },
    say: async (text) => {
      await composer.fill(text);
      await send.click();
    },
  };
}

/** Connects by the palette's command, and waits for the word that it worked. */
export async function connect(workbench: Workbench, service: RecordedService): Promise<void> {
  const { quickInput } = workbench;
  await workbench.runCommand('Session Deck: Connect to Service...');
  await quickInput.enter(service.baseUrl, 'base URL');
  await quickInput.enter(service.token, 'API key');
  await workbench.notification(`Connected to ${service.baseUrl}`).waitFor();
  await clearNotifications(workbench);
}

/** Adds sessions by ID or URL; the conversation of the first one opens. */
export async function addSessions(workbench: Workbench, text: string): Promise<void> {
  await workbench.runCommand('Session Deck: Add Session...');
  await workbench.quickInput.enter(text, 'ID or URL');
}

/** A row of the Sessions tree by a part of its label. */
export function treeRow(workbench: Workbench, label: string | RegExp): Locator {
  return workbench.treeRows('Sessions').filter({ hasText: label }).first();
}

/** Chooses an entry of the context menu of `target`, through submenus where several names are given. */
export async function chooseInContextMenu(workbench: Workbench, target: Locator, ...names: string[]): Promise<void> {
  await target.click({ button: 'right' });
  for (const name of names) await menuItem(workbench, name).click();
}

/** An entry of the context menu that is open. */
export function menuItem(workbench: Workbench, name: string): Locator {
  return workbench.page.locator('.monaco-menu .action-item').filter({ has: workbench.page.getByText(name, { exact: true }) });
}

/** Puts away every toast. */
export async function clearNotifications(workbench: Workbench): Promise<void> {
  await workbench.runCommand('Notifications: Clear All Notifications');
}

/** What is on the clipboard. */
export async function clipboardText(workbench: Workbench): Promise<string> {
  await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  return workbench.page.evaluate(() => navigator.clipboard.readText());
}
