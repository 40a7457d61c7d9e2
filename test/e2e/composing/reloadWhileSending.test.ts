import { describe, expect, it } from 'vitest';
import { addSessions, connect, conversationOf } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { draftsOnDisk } from '../journey/keptFiles.ts';
import { useService } from '../journey/recordedService.ts';
import { patiently } from '../journey/until.ts';

const typed = ['First of three', 'Second of three', 'Third of three'];

describe('a window that is reloaded while sending', () => {
  // The agent is so slow that its answers do not push the three messages out of view.
  const service = useService({ agentDelayMs: 60_000 });
  const journey = useJourney();
  const conversation = () => conversationOf(journey.workbench);

  it('keeps the draft, and sends every message once and in order', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.bare);
    await conversation().composer.waitFor();
    // The service processes the first message but never responds, so the other messages have to wait.
    service.wire.addFault({ method: 'POST', times: 1, fault: { kind: 'hang', when: 'after' } });
    for (const text of typed) await conversation().say(text);
    await expect.poll(() => processed(), patiently).toEqual(typed.slice(0, 1));
    await conversation().article('Third of three').getByText('Waiting to be sent').waitFor();
    await conversation().write('Not finished yet');
    await expect.poll(() => draftsOnDisk(journey.editor), patiently).toContain('Not finished yet');
    await workbench.reload();
    await workbench.focusView('lineside.conversation');
    await expect.poll(() => conversation().composer.inputValue(), patiently).toBe('Not finished yet');
    await expect.poll(() => processed(), patiently).toEqual(typed);
    for (const text of typed) {
      await conversation().article(text).getByText('Waiting to be sent').waitFor({ state: 'detached' });
      const shown = conversation()
        .log.getByRole('article', { name: /^User message/ })
        .filter({ hasText: text });
      await shown.first().waitFor();
      expect(await shown.count()).toBe(1);
    }
    expect(await shownInOrder()).toEqual(typed);
    expect(await conversation().composer.inputValue()).toBe('Not finished yet');
  });

  /** The texts of the posted messages that the service has processed, in order. */
  function processed(): string[] {
    return service.posts().flatMap(({ text, isProcessed }) => (isProcessed ? [text] : []));
  }

  async function shownInOrder(): Promise<string[]> {
    const articles = await conversation()
      .log.getByRole('article', { name: /^User message/ })
      .allInnerTexts();
    return articles.flatMap((text) => typed.filter((wanted) => text.includes(wanted)));
  }
});
