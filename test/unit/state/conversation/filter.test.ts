import { describe, expect, it } from 'vitest';
import type { DetailLevel } from '../../../../src/shared/protocol/vocabulary.ts';
import { showConversation } from '../../../../src/state/conversation/rows.ts';
import { describeFilter, describeRowPlace } from '../../../../src/state/presentation/describeFilter.ts';
import { type ConversationFilter, defaultFilter, unfiltered } from '../../../../src/state/conversation/filter.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { callOf, headerOf, recordOf, resultOf, sessionOf, t, viewOf } from '../samples.ts';

const prompt = (id: string, part: Partial<MessageHeader> = {}) => headerOf(id, { role: 'user', ...part });
const says = (id: string, part: Partial<MessageHeader> = {}) => headerOf(id, { role: 'assistant', ...part });
/** The rows on the page: message and entry IDs, and the states of steps in brackets. */
function shown(
  headers: readonly MessageHeader[],
  reading: Partial<ConversationFilter>,
  opened: readonly string[] = [],
): string[] {
  const view = viewOf({
    filter: { detailLevel: 'work', ...reading },
    openedIds: new Set(opened),
  });
  return showConversation(recordOf({ headers }), view).rows.map(({ source }) => {
    if ('messageId' in source) return source.messageId;
    if ('entryId' in source) return source.entryId;
    return `[${source.steps.steps.map(({ state }) => state).join(' ')}]`;
  });
}

const conversation = [
  headerOf('rules', { role: 'system', isModelOnly: true }),
  prompt('ask 1'),
  says('plan', { phase: 'commentary' }),
  callOf('use 1'),
  resultOf('result 1', 'use 1'),
  callOf('use 2'),
  resultOf('failed', 'use 2', true),
  says('answer 1'),
  headerOf('note', { role: 'system' }),
  prompt('ask 2'),
  headerOf('thought', { role: 'assistant', hasText: false, hasThinking: true }),
  headerOf('empty', { role: 'assistant', hasText: false }),
  says('final', { phase: 'final' }),
  says('shorter', { phase: 'final' }),
];

describe('a conversation filter', () => {
  it('shows every message in the level "everything"', () => {
    expect(shown(conversation, { detailLevel: 'everything' })).toEqual(conversation.map(({ messageId }) => messageId));
  });

  it('shows tool messages and thoughts as steps, and hides messages that only the model receives', () => {
    expect(shown(conversation, { detailLevel: 'work' })).toEqual([
      ...['ask 1', 'plan', '[done failed]', 'answer 1', 'note'],
      ...['ask 2', '[done]', 'final', 'shorter'],
    ]);
  });

  it('shows only prompts, answers, and errors in the level "answers"', () => {
    const answers = ['ask 1', 'failed', 'answer 1', 'ask 2', 'final', 'shorter'];
    expect(shown(conversation, { detailLevel: 'answers' })).toEqual(answers);
  });

  it('uses the last text as the answer if none is marked as final, or commentary if there is nothing else', () => {
    const talk = [
      prompt('a'),
      says('one'),
      says('two'),
      callOf('u'),
      prompt('b'),
      says('going', { phase: 'commentary' }),
    ];
    expect(shown(talk, { detailLevel: 'answers' })).toEqual(['a', 'two', 'b', 'going']);
    expect(
      shown([prompt('a'), says('said'), says('aside', { phase: 'commentary' })], { detailLevel: 'answers' }),
    ).toEqual(['a', 'said']);
  });

  it.each(['answers', 'work', 'everything'] satisfies DetailLevel[])('never hides failures: %s', (detailLevel) => {
    const failed = [
      headerOf('to the model', { isModelOnly: true, isError: true }),
      resultOf('tool', 'a', true),
      headerOf('nothing said', { role: 'assistant', hasText: false, isError: true }),
    ];
    const tool = detailLevel === 'work' ? '[failed]' : 'tool';
    expect(shown(failed, { detailLevel })).toEqual(['to the model', tool, 'nothing said']);
  });

  it('does not treat tool results with the role `user` as prompts', () => {
    const under = { role: 'user', hasText: false, toolCount: 1 } as const;
    expect(shown([prompt('a'), headerOf('r', under), says('b')], { detailLevel: 'answers' })).toEqual(['a', 'b']);
  });

  it('always shows opened messages', () => {
    expect(shown(conversation, { detailLevel: 'answers' }, ['rules', 'use 1'])).toEqual([
      ...['rules', 'ask 1', 'use 1', 'failed', 'answer 1', 'ask 2', 'final', 'shorter'],
    ]);
  });

  it('summarizes the shown messages if the user chose to hide some, or if all are hidden', () => {
    const describe = (filter: ConversationFilter, messageCount = 0, headers: readonly MessageHeader[] = conversation) =>
      describeFilter(filter, showConversation(recordOf({ headers }), view(filter)), messageCount, t);
    const view = (filter: ConversationFilter) => viewOf({ filter });
    expect(describe({ detailLevel: 'answers' }).summary).toBe('Answers Only: 6 of 14 messages');
    expect(describe({ detailLevel: 'answers' }, 2_004).summary).toBe('Answers Only: 6 of 2,004 messages');
    expect(describe(defaultFilter).summary).toBeUndefined();
    expect(describe(defaultFilter, 0, [headerOf('rules', { isModelOnly: true })]).summary).toBe(
      'Answers and Tool Calls: 0 of 1 messages',
    );
    expect(describe({ detailLevel: 'everything' })).toEqual({
      detailLevel: 'everything',
    });
  });
});

