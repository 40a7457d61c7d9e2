import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { click, pressAll, type } from '../../../tools/editor/drive/act.ts';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import {
  addSessions,
  clearNotifications,
  connect,
  conversationOf,
  openFile,
  reloadByCommand,
  selectLines,
} from '../journey/sessionSteps.ts';
import { editorShown, hasFocus, patiently } from '../journey/until.ts';

/**
 * The pressed keys and clicks of a journey. Typed text and selecting code don't count: they are the person's own work.
 */
class Steps {
  readonly taken: string[] = [];

  /** Presses keys one after the other, such as the two of a chord. */
  async press(target: Locator, ...keys: readonly string[]): Promise<void> {
    await pressAll(target, ...keys);
    this.taken.push(...keys);
  }

  async click(target: Locator, name: string): Promise<void> {
    await click(target);
    this.taken.push(`click ${name}`);
  }
}

const service = useService();
const journey = useJourney();

describe('a usual task takes as few keys and clicks as it needs:', () => {
  const composer = () => conversationOf(journey.workbench).composer;
  const isComposing = () => hasFocus(composer());

  it('reviewing the changes of the last turn', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, `${service.sessionIdByName.selection} ${service.sessionIdByName.basket}`);
    await clearNotifications(workbench);
    const changes = conversationOf(workbench).frame.getByRole('button', { name: /\d files \+/ });
    await changes.waitFor();
    const steps = new Steps();
    await steps.click(changes, '2 files');
    await editorShown(workbench, 'as written by the agent');
    expect(steps.taken).toHaveLength(1);
    await workbench.execute('workbench.action.closeAllEditors');
  });

  it('three selections and a question', async () => {
    const { workbench } = journey;

    const steps = new Steps();
    const ranges = [
      [3, 5],
      [8, 10],
      [15, 20],
    ] as const;
    for (const [index, [from, to]] of ranges.entries()) {
      await selectLines(workbench, 'src/basket.ts', from, to);
      await steps.press(workbench.editorInput, 'Control+k', 'a');
      await expect.poll(() => conversationOf(workbench).chips.count(), patiently).toBe(index + 1);
      await expect.poll(isComposing, patiently).toBe(true);
    }
    await type(composer(), 'Are these consistent?');
    await steps.press(composer(), 'Enter');
    await expect.poll(() => service.posts().map(({ files }) => files.length), patiently).toEqual([3]);
    expect(steps.taken).toHaveLength(7);
  });

  it('a reply from code to the open session', async () => {
    const { workbench } = journey;
    await openFile(workbench, 'src/basket.ts');
    const steps = new Steps();
    await steps.press(workbench.editorInput, 'Control+k', 'l');
    await expect.poll(isComposing, patiently).toBe(true);
    await type(composer(), 'Thanks.');
    await steps.press(composer(), 'Enter');
    await expect.poll(() => service.posts().at(-1)?.text, patiently).toBe('Thanks.');
    expect(steps.taken).toHaveLength(3);
  });
});

/**
 * Holds what the extension sends to its pages until `release` is called, so that a conversation is loading for as long
 * as a test needs. `focused` resolves when the frame of a page has handled the message with which VS Code tells the
 * frame to take the focus. VS Code sends the message at least 50 ms after it has focused the frame from outside, and a
 * busy frame handles the message later and takes the focus even from something else. Runs in the window.
 */
function holdPages(): { readonly focused: Promise<void>; release(): void } {
  const { prototype } = MessagePort;
  const { postMessage } = prototype;
  const held: (() => void)[] = [];
  const focused = new Promise<void>((resolve) => {
    prototype.postMessage = function (this: MessagePort, ...args: [message: { channel?: unknown } | undefined]) {
      const send = () => Reflect.apply(postMessage, this, args);
      const channel = args[0]?.channel;
      if (channel === 'message') held.push(send);
      else send();
      if (channel !== 'focus') return;
      // The window and its frames are of one site, so one thread handles their messages, in order.
      const { port1, port2 } = new MessageChannel();
      port2.onmessage = () => resolve();
      Reflect.apply(postMessage, port1, [undefined]);
    };
  });
  const release = () => {
    prototype.postMessage = postMessage;
    for (const send of held) send();
  };
  return { focused, release };
}

