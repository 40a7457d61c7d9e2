import { expect, it } from 'vitest';
import { answerShown } from '../journey/answers.ts';
import { addSessions, connect, conversationOf } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { cachedOnDisk } from '../journey/keptFiles.ts';
import { useService } from '../journey/recordedService.ts';
import { treeRow } from '../journey/pointing.ts';
import { patiently } from '../journey/until.ts';

const service = useService();
const journey = useJourney({ settings: { 'lineside.polling.idleSeconds': 5 } });

it('a cached conversation opens without the service, and shows its age', async () => {
  const { workbench } = journey;
  await connect(workbench, service);
  await addSessions(workbench, service.sessionIdByName.login);
  await conversationOf(workbench).article('The states of a session').waitFor();
  await workbench.focusView('lineside.sessions');
  await treeRow(workbench, 'Edge cases: all types of content').waitFor();
  // The cache is written shortly after the session is read. Users don't reload faster than that.
  await expect.poll(() => cachedOnDisk(journey.editor), patiently).toContain('The states of a session');
  await service.wire.refuseConnections();
  await workbench.reload();
  await workbench.focusView('lineside.sessions');
  await treeRow(workbench, 'Edge cases: all types of content').waitFor();
  await workbench.focusView('lineside.conversation');
  const { article, status, title, trouble } = conversationOf(workbench);
  await article('The states of a session').waitFor();
  await trouble.filter({ hasText: 'Showing the last known state.' }).waitFor();
  await expect.poll(() => title.textContent(), patiently).toBe('Edge cases: all types of content');
  await expect.poll(() => status.textContent(), patiently).toMatch(/as of \d/);
});

it('a cached conversation is updated without loading older messages when the service is back', async () => {
  const { workbench } = journey;
  await service.post(service.sessionIdByName.login, 'Written while the window was cut off');
  const before = service.requests.length;
  await service.wire.acceptConnections();
  const { article, trouble } = conversationOf(workbench);
  await article('Written while the window was cut off').waitFor();
  await trouble.filter({ hasText: 'Showing the last known state.' }).waitFor({ state: 'hidden' });
  const lists = service.requests.slice(before).filter(({ url }) => url.includes('/messages?'));
  expect(lists.every(({ url }) => !url.includes('cursor='))).toBe(true);
  // The next test clears the cache, and an answer that is still growing would fill it again.
  await answerShown(conversationOf(workbench), service, service.sessionIdByName.login);
});

it('Clear Cache removes all sessions that could be shown without the service', async () => {
  const { workbench } = journey;
  await workbench.runCommand('Lineside: Clear Cache');
  await workbench.notified('Cleared the cache.');
  await service.wire.refuseConnections();
  await workbench.reload();
  const sideBar = workbench.page.locator('.part.sidebar');
  await workbench.focusView('lineside.sessions');
  await sideBar.getByText("Can't reach the service. Your sessions will appear here when you're back online.").waitFor();
});
