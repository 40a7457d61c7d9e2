import { expect, it } from 'vitest';
import type { Message } from '../../../../src/api/resources/message.ts';
import { waitingOf } from '../../../../src/state/store/waiting.ts';
import { type MessageHeader, summarizeMessage } from '../../../../src/state/store/messageHeader.ts';
import type { SessionRecord } from '../../../../src/state/store/sessionRecord.ts';
import { entryOf, headerOf, key, recordOf, sessionOf } from '../samples.ts';

type Content = Message['content'];
const text = (words: string): Content[number] => ({ type: 'text', text: words });
const result = (toolUseId: string | undefined, isError = false): Content[number] => ({
  type: 'tool_result',
  toolUseId,
  isError,
  content: [text('ok')],
});

let count = 0;
const message = (role: Message['role'], content: Content, part: Partial<Message> = {}): MessageHeader => {
  const id = `m${++count}`;
  return { ...summarizeMessage({ id, role, createdAt: count, updatedAt: count, content, ...part }), messageId: id };
};
const prompt = message('user', [text('Please fix it')]);
const says = (words: string, part: Partial<Message> = {}) => message('assistant', [text(words)], part);
const results = (...blocks: Content) => message('user', blocks);

/** A message with calls, written as `kind callId`; `!` marks a question that asks for approval. */
function calls(list: readonly string[], part: Partial<MessageHeader> = {}): MessageHeader {
  const marks = list.map((call, index) => {
    const [kind, callId] = call.replace('!', '').split(' ');
    return ['c', index, callId ?? null, kind, kind === 'question' ? 'Which one?' : 'x', 0, 0, [], call.includes('!')];
  });
  const header = headerOf(`m${++count}`, { role: 'assistant', hasText: false, toolCount: list.length });
  return { ...header, tools: JSON.stringify(marks), ...part };
}

const idle = (headers: readonly MessageHeader[], part: Partial<SessionRecord> = {}): SessionRecord =>
  recordOf({
    headers,
    session: sessionOf({ messageCount: headers.length }),
    history: { completeness: 'complete', isLoading: false, settledCount: headers.length },
    ...part,
  });
const ruleOf = (headers: readonly MessageHeader[], part: Partial<SessionRecord> = {}) =>
  waitingOf(idle(headers, part))?.rule;

const question = calls(['question a']);
const plan = calls(['question a!']);
const thinking = message('assistant', [{ type: 'thinking', thinking: 'Hm?' }]);

it.each<[string, readonly MessageHeader[], 'question' | 'approval' | 'answer' | undefined]>([
  ['a question without an answer', [prompt, question], 'question'],
  ['a question in a message with text', [prompt, calls(['question a'], { hasText: true })], 'question'],
  ['a question whose call has no ID', [prompt, calls(['question'])], 'question'],
  ['a question in a message without a role', [prompt, calls(['question a'], { role: undefined })], 'question'],
  ['a question asked with another call', [prompt, calls(['question a', 'read b']), results(result('b'))], 'question'],
  ['a question asked before another call', [prompt, question, calls(['read b']), results(result('b'))], 'question'],
  ['a question after which the agent thought', [prompt, question, thinking], 'question'],
  ['the second of two questions', [prompt, calls(['question a', 'question b']), results(result('a'))], 'question'],
  ['a question at the start of a session', [question], 'question'],
  ['an answered question', [prompt, question, results(result('a'))], undefined],
  ['a rejected question', [prompt, question, results(result('a', true))], undefined],
  ['a question answered without an ID', [prompt, question, results(result(undefined))], undefined],
  [
    'a question answered for the model only',
    [prompt, question, { ...results(result('a')), isModelOnly: true }],
    undefined,
  ],
  [
    'a question answered by text without a role',
    [prompt, question, message(undefined, [text('the first')])],
    undefined,
  ],
  [
    'a question after which the agent continued',
    [prompt, question, results(result('b')), calls(['execute c']), results(result('c'))],
    undefined,
  ],
  [
    'a question after which the agent wrote and continued',
    [prompt, question, says('Let me look.'), calls(['read b']), results(result('b'))],
    undefined,
  ],
  ['a question followed by text', [prompt, question, says('I picked the first.')], undefined],
  ['a question of an earlier turn', [prompt, question, message('user', [text('Stop.')])], undefined],
  ['a question of an earlier turn, then a picture', [question, headerOf('picture', { role: 'user' })], undefined],
  ['another call without an answer', [prompt, calls(['execute a'])], undefined],
  ['a question that the service no longer lists', [prompt, { ...question, isGone: true }], undefined],
  ['a plan that asks for approval', [prompt, plan], 'approval'],
  ['an approved plan', [prompt, plan, results(result('a'))], undefined],
  ['an answer that ends in a question', [prompt, says('Done. Shall I commit it?')], 'answer'],
  ['a final answer that ends in a question', [prompt, says('Commit it?', { openaiPhase: 'final_answer' })], 'answer'],
  ['an answer after which the agent thought', [prompt, says('Shall I commit it?'), thinking], 'answer'],
  [
    'an answer in one message with its calls',
    [
      prompt,
      message('assistant', [
        { type: 'tool_use', toolUseId: 'a', name: 'x', input: {} },
        result('a'),
        text('Commit it?'),
      ]),
    ],
    'answer',
  ],
  ['a statement', [prompt, says('Done.')], undefined],
  ['a question in the middle of an answer', [prompt, says('Why? Because.')], undefined],
  ['a progress update', [prompt, says('Where is it?', { openaiPhase: 'commentary' })], undefined],
  ['an error', [prompt, says('What happened?', { isError: true })], undefined],
  ['a text before a call', [prompt, says('Where is it?'), calls(['read a']), results(result('a'))], undefined],
  [
    'a text with a call',
    [prompt, message('assistant', [text('Where?'), { type: 'tool_use', toolUseId: 'a', name: 'x', input: {} }])],
    undefined,
  ],
  ['a text without a role', [prompt, message(undefined, [text('Shall I?')])], undefined],
  ['a system message', [prompt, message('system', [text('Shall I?')])], undefined],
  ['an answer before a system message', [prompt, says('Shall I?'), message('system', [text('Stopped.')])], undefined],
  ['an answer that only the model sees', [prompt, { ...says('Shall I?'), isModelOnly: true }], undefined],
  ['a prompt', [message('user', [text('Can you fix it?')])], undefined],
  ['code', [prompt, says('It is `a ?`')], undefined],
  ['a URL', [prompt, says('See https://x.test/a?')], undefined],
  ['a quotation', [prompt, says('It prints "Continue?"')], undefined],
  ['no messages', [], undefined],
])('%s', (_what, headers, rule) => {
  expect(ruleOf(headers)).toBe(rule);
});

