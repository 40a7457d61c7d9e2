/**
 * How tests act on VS Code and on its pages. A lint rule requires that no other module of the tests sends keys, clicks,
 * or text to an element. Benchmarks aren't checked.
 *
 * VS Code moves the focus while it opens and closes editors, views, and pickers, so input that is sent only once can go
 * elsewhere, and a test would wait in vain for its effect. These functions therefore find out whether the target
 * received the input. If it didn't, nothing has happened to the target, and the input is sent again. `effect` is for
 * actions that VS Code may ignore although it received them, such as a key while a tree is refreshed: the action is
 * repeated until `effect` is true, so it must be harmless to repeat.
 */
import type { ElementHandle, JSHandle, Locator, Page } from 'playwright-core';
import { patienceMs } from '../run/patience.ts';
import { hasFocus, until } from './until.ts';

/** Resolves to whether an action has had its effect, which must be visible soon after the action. */
type Effect = () => Promise<boolean>;

interface PressOptions {
  readonly effect?: Effect;
  readonly timeout?: number;
  /**
   * Whether the key can close the target. VS Code's key bindings act on an input box that has just lost the focus, so
   * the key counts as received if the target is gone.
   */
  readonly mayClose?: boolean;
}

type ClickOptions = NonNullable<Parameters<Locator['click']>[0]> & { readonly effect?: Effect };

/**
 * Moves the focus to an element, unless the element itself has it already.
 * @throws if the element doesn't get the focus in time.
 */
export async function focus(target: Locator, { timeout = patienceMs }: PressOptions = {}): Promise<void> {
  await until(
    () => hasFocus(target),
    () => target.focus({ timeout }),
    timeout,
  );
}

/**
 * Presses a key, such as `Enter` or `Control+K`, in an element, which gets the focus first. With a page as the target,
 * the key goes to the element that has the focus: in VS Code, give an `effect`, or wait until the focus is where it
 * must be.
 * @throws if the element doesn't receive the key, or `effect` doesn't become true, in time.
 */
export async function press(
  target: Locator | Page,
  key: string,
  { effect, timeout = patienceMs, mayClose = false }: PressOptions = {},
): Promise<void> {
  if (effect) await until(effect, () => deliver(target, key, timeout, mayClose), timeout);
  else await deliver(target, key, timeout, mayClose);
}

/** Holds a key down until it has been sent `count` times, each time to the element that has the focus then. */
export async function hold(page: Page, key: string, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) await page.keyboard.down(key);
  await page.keyboard.up(key);
}

/** Presses keys one after the other, such as the two of a chord. */
export async function pressAll(target: Locator | Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await press(target, key);
}

/**
 * Types text at the cursor of an element, which gets the focus first.
 * @throws if some of the keys didn't reach the element. These can't be typed again, because the others have had their
 * effect.
 */
export async function type(target: Locator | Page, text: string): Promise<void> {
  // Playwright sends no keys for other characters, only their text.
  const expected = text.match(/[\n -~]/g)?.length ?? 0;
  const received = await sending(target, patienceMs, (page) => page.keyboard.type(text), expected, false);
  if (received < expected) throw new Error(`Typed "${text}", but ${expected - received} keys went elsewhere.`);
}

/** Inserts text as one input at the cursor of the focused element, as an input method does. */
export async function insertText(page: Page, text: string): Promise<void> {
  await page.keyboard.insertText(text);
}

/**
 * Replaces the text of an input box or a text area, and waits until the element contains it. In an input box, line
 * breaks become spaces.
 */
export async function fill(target: Locator, text: string, { timeout = patienceMs }: PressOptions = {}): Promise<void> {
  const results = [text, text.replaceAll('\n', ' ')];
  await until(
    async () => results.includes(await target.inputValue({ timeout: 1_000 })),
    () => target.fill(text, { timeout }),
    timeout,
  );
}

/**
 * Clicks an element. Playwright waits until the element stays in its place, and clicks again if another element covered
 * it at that moment.
 */
export async function click(target: Locator, { effect, ...options }: ClickOptions = {}): Promise<void> {
  if (effect) await until(effect, () => target.click(options), options.timeout);
  else await target.click(options);
}

/** Double-clicks an element. */
export async function doubleClick(target: Locator, { effect, ...options }: ClickOptions = {}): Promise<void> {
  if (effect) await until(effect, () => target.dblclick(options));
  else await target.dblclick(options);
}

/**
 * Moves the pointer over an element. With an effect, repeatedly moves the pointer away and back until `effect` is true,
 * because VS Code shows no hover for a pointer that doesn't enter the element.
 */
export async function hover(target: Locator, { effect }: Pick<PressOptions, 'effect'> = {}): Promise<void> {
  const enter = async () => {
    await target.page().mouse.move(0, 0);
    await target.hover();
  };
  if (effect) await until(effect, enter);
  else await target.hover();
}

/** Drags an element to another one until `effect` is true. */
export async function drag(source: Locator, target: Locator, effect: Effect): Promise<void> {
  await until(effect, () => source.dragTo(target));
}

/** Presses a key until the target has received it. */
async function deliver(target: Locator | Page, key: string, timeout: number, mayClose: boolean): Promise<void> {
  const received = await sending(target, timeout, (page) => page.keyboard.press(key), 1, mayClose);
  if (received === 0) throw new Error(`Pressed ${key}, but the focus was elsewhere.`);
}

/**
 * Sends keys to the target, which gets the focus first. If it received none of them, sends them again until the
 * timeout. Resolves to the number of keys that it received, not counting modifier keys.
 */
async function sending(
  target: Locator | Page,
  timeout: number,
  send: (page: Page) => Promise<void>,
  expected: number,
  mayClose: boolean,
): Promise<number> {
  if (!('elementHandle' in target)) {
    await send(target);
    return expected;
  }
  const giveUpAtMs = Date.now() + timeout;
  await focus(target, { timeout });
  for (;;) {
    const receipt = await armed(await target.elementHandle({ timeout }));
    await send(target.page());
    // A key can also close or reload the page that received it.
    const received = await receipt.evaluate((counted) => counted.stop()).catch(() => expected);
    if (received > 0 || expected === 0 || Date.now() > giveUpAtMs) return received;
    const isClosed = async () => mayClose && !(await target.isVisible());
    await until(
      async () => (await isClosed()) || (await hasFocus(target)),
      () => target.focus({ timeout: refocusMs }),
      timeout,
    );
    if (await isClosed()) return expected;
  }
}

/** How long an attempt to focus a target, which may have been closed, can take. */
const refocusMs = 1_000;

/** Counts the keys that reach the element or one in it. `stop` returns their number. */
function armed(node: ElementHandle): Promise<JSHandle<{ stop(): number }>> {
  return node.evaluateHandle((element) => {
    const [listening, keys] = [new AbortController(), { count: 0 }];
    const count = (event: KeyboardEvent) => {
      const isModifier = ['Alt', 'Control', 'Meta', 'Shift'].includes(event.key);
      if (!isModifier && event.composedPath().includes(element)) keys.count++;
    };
    element.ownerDocument?.defaultView?.addEventListener('keydown', count, { capture: true, signal: listening.signal });
    const stop = () => {
      listening.abort();
      return keys.count;
    };
    return { stop };
  });
}
