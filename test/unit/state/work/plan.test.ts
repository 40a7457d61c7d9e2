import { expect, it } from 'vitest';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { currentPlan } from '../../../../src/state/work/plan.ts';
import { headerOf } from '../samples.ts';
import { resultMarks, toolHeader as headerOfCall } from './toolHeaders.ts';

const toolHeader = (messageId: string, marks: readonly unknown[], part: Partial<MessageHeader> = {}) =>
  headerOf(messageId, { role: 'assistant', hasText: false, tools: JSON.stringify(marks), ...part });
const planCall = (done: number, total: number, current = '', callId: string | null = null, index = 0) =>
  ['c', index, callId, 'plan', current, done, total, [], false] as const;
const prompt = headerOf('prompt');
const first = toolHeader('first', [planCall(1, 3, 'Read', 'a')]);
const second = toolHeader('second', [planCall(2, 3, 'Write', 'b', 4)]);
const read = toolHeader('read', [['c', 0, 'c', 'read', 'plan.md', 0, 0, [], false]]);
const failed = (callId: string) => toolHeader(`result of ${callId}`, [['r', 0, callId, true, 'no']], { errorCount: 1 });
/** A failure that only the text reports. */
const failedText = (callId: string) => resultMarks(`result of ${callId}`, callId, 'update_plan failed: no such step');

it('is the latest to-do list of the turn, with the place of its call', () => {
  expect(currentPlan([prompt, first, read, second, read])).toEqual({
    messageId: 'second',
    updatedAt: second.updatedAt,
    index: 4,
    done: 2,
    total: 3,
    current: 'Write',
  });
});

it.each<[string, readonly MessageHeader[], string | undefined]>([
  ['no messages', [], undefined],
  ['a turn without a plan', [prompt, read], undefined],
  ['a plan of an earlier turn', [prompt, first, prompt, read], undefined],
  ['a plan that continues in a later turn', [prompt, first, prompt, second], 'second'],
  ['a plan and a progress message', [prompt, first, headerOf('t', { role: 'assistant' })], 'first'],
  [
    'a plan and its result',
    [first, toolHeader('r', [['r', 0, 'a', false, '']], { role: 'user', hasText: false })],
    'first',
  ],
  ['an emptied plan', [prompt, first, toolHeader('none', [planCall(0, 0)])], undefined],
  ['a plan whose call failed', [prompt, first, second, failed('b')], 'first'],
  ['a plan whose call failed according to its text', [prompt, first, second, failedText('b')], 'first'],
  ['only a plan whose call failed according to its text', [prompt, first, failedText('a')], undefined],
  [
    'a plan whose ID another result has, too',
    [prompt, first, toolHeader('r', [['r', 0, 'a', false, '']]), failedText('a')],
    'first',
  ],
  ['a plan next to a failed call', [prompt, second, failed('x')], 'second'],
  ['only a plan whose call failed', [prompt, first, failed('a')], undefined],
  ['a plan that the service no longer lists', [prompt, first, { ...second, isGone: true }], 'first'],
])('is found for %s', (_what, headers, messageId) => {
  expect(currentPlan(headers)?.messageId).toBe(messageId);
});

it('is the last one of a message', () => {
  expect(currentPlan([toolHeader('m', [planCall(0, 2), planCall(1, 2)])])?.done).toBe(1);
});

it('is not known after a call that changes only some items', () => {
  const todos = ['a', 'b', 'c'].map((id) => ({ id, content: `Item ${id}`, status: 'pending' }));
  const whole = headerOfCall('whole', ['TodoWrite', { merge: false, todos }]);
  expect(currentPlan([prompt, whole])).toMatchObject({ messageId: 'whole', done: 0, total: 3 });
  for (const item of [
    { id: 'a', status: 'completed' },
    { id: 'a', status: 'cancelled' },
    { id: 'a', content: 'Item a', status: 'in_progress' },
  ]) {
    const part = headerOfCall('part', ['TodoWrite', { merge: true, todos: [item] }]);
    expect(currentPlan([prompt, whole, part])).toBeUndefined();
    expect(currentPlan([prompt, whole, part, resultMarks('r', 'part', 'no', true)])?.messageId).toBe('whole');
    const again = headerOfCall('again', ['TodoWrite', { merge: false, todos }]);
    expect(currentPlan([prompt, whole, part, again])?.messageId).toBe('again');
  }
});