const asks = [prompt, says('Done. Shall I commit it?')];
const last = asks[1]!.messageId;

it('names the message and the question', () => {
  expect(waitingOf(idle(asks))).toEqual({ messageId: last, rule: 'answer', question: 'Shall I commit it?' });
  expect(waitingOf(idle([prompt, plan]))).toEqual({
    messageId: plan.messageId,
    rule: 'approval',
    question: 'Which one?',
  });
});

it.each(['running', 'pending', 'unknown'] as const)('no agent waits in the state %s', (status) => {
  expect(ruleOf(asks, { session: sessionOf({ messageCount: 2, status }) })).toBeUndefined();
});

it.each(['queued', 'sending', 'accepted', 'unknown', 'notSent'] as const)(
  'no agent waits if a message to it is in the outbox (%s)',
  (state) => expect(ruleOf(asks, { outbox: [entryOf({ state })] })).toBeUndefined(),
);

it('an agent can wait although a message to it is scheduled', () => {
  const scheduled = entryOf({ after: { kind: 'time', at: 1 } });
  expect(ruleOf(asks, { outbox: [scheduled, { ...scheduled, state: 'notSent' }] })).toBe(ruleOf(asks));
  expect(ruleOf(asks, { outbox: [scheduled, entryOf()] })).toBeUndefined();
  expect(ruleOf(asks, { outbox: [{ ...scheduled, state: 'sending' }] })).toBeUndefined();
});

it('no agent waits as long as the newest messages are not known', () => {
  expect(ruleOf(asks, { session: sessionOf({ messageCount: 3 }) })).toBeUndefined();
  expect(ruleOf(asks, { history: { completeness: 'complete', isLoading: false } })).toBeUndefined();
  expect(ruleOf(asks, { session: undefined })).toBeUndefined();
  expect(ruleOf(asks.map((header) => ({ ...header, isDetached: true })))).toBeUndefined();
});

it('what was read without the conversation counts until messages are added, or the conversation is read', () => {
  const waiting = { messageId: 'm', rule: 'question', question: 'Which one?' } as const;
  const unread = { completeness: 'unread', isLoading: false } as const;
  const tail = { messageCount: 2, isError: false, excerpt: '', files: [], waiting };
  const part = { tail, session: sessionOf({ messageCount: 2 }), history: unread };
  expect(waitingOf(idle([], part))).toBe(waiting);
  expect(waitingOf(idle([], { ...part, session: sessionOf({ messageCount: 3 }) }))).toBeUndefined();
  expect(waitingOf(idle([], { ...part, session: sessionOf({ messageCount: 2, status: 'running' }) }))).toBeUndefined();
  expect(waitingOf(idle([], { ...part, outbox: [entryOf()] }))).toBeUndefined();
  expect(waitingOf(idle([], { ...part, listEntry: { key, addedAt: 1, notWaitingId: 'm' } }))).toBeUndefined();
  // A conversation that was open before, and whose newest messages aren't loaded.
  expect(waitingOf(idle([prompt], { ...part, history: { ...unread, completeness: 'partial' } }))).toBe(waiting);
  const settled = { ...unread, completeness: 'partial', settledCount: 2 } as const;
  expect(waitingOf(idle([prompt], { ...part, history: settled }))).toBeUndefined();
  expect(
    waitingOf(idle(asks, { ...part, history: { ...unread, completeness: 'complete', settledCount: 2 } }))?.rule,
  ).toBe('answer');
});

it('no agent waits in an archived session, a transient one, or one that the user said is not waiting', () => {
  const sessionSettings = { archivedAt: '2026-01-01' };
  expect(ruleOf(asks, { session: sessionOf({ messageCount: 2, sessionSettings }) })).toBeUndefined();
  expect(ruleOf(asks, { listEntry: { key, addedAt: 1, isTransient: true } })).toBeUndefined();
  expect(ruleOf(asks, { listEntry: { key, addedAt: 1, notWaitingId: last } })).toBeUndefined();
  expect(ruleOf(asks, { listEntry: { key, addedAt: 1, notWaitingId: prompt.messageId } })).toBe('answer');
});
