import { describe, expect, it } from 'vitest';
import { addSessions, connect, conversationOf } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import { patiently } from '../journey/until.ts';
import { patienceMs } from '../../../tools/editor/run/patience.ts';

/** LONG_LAG_MS=60000 adds a journey with a lag of a minute, which takes about a minute and a half. */
const longLagMs = Number(process.env['LONG_LAG_MS'] ?? 0);
const lagsMs = [5_000, ...(longLagMs > 0 ? [longLagMs] : [])];

describe.each(lagsMs)('a service whose list lags %i ms behind its sessions', (listLagMs) => {
  const service = useService({ listLagMs });
  const journey = useJourney({ settings: { 'lineside.polling.idleSeconds': 600 } });
  const view = () => conversationOf(journey.workbench);

  it('reports what is missing, and shows every answer without a refresh', async () => {
    const { workbench } = journey;
    const sessionId = service.sessionIdByName.tests;
    await connect(workbench, service);
    await addSessions(workbench, sessionId);
    await view().log.getByRole('article').first().waitFor();
    await view().say('Is the list complete?');
    // The mark is shown only from the end of the answer until the list has it. A wait for an earlier state could miss that
    // state, and then the mark too.
    const mark = view().frame.getByText(/^\d+ messages? not listed yet$/);
    await mark.waitFor();
    await expect.poll(async () => (await service.newest(sessionId)).status, patiently).toBe('idle');
    const last = view().log.getByRole('article').last();
    await expect
      .poll(() => last.getAttribute('aria-label'), { timeout: listLagMs * 2 + patienceMs })
      .toMatch(/^Assistant message/);
    await mark.waitFor({ state: 'hidden', timeout: listLagMs * 2 + patienceMs });
    const { text } = await service.newest(sessionId);
    // Words of the answer itself, after the remark that starts all of them.
    const [words = ''] = /[A-Za-z ,]{15,}/.exec(text.split('\n\n').slice(1).join('\n')) ?? [];
    await view().article(words.trim()).last().waitFor();
  });
});
