import { click, fill, press } from './act.ts';
import type { Locator, Page } from 'playwright-core';
import { patienceMs } from '../run/patience.ts';

/** The Command Palette, a picker, or an input box. VS Code shows only one of them at a time. */
export interface QuickInput {
  /** The whole widget while it is visible. */
  readonly widget: Locator;
  /** The text box of the widget, which may be a password box. */
  readonly input: Locator;
  /** The rows of a picker. */
  readonly rows: Locator;
  /** The row that Enter accepts. While a list is being filled, this may not be the row that a test expects. */
  readonly activeRow: Locator;
  /** The row with exactly this label (or `Category: label`). */
  row(label: string): Locator;
  /** The line below the text box: a prompt or a validation error. */
  readonly message: Locator;
  /** Opens the widget with `text`: `>Command`, a file name, or `:line`. */
  open(text: string): Promise<void>;
  /**
   * Opens the widget with `text` and selects the row. Tries again until the row exists, because commands are registered
   * late while a window starts.
   */
  openAndPick(text: string, label: string): Promise<void>;
  /** Replaces the content of the text box. */
  fill(text: string): Promise<void>;
  /**
   * Fills in and accepts an input box. `prompt` is part of the line below the text box and identifies the input box.
   * Without it, the text may go to the first of two consecutive input boxes.
   */
  enter(text: string, prompt?: string | RegExp): Promise<void>;
  /** Waits for the row with exactly this label (or `Category: label`) and clicks it. */
  pick(label: string): Promise<void>;
  /** Selects or clears the checkbox of a row. Call `accept` to confirm the selection. */
  toggle(label: string): Promise<void>;
  accept(options?: { readonly timeout: number }): Promise<void>;
  /** Closes the widget. */
  cancel(): Promise<void>;
}

/** Returns the quick input of a page. Every method waits up to Playwright's timeout and then rejects. */
export function quickInputOf(page: Page): QuickInput {
  const widget = page.locator('.quick-input-widget:visible');
  const input = widget.locator('.quick-input-box input');
  const rows = widget.locator('.quick-input-list .monaco-list-row');
  const message = widget.locator('.quick-input-message');
  const row = (label: string): Locator =>
    rows.filter({ has: page.locator('.quick-input-list-row .label-name', { hasText: labelled(label) }) }).first();
  return {
    widget,
    input,
    rows,
    activeRow: widget.locator('.quick-input-list .monaco-list-row.focused'),
    row,
    message,
    open: (text) => open(page, input, text),
    openAndPick: (text, label) => openAndPick(page, input, text, row(label)),
    fill: (text) => fill(input, text),
    enter: async (text, prompt) => {
      // A closing picker also has a text box, but unlike an input box, it has a list. Wait until the list is hidden.
      await widget.locator('.quick-input-list').waitFor({ state: 'hidden' });
      if (prompt !== undefined) await message.filter({ hasText: prompt }).waitFor();
      await fill(input, text);
      await press(input, 'Enter', { mayClose: true });
    },
    pick: (label) => clickRow(page, row(label)),
    toggle: (label) => clickRow(page, row(label).locator('.quick-input-list-checkbox, .monaco-checkbox').first()),
    accept: (options) => press(input, 'Enter', { ...options, mayClose: true }),
    cancel: () => press(page, 'Escape', { effect: async () => !(await widget.isVisible()) }),
  };
}

/**
 * Clicks a row or a part of it. Moves the pointer away first, because the hover of the row under the pointer may cover
 * other rows.
 */
async function clickRow(page: Page, row: Locator): Promise<void> {
  await page.mouse.move(0, 0);
  await click(row);
}

/** Matches a label as text, alone or after a category, because highlighting splits it into several elements. */
function labelled(label: string): RegExp {
  const literal = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^\\s*(.*: )?${literal}\\s*$`);
}

const firstAttemptMs = 1500;
/** Long timeout for a click. If it were abandoned but still took effect, the next attempt would click twice. */
const clickMs = 10_000;

/**
 * Repeats `attempt` until it succeeds, with a timeout that doubles each time. After {@link patienceMs}, rejects with
 * the last error.
 */
async function retrying(attempt: (timeoutMs: number) => Promise<void>): Promise<void> {
  const giveUpAtMs = Date.now() + patienceMs;
  for (let timeoutMs = firstAttemptMs; ; timeoutMs *= 2) {
    try {
      await attempt(timeoutMs);
      return;
    } catch (error) {
      if (Date.now() > giveUpAtMs) throw error;
    }
  }
}

/** Presses F1 repeatedly until the palette opens and has the text, because a new window ignores keys for a moment. */
async function open(page: Page, input: Locator, text: string): Promise<void> {
  await retrying(async (timeout) => {
    await press(page, 'F1');
    await fill(input, text, { timeout });
  });
}

/**
 * Reopens the palette until the row has been clicked. An open palette doesn't add newly registered commands, and a view
 * that takes the focus while the window starts closes the palette.
 */
async function openAndPick(page: Page, input: Locator, text: string, row: Locator): Promise<void> {
  await retrying(async (timeout) => {
    await open(page, input, text);
    try {
      await row.waitFor({ timeout });
      await click(row, { timeout: clickMs });
    } catch (error) {
      await press(page, 'Escape');
      await input.waitFor({ state: 'hidden' });
      throw error;
    }
  });
}
