import { describe, expect, it } from 'vitest';
import { click } from '../../../tools/editor/drive/act.ts';
import { answerShown } from '../journey/answers.ts';
import {
  addSessions,
  chooseSession,
  clearNotifications,
  connect,
  conversationOf,
  openFile,
} from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import { hover, hoverUntil } from '../journey/pointing.ts';
import { patiently } from '../journey/until.ts';

/** The current session is idle, and two others are running. */
const othersRunning = /^\W*2 running/;

describe('the status bar item', () => {
  // The agent is slow enough that polling once per second sees it running, and that its long task, which begins before the
  // window opens, isn't finished before the end of these tests.
  const service = useService({ agentDelayMs: 500 });
  const journey = useJourney({
    settings: { 'lineside.polling.runningSeconds': 1, 'lineside.polling.idleSeconds': 5 },
  });
  const item = () => journey.workbench.statusBarItem('lineside.status');

  it('is hidden until there is a session, and then shows that its agent is idle', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    expect(await item().count()).toBe(0);
    await addSessions(workbench, service.sessionIdByName.login);
    await item().filter({ hasText: 'Idle' }).waitFor();
    const label = () => item().locator('a, [aria-label]').first().getAttribute('aria-label');
    await expect.poll(label, patiently).toContain('Lineside: Idle');
    await hoverUntil(
      workbench,
      item(),
      hover(workbench, 'Edge cases: all types of content').filter({ hasText: 'Idle' }),
    );
  });

  it('lets the user choose a session, and shows its status and the number of other active sessions', async () => {
    const { workbench } = journey;
    const { pending, running } = service.sessionIdByName;
    await addSessions(workbench, `${pending}, ${running}`);
    await item().filter({ hasText: '2 running' }).waitFor();
    await choose('Migrate the build from webpack to esbuild');
    const { title, status } = conversationOf(workbench);
    await expect.poll(() => title.innerText(), patiently).toBe('Migrate the build from webpack to esbuild');
    await status.filter({ hasText: 'Running' }).waitFor();
  });

  it('follows a message until its answer, which grows in the conversation, is complete', async () => {
    const { workbench } = journey;
    await choose('Edge cases: all types of content');
    await item().filter({ hasText: othersRunning }).waitFor();
    const conversation = conversationOf(workbench);
    await expect.poll(() => conversation.title.innerText(), patiently).toBe('Edge cases: all types of content');
    await conversation.announcements.evaluate((region) => {
      const heard: string[] = [];
      Object.assign(window, { heard });
      const take = () => heard.push(region.textContent);
      new MutationObserver(take).observe(region, { childList: true, subtree: true, characterData: true });
    });
    await conversation.log.evaluate((log) => {
      const lengths = new Set<number>();
      Object.assign(window, { lengths });
      const take = () => lengths.add(log.querySelector('article:last-of-type')?.textContent.length ?? 0);
      new MutationObserver(take).observe(log, { childList: true, subtree: true, characterData: true });
    });
    await conversation.say('Why does the test fail?');
    await conversation.article('Why does the test fail?').waitFor();
    await item().filter({ hasText: '3 running' }).waitFor();
    await item().filter({ hasText: othersRunning }).waitFor();
    await answerShown(conversation, service, service.sessionIdByName.login);
    const sizes = await conversation.log.evaluate(() => (Reflect.get(window, 'lengths') as Set<number>).size);
    expect(sizes).toBeGreaterThan(2);
    const heard = () => conversation.log.evaluate(() => String(Reflect.get(window, 'heard')));
    for (const told of ['Running', 'Idle', 'Answer received']) await expect.poll(heard, patiently).toContain(told);
    expect(await conversation.article('Why does the test fail?').count()).toBe(1);
  });

  it('shows that the connection is lost, and recovers automatically', async () => {
    const { workbench } = journey;
    await service.wire.refuseConnections();
    await item().filter({ hasText: 'Disconnected' }).waitFor();
    const { trouble } = conversationOf(workbench);
    await trouble.filter({ hasText: "Can't reach the service" }).waitFor();
    await trouble.filter({ hasText: 'Showing the last known state.' }).waitFor();
    await hoverUntil(workbench, item(), hover(workbench, 'Last known: Idle'));
    await service.wire.acceptConnections();
    await item().filter({ hasText: othersRunning }).waitFor();
    await trouble.filter({ hasText: "Can't reach the service" }).waitFor({ state: 'hidden' });
  });

  it('shows that the API key was rejected, and no requests are sent until a new key is set', async () => {
    const { workbench } = journey;
    await service.restart({ token: 'another-key' });
    await item().filter({ hasText: 'Key rejected' }).waitFor();
    await conversationOf(workbench).trouble.filter({ hasText: 'Your API key was rejected.' }).waitFor();
    const before = service.requests.length;
    await openFile(workbench, 'src/basket.ts');
    await openFile(workbench, 'src/price.ts');
    await conversationOf(workbench).write('Kept until there is a key');
    await expect.poll(() => conversationOf(workbench).send.isDisabled(), patiently).toBe(true);
    expect(service.requests.length).toBe(before);
    await click(conversationOf(workbench).button('Set API Key...'));
    await workbench.quickInput.enter('another-key', 'API key');
    await workbench.notified('Connected to');
    await item().filter({ hasText: othersRunning }).waitFor();
    await clearNotifications(workbench);
    expect(await conversationOf(workbench).composer.inputValue()).toBe('Kept until there is a key');
  });

  /** Clicks the status bar item and chooses a session. */
  async function choose(title: string): Promise<void> {
    await click(item());
    await chooseSession(journey.workbench, title);
  }
});
