import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { click, press } from '../../../tools/editor/drive/act.ts';
import type { SeededSession } from '../../../src/demoService/sessionStore.ts';
import { type SilentService, startSilentService } from '../../fakes/silentService.ts';
import { useJourney } from '../journey/journey.ts';
import { treeRow } from '../journey/pointing.ts';
import { addSessions, connect, conversationOf } from '../journey/sessionSteps.ts';
import { patiently } from '../journey/until.ts';

const count = 225;
const idOf = (place: number) => `long-${place}`;
const titleOf = (place: number) => `Session ${place} of many`;

describe('a long list of sessions', () => {
  const started: { service?: SilentService } = {};
  beforeAll(async () => {
    const seeds = Array.from({ length: count }, (_, place) => seedOf(place));
    started.service = await startSilentService(seeds, 'key-of-a-long-list');
  });
  afterAll(() => started.service?.dispose());
  const journey = useJourney();
  const focused = () => journey.workbench.treeRows('Sessions').and(journey.workbench.page.locator('.focused'));
  const focusedLabel = () => focused().getAttribute('aria-label');
  /** Goes to the last row. A tree that is being refreshed can ignore the key, or move the focus back. */
  const pressEnd = async (label: string | RegExp): Promise<void> => {
    const effect = async () => ((await focusedLabel()) ?? '').search(label) >= 0;
    await press(journey.workbench.tree('Sessions'), 'End', { effect });
  };

  it('is shown in parts by keyboard and by click, and the focus goes to the first new row', async () => {
    const { workbench } = journey;
    await connect(workbench, service());
    await workbench.focusView('lineside.sessions');
    await addSessions(workbench, Array.from({ length: count }, (_, place) => idOf(place)).join(' '));
    await workbench.execute('lineside.refresh');
    await treeRow(workbench, /^\s*Older\s*$/).waitFor();
    await treeRow(workbench, /^\s*Today\s*$/).waitFor({ state: 'detached' });
    await workbench.focusView('lineside.sessions');
    await pressEnd(/^Show 100 of 125 More Sessions\s*$/);
    await workbench.picture('show more sessions');
    await press(workbench.tree('Sessions'), 'Enter');
    await expect.poll(focusedLabel, patiently).toContain(titleOf(100));
    await pressEnd(/^Show 25 More Sessions\s*$/);
    await click(focused());
    await expect.poll(focusedLabel, patiently).toContain(titleOf(200));
    await pressEnd(titleOf(count - 1));
  });

  it('shows the open session, and finds sessions that it does not show', async () => {
    const { workbench } = journey;
    const { page, quickInput } = workbench;
    await workbench.reload();
    await workbench.focusView('lineside.sessions');
    await treeRow(workbench, titleOf(0)).waitFor();
    // VS Code in a browser can lose the latest layout, so the view may be hidden after the reload.
    await workbench.focusView('lineside.conversation');
    // A picker closes if the focus moves, as it does until the page is shown.
    await conversationOf(workbench).article('Please look at the upload client.').waitFor();
    await workbench.start('lineside.findSessions');
    await quickInput.fill('Session 220');
    await quickInput.pick(titleOf(220));
    await expect.poll(() => conversationOf(workbench).title.innerText(), patiently).toBe(titleOf(220));
    await treeRow(workbench, titleOf(220)).and(page.locator('.selected')).waitFor();
    await workbench.focusView('lineside.sessions');
    await pressEnd(/^Show 100 of 124 More Sessions\s*$/);
    await workbench.runCommand('Lineside: Filter Sessions...');
    await quickInput.widget.getByPlaceholder(/^Select states and tags/).waitFor();
    await quickInput.fill('session 133');
    await quickInput.accept();
    await treeRow(workbench, titleOf(133)).waitFor();
    await page.getByText(/Filtered by ".*session 133.*": 1 of 225/).waitFor();
  });

  function service(): SilentService {
    if (!started.service) throw new Error('The service runs inside tests only.');
    return started.service;
  }
});

/** A session that is older than the sections for single days. The first one is the newest. */
function seedOf(place: number): SeededSession {
  const [sessionId, at] = [idOf(place), Date.now() - 30 * 86_400_000 - place * 60_000];
  const times = { createdAt: at, updatedAt: at };
  const content = [{ type: 'text' as const, text: 'Please look at the upload client.' }];
  return {
    session: { sessionId, status: 'idle', messageCount: 1, ...times, title: titleOf(place) },
    messages: [{ id: `${sessionId}-0`, role: 'user', content, ...times }],
  };
}
