import { describe, expect, it } from 'vitest';
import { click } from '../../../tools/editor/drive/act.ts';
import {
  addSessions,
  connect,
  conversationOf,
  type ConversationPage,
  reloadByCommand,
} from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { firstInView, offsetOf, scrollDown } from '../journey/readingPlace.ts';
import { useService } from '../journey/recordedService.ts';
import { patiently } from '../journey/until.ts';

describe('a conversation with thousands of messages', () => {
  const service = useService({ messages: 3_000, order: 'asc' });
  const journey = useJourney();

  it('restores a reading position far from the end after a reload and after being hidden', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.history);
    const view = conversationOf(workbench);
    await view.article('Turn 600').first().waitFor();
    await expect.poll(() => rowCount(view), patiently).toBe(1_800);
    await scrollDown(view, -0.7 * (await view.log.evaluate((scroller) => scroller.scrollHeight)));
    const before = await firstInView(view);
    // A page starts with the last thousand rows, and this row isn't among them.
    expect(before.position).toBeLessThan(800);
    // A message above it may change its height, for example because its time wraps differently; this one stays.
    const isThere = (page: ConversationPage) =>
      expect.poll(() => offsetOf(page, before.position), patiently).toBe(before.offsetPx);
    await isThere(view);
    await reloadByCommand(workbench);
    await isThere(view);
    await workbench.runCommand('View: Toggle Secondary Side Bar Visibility');
    await workbench.page.locator('.part.auxiliarybar').waitFor({ state: 'hidden' });
    await workbench.runCommand('View: Toggle Secondary Side Bar Visibility');
    // VS Code adds `purpose=webviewView` to a webview's URL only when it is first shown, so the driver now finds it
    // as a webview in an editor.
    const again = conversationOf(workbench, 'editor');
    await isThere(again);
    await click(again.button('Jump to Latest'));
    await again.article('Turn 600').first().waitFor();
    await expect.poll(() => rowCount(again), patiently).toBe(1_800);
  });
});

/** The total number of rows, as reported by the last row. */
async function rowCount({ log }: ConversationPage): Promise<number> {
  return Number(await log.getByRole('article').last().getAttribute('aria-setsize'));
}