describe('the actions below an answer', () => {
  const rowsOf = (status: 'idle' | 'running', headers: readonly MessageHeader[]) =>
    showConversation(recordOf({ headers, session: sessionOf({ status }) }), viewOf())
      .rows.filter((row) => describeRowPlace(row, t)?.isAnswer)
      .map(({ key }) => key);
  const turns = [prompt('a'), says('b'), says('c'), prompt('d'), says('e')];

  it('are shown in each turn that is over', () => {
    expect(rowsOf('idle', turns)).toEqual(['c', 'e']);
    expect(rowsOf('running', turns)).toEqual(['c']);
  });

  it('appear when the turn ends', () => {
    const versionOf = (status: 'idle' | 'running') =>
      showConversation(recordOf({ headers: turns, session: sessionOf({ status }) }), viewOf()).rows.at(-1)?.version;
    expect(versionOf('idle')).not.toBe(versionOf('running'));
  });
});

describe('the duration of a turn', () => {
  it('is shown below its answer once another turn follows, and above the composer until then', () => {
    const turn = [prompt('a', { createdAt: 1_000 }), says('b', { createdAt: 253_000 })];
    const answerOf = (status: 'idle' | 'running', headers: readonly MessageHeader[]) =>
      showConversation(recordOf({ headers, session: sessionOf({ status }) }), viewOf()).rows[1];
    expect(answerOf('running', [...turn, prompt('c', { createdAt: 900_000 })])?.tookMs).toBe(252_000);
    expect(answerOf('idle', turn)?.tookMs).toBeUndefined();
    expect(answerOf('running', turn)?.tookMs).toBeUndefined();
  });

  it("leaves out what the agent's tooling writes before the next prompt", () => {
    const turn = [prompt('a', { createdAt: 1_000 }), says('b', { createdAt: 121_000 })];
    const later = { createdAt: 10_000_000 };
    const took = (...between: MessageHeader[]) => {
      const headers = [...turn, ...between, prompt('c', later)];
      return showConversation(recordOf({ headers }), viewOf({ filter: unfiltered })).rows[1]?.tookMs;
    };
    expect(took(prompt('x', { ...later, hasAddedText: true, hasText: false }))).toBe(120_000);
    expect(took(prompt('x', { ...later, isModelOnly: true }))).toBe(120_000);
    const result = { createdAt: 181_000, hasText: false, toolCount: 1 };
    expect(took(prompt('r', { ...result, isModelOnly: true }))).toBe(180_000);
    expect(took(prompt('r', { ...result, hasAddedText: true }))).toBe(180_000);
  });
});
