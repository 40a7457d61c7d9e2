import { describe, expect, it } from 'vitest';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import { addSessions, clearNotifications, connect, conversationOf } from '../journey/sessionSteps.ts';
import { patiently } from '../journey/until.ts';

/** Text that a notification would draw as links, code, or icons, or that would change the order of what follows. */
const hostile =
  '[Update](command:workbench.action.quit "x") [a](https://evil.test) `code` $(alert) <b>b</b> https://evil.test/x \u202eback';
const shownStart = '[Update] (command:workbench.action.quit "x") [a] (https://evil.test)';

/** Puts the text in the titles of all sessions and in all answers. */
function withHostileTexts(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if ('sessionId' in json && 'status' in json) return { ...json, title: hostile };
  if (!('messages' in json) || !Array.isArray(json.messages)) return json;
  const messages = json.messages.map((message: { role?: string }) =>
    message.role === 'assistant' ? { ...message, content: [{ type: 'text', text: hostile }] } : message,
  );
  return { ...json, messages };
}

describe('notifications about a service that sends hostile text', () => {
  const service = useService({}, withHostileTexts);
  const journey = useJourney({ settings: { 'lineside.notifications.whenFinished': 'always' } });

  it('show it as text', async () => {
    const { workbench } = journey;
    const { login: sessionId } = service.sessionIdByName;
    await connect(workbench, service);
    await addSessions(workbench, sessionId);
    await conversationOf(workbench).say('Please go on');
    await workbench.notification(/finished/).waitFor();
    const body = JSON.stringify({ detail: hostile });
    service.wire.addFault({ method: 'PATCH', fault: { kind: 'answer', status: 422, body } });
    await workbench.start('lineside.archiveSession');
    await workbench.notification('The service rejected the request (422)').waitFor();
    await workbench.execute('notifications.showList');
    const center = workbench.page.locator('.notifications-center');
    const messages = center.locator('.notification-list-item-message');
    await expect.poll(() => messages.count(), patiently).toBeGreaterThanOrEqual(2);
    await workbench.screenshot('hostile notifications');
    for (const html of await messages.evaluateAll((all) => all.map((node) => node.innerHTML))) {
      expect(html).not.toMatch(/<(?!\/?span\b)[a-z]/i);
      expect(html).not.toContain('codicon');
    }
    for (const text of await messages.allInnerTexts()) {
      expect(text).toContain(shownStart.slice(0, 20));
      expect(text).not.toMatch(/[\u202a-\u202e]/);
    }
    expect(await center.locator('.notification-list-item-details-row a:not(.monaco-button)').count()).toBe(0);
    await clearNotifications(workbench);
    expect(workbench.page.context().pages()).toHaveLength(1);
  });
});
