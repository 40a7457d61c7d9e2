import { describe, expect, it } from 'vitest';
import type { DetailLevel } from '../../../../src/shared/protocol/vocabulary.ts';
import type { RowsView } from '../../../../src/state/conversation/row.ts';
import { showConversation } from '../../../../src/state/conversation/rows.ts';
import { describeGroup, describeFilter } from '../../../../src/state/presentation/filter.ts';
import type { ConversationFilter } from '../../../../src/state/conversation/filter.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { headerOf, recordOf, sessionOf, t } from '../samples.ts';

const prompt = (id: string, part: Partial<MessageHeader> = {}) => headerOf(id, { role: 'user', ...part });
const says = (id: string, part: Partial<MessageHeader> = {}) => headerOf(id, { role: 'assistant', ...part });
const uses = (id: string) => headerOf(id, { role: 'assistant', hasText: false, toolCount: 1 });
const result = (id: string, isError = false) =>
  headerOf(id, { role: 'tool', hasText: false, toolCount: 1, isError, errorCount: isError ? 1 : 0 });

/** The rows on the page: message and entry IDs, and groups as `[count/errors]`, with `+` if expanded. */
function shown(
  headers: readonly MessageHeader[],
  reading: Partial<ConversationFilter>,
  opened: readonly string[] = [],
): string[] {
  const view: RowsView = {
    filter: { detailLevel: 'work', hiddenRoles: [], ...reading },
    openedIds: new Set(opened),
  };
  return showConversation(recordOf({ headers }), view).rows.map(({ source }) => {
    if ('messageId' in source) return source.messageId;
    if ('entryId' in source) return source.entryId;
    const { messageIds, errorCount, isOpen } = source.group;
    return `[${messageIds.length}/${errorCount}]${isOpen ? '+' : ''}`;
  });
}

const conversation = [
  headerOf('rules', { role: 'system', isModelOnly: true }),
  prompt('ask 1'),
  says('plan', { phase: 'commentary' }),
  uses('use 1'),
  result('result 1'),
  uses('use 2'),
  result('failed', true),
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

  it('groups tool messages, shows errors individually, and hides messages that only the model receives', () => {
    expect(shown(conversation, { detailLevel: 'work' })).toEqual([
      ...['ask 1', 'plan', '[4/1]', 'failed', 'answer 1', 'note'],
      ...['ask 2', 'thought', 'final', 'shorter'],
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
      uses('u'),
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
      result('tool', true),
      headerOf('nothing said', { role: 'assistant', hasText: false, isError: true }),
    ];
    expect(shown(failed, { detailLevel })).toEqual(['to the model', 'tool', 'nothing said']);
  });

  it('does not treat tool results with the role `user` as prompts', () => {
    const under = { role: 'user', hasText: false, toolCount: 1 } as const;
    expect(shown([prompt('a'), headerOf('r', under), says('b')], { detailLevel: 'answers' })).toEqual(['a', 'b']);
  });

  it('hides the selected roles', () => {
    expect(shown(conversation, { detailLevel: 'everything', hiddenRoles: ['tool', 'system', 'user'] })).toEqual([
      ...['plan', 'use 1', 'use 2', 'answer 1', 'thought', 'empty', 'final', 'shorter'],
    ]);
  });

  it('always shows opened messages', () => {
    expect(shown(conversation, { detailLevel: 'answers' }, ['rules', 'use 1'])).toEqual([
      ...['rules', 'ask 1', 'use 1', 'failed', 'answer 1', 'ask 2', 'final', 'shorter'],
    ]);
  });

  it('summarizes the shown messages if any are hidden', () => {
    const describe = (filter: ConversationFilter) =>
      describeFilter(filter, showConversation(recordOf({ headers: conversation }), view(filter)), t);
    const view = (filter: ConversationFilter): RowsView => ({ filter, openedIds: new Set() });
    expect(describe({ detailLevel: 'answers', hiddenRoles: [] }).summary).toBe('Answers Only: 6 of 14 messages');
    expect(describe({ detailLevel: 'work', hiddenRoles: ['tool'] }).summary).toBe(
      'Answers and Tool Calls: 10 of 14 messages',
    );
    expect(describe({ detailLevel: 'everything', hiddenRoles: [] })).toEqual({
      detailLevel: 'everything',
      hiddenRoles: [],
    });
  });
});

describe('a group of tool messages', () => {
  it('is expanded completely if any of its messages is opened', () => {
    const all = ['[4/1]+', 'use 1', 'result 1', 'use 2', 'failed'];
    expect(shown(conversation.slice(3, 7), {}, ['use 2'])).toEqual(all);
  });

  it('is not created for a single message or for errors', () => {
    expect(shown([uses('a'), result('b', true), result('c', true)], {})).toEqual(['a', 'b', 'c']);
  });

  it('keeps its row key while it grows, but changes the row version', () => {
    const rowOf = (headers: readonly MessageHeader[]) =>
      showConversation(recordOf({ headers }), {
        filter: { detailLevel: 'work', hiddenRoles: [] },
        openedIds: new Set(),
      }).rows[0];
    const [before, after] = [rowOf([uses('a'), result('b')]), rowOf([uses('a'), result('b'), uses('c')])];
    expect(after?.key).toBe(before?.key);
    expect(after?.version).not.toBe(before?.version);
  });

  it('shows its numbers of messages and errors', () => {
    const group = { messageIds: ['a', 'b', 'c'], errorCount: 0, isOpen: false, createdAt: 1 };
    expect(describeGroup('k', group, t).group?.label).toBe('3 tool messages');
    expect(describeGroup('k', { ...group, errorCount: 1 }, t).group?.label).toBe('3 tool messages, 1 error');
    expect(describeGroup('k', { ...group, errorCount: 2 }, t).group?.label).toBe('3 tool messages, 2 errors');
  });
});

describe('the duration of a turn', () => {
  it('is shown once the turn is complete', () => {
    const headers = [prompt('a', { createdAt: 1_000 }), says('b', { createdAt: 253_000 })];
    const lastOf = (status: 'idle' | 'running') =>
      showConversation(recordOf({ headers, session: sessionOf({ status }) }), {
        filter: { detailLevel: 'work', hiddenRoles: [] },
        openedIds: new Set(),
      }).rows.at(-1);
    expect(lastOf('idle')?.tookMs).toBe(252_000);
    expect(lastOf('running')?.tookMs).toBeUndefined();
  });
});
