import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { click } from '../../../tools/editor/drive/act.ts';
import { seedSessions, sessionIdByName } from '../../../src/demoService/seed/seed.ts';
import { type FaultServer, forwardTo, startFaultServer } from '../../fakes/faultServer.ts';
import { type SilentService, startSilentService } from '../../fakes/silentService.ts';
import {
  addSessions,
  chooseSession,
  clearNotifications,
  connect,
  conversationOf,
  openFile,
} from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { says } from '../journey/mixedSessions.ts';
import { hover, hoverUntil } from '../journey/pointing.ts';
import { finalCount, patiently } from '../journey/until.ts';

/** Matches the text of the item if the current session is idle and two others are running. */
const othersRunning = /^\W*2 running/;

/** The sessions of the demo service behind a proxy. Their agents never answer: the tests write the answers. */
function useIdleAgents() {
  const started: { service?: SilentService; wire?: FaultServer } = {};
  const start = async (token: string) => {
    const { seeds } = seedSessions({ nowMs: Date.now(), seed: 1, historyMessages: 240, historyShape: 'turns' });
    await started.service?.dispose();
    started.service = await startSilentService(seeds, token);
  };
  const service = () => present(started.service);
  const wire = () => present(started.wire);
  beforeAll(async () => {
    await start('first-key');
    started.wire = await startFaultServer({ service: (request) => forwardTo(service().baseUrl)(request) });
  });
  afterAll(async () => {
    await started.wire?.dispose();
    await started.service?.dispose();
  });
  return { service, wire, restart: start };
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The service runs inside tests and hooks only.');
  return value;
}

describe('the status bar item', () => {
  const { service, wire, restart } = useIdleAgents();
  const journey = useJourney({
    settings: { 'lineside.polling.runningSeconds': 1, 'lineside.polling.idleSeconds': 5 },
  });
  const { login, pending, running } = sessionIdByName;
  const item = () => journey.workbench.statusBarItem('lineside.status');

  it('is hidden until there is a session, and then shows that its agent is idle', async () => {
    const { workbench } = journey;
    await connect(workbench, { baseUrl: wire().origin, token: service().token });
    expect(await item().count()).toBe(0);
    await addSessions(workbench, login);
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
    await conversation.say('Why does the test fail?');
    await conversation.article('Why does the test fail?').waitFor();
    await item().filter({ hasText: '3 running' }).waitFor();
    const { store } = service();
    store.setStatus(login, 'running');
    const { id } = store.append(login, says('The cause'));
    await conversation.article(/The cause$/).waitFor();
    await conversation.status.filter({ hasText: 'Running' }).waitFor();
    store.revise(login, id, says('The cause is a missing'));
    await conversation.article(/The cause is a missing$/).waitFor();
    store.revise(login, id, says('The cause is a missing index.'));
    store.setStatus(login, 'idle');
    await conversation.article('The cause is a missing index.').waitFor();
    await item().filter({ hasText: othersRunning }).waitFor();
    await conversation.status.filter({ hasText: 'Idle' }).waitFor();
    const heard = () => conversation.log.evaluate(() => String(Reflect.get(window, 'heard')));
    for (const told of ['Running', 'Idle', 'Answer received']) await expect.poll(heard, patiently).toContain(told);
    expect(await conversation.article('Why does the test fail?').count()).toBe(1);
  });

  it('shows that the connection is lost, and recovers automatically', async () => {
    const { workbench } = journey;
    await wire().refuseConnections();
    await item().filter({ hasText: 'Disconnected' }).waitFor();
    const { trouble } = conversationOf(workbench);
    await trouble.filter({ hasText: "Can't reach the service" }).waitFor();
    await trouble.filter({ hasText: 'Showing the last known state.' }).waitFor();
    await hoverUntil(workbench, item(), hover(workbench, 'Last known: Idle'));
    await wire().acceptConnections();
    await item().filter({ hasText: othersRunning }).waitFor();
    await trouble.filter({ hasText: "Can't reach the service" }).waitFor({ state: 'hidden' });
  });

  it('shows that the API key was rejected, and no requests are sent until a new key is set', async () => {
    const { workbench } = journey;
    await restart('another-key');
    await workbench.execute('lineside.refresh', { sessionId: login });
    await item().filter({ hasText: 'Key rejected' }).waitFor();
    await conversationOf(workbench).trouble.filter({ hasText: 'Your API key was rejected.' }).waitFor();
    const before = await finalCount(wire().requests);
    await openFile(workbench, 'src/basket.ts');
    await openFile(workbench, 'src/price.ts');
    await conversationOf(workbench).write('Kept until there is a key');
    await expect.poll(() => conversationOf(workbench).send.isDisabled(), patiently).toBe(true);
    expect(wire().requests.length).toBe(before);
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