// These tests continue in the window of the tests above, which is connected to the service, has the sessions `basket`
// and `selection` in its list, and shows one of them.
describe('what a person types', () => {
  it('stays in Add Session while a conversation that was opened before is loading', async () => {
    const { workbench } = journey;
    const { page, quickInput } = workbench;
    await workbench.execute('workbench.action.closeAuxiliaryBar');
    await reloadByCommand(workbench);
    await openFile(workbench, 'src/basket.ts');
    let typed = '';
    const goOn = async (text: string) => {
      await type(page, text);
      typed += text;
    };
    const { composer } = conversationOf(workbench);
    const pages = await page.evaluateHandle(holdPages);
    try {
      await workbench.start('lineside.focusMessageInput');
      await pages.evaluate(({ focused }) => focused);
      await workbench.start('lineside.addSession');
      await page.waitForFunction(() => document.activeElement?.matches('.quick-input-box input'));
      await goOn('not loaded ');
      expect(await composer.isVisible()).toBe(false);
    } finally {
      await pages.evaluate(({ release }) => release());
    }
    while (!(await composer.isVisible())) await goOn('loading ');
    await goOn('and shown, which takes the page a few more frames to do');
    expect(await quickInput.input.inputValue()).toBe(typed);
    expect(await composer.inputValue()).toBe('');
    await quickInput.cancel();
    await quickInput.widget.waitFor({ state: 'hidden' });
    // Wait until the frame takes the focus, which it would take even from an input box that the next test opens.
    const focusing = await page.evaluateHandle(holdPages);
    try {
      await workbench.start('lineside.focusMessageInput');
      await focusing.evaluate(({ focused }) => focused);
    } finally {
      await focusing.evaluate(({ release }) => release());
    }
    await expect.poll(() => hasFocus(composer), patiently).toBe(true);
  });

  /** Adds text and presses Enter in one task of the window, before the extension host can respond to the text. */
  async function enterAtOnce(text: string): Promise<void> {
    await journey.workbench.quickInput.input.evaluate((node, added) => {
      const input = node as HTMLInputElement;
      input.value += added;
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      const enter = new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true });
      // VS Code reads the code of the key, which can't be set otherwise.
      Object.defineProperty(enter, 'keyCode', { value: 13 });
      input.dispatchEvent(enter);
    }, text);
  }

  it('is what Find Sessions opens, even if Enter comes before the list has changed', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    const { basket, selection } = service.sessionIdByName;
    const titles = { [basket]: 'Make vouchers work in the basket', [selection]: "Reject fruits that aren't on sale" };
    // VS Code doesn't see that only one row matches an ID, because the rows don't show it.
    for (const [sessionId, title] of Object.entries(titles)) {
      await workbench.start('lineside.findSessions');
      await quickInput.rows.first().waitFor();
      await enterAtOnce(sessionId);
      await expect.poll(() => conversationOf(workbench).title.innerText(), patiently).toBe(title);
    }
  });

  it('is the computer that Choose Target Computer takes, not a part of it', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    // The only known computer is chosen without a list. The second call then shows a list, to choose another one.
    await workbench.execute('lineside.chooseComputer');
    await conversationOf(workbench).frame.getByText('computer-workstation', { exact: true }).waitFor();
    await workbench.start('lineside.chooseComputer');
    await quickInput.widget.getByPlaceholder('Select a computer').waitFor();
    await type(quickInput.input, 'my-build-ser');
    await quickInput.row('my-build-ser').waitFor();
    await enterAtOnce('ver');
    await conversationOf(workbench).frame.getByText('my-build-server', { exact: true }).waitFor();
  });
});
