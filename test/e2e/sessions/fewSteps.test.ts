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
  selectLines,
} from '../journey/sessionSteps.ts';
import { editorShown, hasFocus, patiently } from '../journey/until.ts';

/** The pressed keys and clicks of a journey. Typed text and selecting code don't count: they are the person's own work. */
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

const journey = useJourney();

describe('a usual task takes as few keys and clicks as it needs:', () => {
  const service = useService();
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
