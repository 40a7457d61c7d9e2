import { describe, expect, it } from 'vitest';
import type { Session } from '../../../../src/api/resources/session.ts';
import { showConversation } from '../../../../src/state/conversation/rows.ts';
import { describeTurn } from '../../../../src/state/presentation/describeChanges.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { errorsIn } from '../../../../src/state/work/agentErrors.ts';
import { headerOf, minuteMs, recordOf, sessionOf, t, viewOf } from '../samples.ts';
import { execute, file, result, withMarks, written } from '../work/marks.ts';

const prompt = headerOf('prompt', { role: 'user', createdAt: 10_000 });
const answer = headerOf('answer', { role: 'assistant', createdAt: 10_000 + 4 * minuteMs + 12_000 });

function described(headers: readonly MessageHeader[], status: Session['status'] = 'idle', asOf = 0) {
  const record = recordOf({ headers, session: sessionOf({ status }), asOf });
  return describeTurn(showConversation(record, viewOf()).inputs.turns.at(-1), record, t);
}

/** The labels of the changes, the errors, and the time. */
function labels(...input: Parameters<typeof described>): (string | undefined)[] {
  const { changes, errors, time } = described(...input) ?? {};
  return [changes?.label, errors?.label, time?.label];
}

describe('the last turn', () => {
  it('is described by its files, errors, and duration, and identified by its first message', () => {
    const failed = [withMarks('run', execute('x', 'npm test')), withMarks('out', result('x', 'Exit code 1'))];
    const turn = [prompt, ...written('w', file('a.ts', 'edited', 12, 4)), ...failed, answer];
    const earlier = [headerOf('before', { role: 'user' }), ...written('v', file('b.ts'))];
    expect(described([...earlier, ...turn])).toEqual({
      messageId: 'prompt',
      changes: { label: '1 file +12 −4', hint: 'Show the changes as the agent wrote them' },
      errors: { label: '1 error', hint: 'Show the errors of this turn' },
      time: { label: 'Worked for 4 min', hint: '4 min 12 s from the prompt to the end of the turn' },
    });
    const overloaded = headerOf('e', { role: 'assistant', isError: true, createdAt: 20_000 });
    expect(labels([...turn, overloaded])).toEqual(['1 file +12 −4', '2 errors', 'Worked for 4 min']);
    expect(errorsIn([...turn, overloaded])).toHaveLength(2);
  });

  it('says in whole minutes how long the agent was running at the last refresh', () => {
    const at = (ms: number) => labels([prompt], 'running', prompt.createdAt + ms)[2];
    expect([at(59_999), at(minuteMs), at(3 * minuteMs + 59_999), at(65 * minuteMs)]).toEqual([
      undefined,
      'Working for 1 min',
      'Working for 3 min',
      'Working for 1 h 5 min',
    ]);
    // The clock of the service is ahead.
    expect(labels([prompt, answer], 'running', 0)[2]).toBe('Working for 4 min');
  });

  it('has no duration if its prompt or the state of the agent is unknown, or if nothing followed', () => {
    expect(described([answer])).toBeUndefined();
    expect(described([prompt])).toBeUndefined();
    expect(described([prompt, answer], 'unknown', prompt.createdAt + 60 * minuteMs)).toBeUndefined();
    expect(described([])).toBeUndefined();
  });

  it('has no duration if it took less than a second', () => {
    const after = (ms: number) => headerOf('answer', { role: 'assistant', createdAt: prompt.createdAt + ms });
    expect([999, 1_000].map((ms) => labels([prompt, after(ms)])[2])).toEqual([undefined, 'Worked for 1 s']);
  });

  it("isn't longer because the agent's tooling writes before the next prompt", () => {
    const createdAt = answer.createdAt + 180 * minuteMs;
    const context = headerOf('context', { hasAddedText: true, hasText: false, createdAt });
    expect(labels([prompt, answer, context])[2]).toBe('Worked for 4 min');
    expect(labels([prompt, answer, headerOf('hidden', { isModelOnly: true, createdAt })])[2]).toBe('Worked for 4 min');
    expect(described([prompt, context])).toBeUndefined();
  });

  it('has no duration while the agent may be running but refreshes fail', () => {
    const asOf = prompt.createdAt + 5 * minuteMs;
    const failure = { kind: 'unreachable', at: asOf } as const;
    const record = recordOf({ headers: [prompt], session: sessionOf({ status: 'running' }), asOf, failure });
    expect(describeTurn(showConversation(record, viewOf()).inputs.turns.at(-1), record, t)).toBeUndefined();
  });
});
