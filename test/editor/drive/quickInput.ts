import type { Locator, Page } from 'playwright-core';

/** The palette, the pickers and the input boxes: VS Code shows one of them at a time, at the top. */
export interface QuickInput {
  /** The whole widget, while it is shown. */
  readonly widget: Locator;
  /** Its text box; a password box too. */
  readonly input: Locator;
  /** The rows of a picker. */
  readonly rows: Locator;
  /** The row with exactly this label (or `Category: label`). */
  row(label: string): Locator;
  /** The line under the input: a prompt or a validation error. */
  readonly message: Locator;
  /** Opens it with `text`: `>Command`, a file's name, `:line`. */
  open(text: string): Promise<void>;
  /** Opens it with `text` and picks that row, again until the row is there: commands of a starting window come late. */
  openAndPick(text: string, label: string): Promise<void>;
  /** Replaces what stands in the text box. */
  fill(text: string): Promise<void>;
  /**
   * Fills and accepts an input box. `prompt`, a part of the line under it, says which one: without it the second of
   * two boxes in a row may not be there yet.
   */
  enter(text: string, prompt?: string | RegExp): Promise<void>;
  /** Waits for the row with exactly this label (or `Category: label`) and clicks it. */
  pick(label: string): Promise<void>;
  /** Ticks or unticks that row of a picker with check boxes; `accept` then takes the choice. */
  toggle(label: string): Promise<void>;
  accept(): Promise<void>;
  cancel(): Promise<void>;
}

/** The quick input of this page. Every method waits up to Playwright's timeout and then rejects. */
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
    row,
    message,
    open: (text) => open(page, input, text),
    openAndPick: (text, label) => openAndPick(page, input, text, row(label)),
    fill: (text) => input.fill(text),
    enter: async (text, prompt) => {
      // A picker that is on its way out has a text box as well, and a list that an input box has not.
      await widget.locator('.quick-input-list').waitFor({ state: 'hidden' });
      if (prompt !== undefined) await message.filter({ hasText: prompt }).waitFor();
      await input.fill(text);
      await input.press('Enter');
    },
    pick: (label) => row(label).click(),
    toggle: (label) => row(label).locator('.quick-input-list-checkbox, .monaco-checkbox').first().click(),
    accept: () => input.press('Enter'),
    cancel: () => page.keyboard.press('Escape'),
  };
}

/** Highlighting splits a label into pieces, so it is matched as text: alone, or behind a category. */
function labelled(label: string): RegExp {
  const literal = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^\\s*(.*: )?${literal}\\s*$`);
}

const patienceMs = 45_000;
const attemptMs = 1500;
/** A click that is under way is not given up sooner: given up and done all the same, it would be done twice. */
const clickMs = 10_000;

/** Tries `attempt` again and again, each time with the same short timeout; the last failure is the caller's. */
async function retrying(attempt: (timeoutMs: number) => Promise<void>): Promise<void> {
  const giveUpAtMs = Date.now() + patienceMs;
  for (;;) {
    try {
      await attempt(attemptMs);
      return;
    } catch (error) {
      if (Date.now() > giveUpAtMs) throw error;
    }
  }
}

/** The key is pressed again until the palette shows: a window that has just opened is deaf for a moment. */
async function open(page: Page, input: Locator, text: string): Promise<void> {
  await retrying(async (timeout) => {
    await page.keyboard.press('F1');
    await input.fill(text, { timeout });
  });
}

/**
 * A palette that is open does not take up commands that arrive, and a view that takes the focus while the window
 * starts closes it, so it is opened anew until the row could be clicked.
 */
async function openAndPick(page: Page, input: Locator, text: string, row: Locator): Promise<void> {
  await retrying(async (timeout) => {
    await open(page, input, text);
    try {
      await row.waitFor({ timeout });
      await row.click({ timeout: clickMs });
    } catch (error) {
      await page.keyboard.press('Escape');
      await input.waitFor({ state: 'hidden' });
      throw error;
    }
  });
}
