import { describe, expect, it } from 'vitest';
import { showConversation } from '../../../../src/state/conversation/rows.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import type { SessionRecord } from '../../../../src/state/store/sessionRecord.ts';
import { toolMarksOf } from '../../../../src/state/tools/toolMarks.ts';
import { callOf, entryOf, headerOf, recordOf, resultOf, sessionOf, viewOf } from '../samples.ts';

const work = viewOf({ filter: { detailLevel: 'work' } });
const says = (id: string) => headerOf(id, { role: 'assistant' });
const input = { questions: [{ question: 'Which one?', options: [{ label: 'A' }] }] };
const asks = (id: string) =>
  callOf(id, { tools: toolMarksOf([{ type: 'tool_use', toolUseId: id, name: 'AskUserQuestion', input }]) ?? '' });

/** The rows of a conversation with the states of their questions; steps in brackets. */
function shown(headers: readonly MessageHeader[], part: Partial<SessionRecord> = {}, view = work) {
  return showConversation(recordOf({ headers, ...part }), view).rows.map(({ source }) => {
    if ('steps' in source) return `[${source.steps.steps.map(({ messageId }) => messageId).join(' ')}]`;
    if ('entryId' in source) return source.entryId;
    const states = (source.asked ?? []).map(({ state, answer }) =>
      `${state} ${answer ? JSON.stringify(answer) : ''}`.trim(),
    );
    return [source.messageId, ...states].join(' ');
  });
}

describe('a question', () => {
  it('has its own row, and is open while nothing follows it', () => {
    expect(shown([headerOf('p'), callOf('a'), asks('q')])).toEqual(['p', '[a]', 'q open']);
    const running = { session: sessionOf({ status: 'running' }) };
    expect(shown([headerOf('p'), asks('q')], running)).toEqual(['p', 'q open']);
  });

  it('is answered by the result of its call', () => {
    const answer = 'q answered {"messageId":"r","updatedAt":1000,"index":0}';
    expect(shown([headerOf('p'), asks('q'), resultOf('r', 'q')])).toEqual(['p', answer]);
    expect(shown([headerOf('p'), asks('q'), resultOf('r', 'q'), callOf('a')])).toEqual(['p', answer, '[a]']);
  });

  it('is failed if its call failed, so the result is no answer', () => {
    const failed = 'q failed {"messageId":"r","updatedAt":1000,"index":0}';
    expect(shown([headerOf('p'), asks('q'), resultOf('r', 'q', true)])).toEqual(['p', failed]);
    expect(shown([headerOf('p'), asks('q'), resultOf('r', 'q', true), headerOf('p2')])).toEqual(['p', failed, 'p2']);
  });

  it('is answered by a rejection, which can contain words of the person', () => {
    const content = [{ type: 'text', text: 'The user denied this operation.' }] as const;
    const tools = toolMarksOf([{ type: 'tool_result', toolUseId: 'q', isError: true, content }]) ?? '';
    const answer = 'q answered {"messageId":"r","updatedAt":1000,"index":0}';
    expect(shown([headerOf('p'), asks('q'), resultOf('r', 'q', true, { tools })])).toEqual(['p', answer]);
  });

  it('is answered by the next message of the user, also while that is being sent', () => {
    const headers = [headerOf('p'), asks('q')];
    expect(shown([...headers, headerOf('p2')])).toEqual(['p', 'q answered {"messageId":"p2","updatedAt":1000}', 'p2']);
    expect(shown(headers, { outbox: [entryOf()] })).toEqual(['p', 'q answered {"entryId":"e1"}', 'e1']);
  });

  it('stays open while a message is only scheduled, or was not sent', () => {
    const headers = [headerOf('p'), asks('q')];
    const waiting = [
      entryOf({ after: { kind: 'time', at: 9_000 } }),
      entryOf({ entryId: 'e2', state: 'notSent' }),
      entryOf({ entryId: 'e3', state: 'unknown' }),
    ];
    expect(shown(headers, { outbox: waiting })).toEqual(['p', 'q open', 'e1', 'e2', 'e3']);
    const sending = entryOf({ entryId: 'e4', state: 'sending' });
    expect(shown(headers, { outbox: [...waiting, sending] })).toContain('q answered {"entryId":"e4"}');
    const searched = entryOf({ entryId: 'e5', state: 'unknown', isSearching: true });
    expect(shown(headers, { outbox: [...waiting, searched] })).toContain('q answered {"entryId":"e5"}');
  });

  it('is passed when the agent continues without an answer', () => {
    expect(shown([headerOf('p'), asks('q'), says('end')])).toEqual(['p', 'q passed', 'end']);
    expect(shown([headerOf('p'), asks('q'), asks('q2')])).toEqual(['p', 'q passed', 'q2 open']);
    expect(shown([headerOf('p'), asks('q'), asks('q2'), headerOf('p2')])).toEqual([
      ...['p', 'q passed', 'q2 answered {"messageId":"p2","updatedAt":1000}', 'p2'],
    ]);
  });

  it('is shown in each view, and in a turn that is collapsed', () => {
    const headers = [headerOf('p'), ...[1, 2, 3].map((at) => callOf(`c${at}`)), asks('q')];
    for (const detailLevel of ['answers', 'everything'] as const) {
      expect(shown(headers, {}, viewOf({ filter: { detailLevel } }))).toContain('q open');
    }
    expect(shown(headers, {}, { ...work, collapseUntil: 9_000 })).toEqual(['p', '[]', 'q open']);
    expect(shown([headerOf('p'), asks('q')], {}, { ...work, collapseUntil: 9_000 })).toEqual(['p', 'q open']);
  });

  it('is described again when a message to the agent is sent or removed', () => {
    const headers = [headerOf('p'), asks('q')];
    const before = showConversation(recordOf({ headers }), work);
    const during = showConversation(recordOf({ headers, outbox: [entryOf()] }), work, before);
    const after = showConversation(recordOf({ headers }), work, during);
    expect(during.rows[1]?.version).not.toBe(before.rows[1]?.version);
    expect(after.rows[1]?.version).toBe(before.rows[1]?.version);
  });

  it('is described again when its answer changes', () => {
    const everything = viewOf({ filter: { detailLevel: 'everything' } });
    const answers = viewOf({ filter: { detailLevel: 'answers' } });
    for (const view of [work, everything, answers]) {
      for (const answer of [headerOf('p2'), resultOf('r', 'q')]) {
        const headers = [headerOf('p'), asks('q')];
        const before = showConversation(recordOf({ headers: [...headers, answer] }), view);
        const changed = { ...answer, updatedAt: 2_000 };
        const after = showConversation(recordOf({ headers: [...headers, changed] }), view, before);
        expect(after.rows[1]?.source).toMatchObject({ messageId: 'q' });
        expect(after.rows[1]?.version).not.toBe(before.rows[1]?.version);
      }
    }
  });
});

it('a command that is called "question" is no question', () => {
  expect(shown([headerOf('p'), callOf('a', {}, 'question')])).toEqual(['p', '[a]']);
});
