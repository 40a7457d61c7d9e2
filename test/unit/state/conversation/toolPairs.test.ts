import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../../../src/api/resources/contentBlock.ts';
import type { Message } from '../../../../src/api/resources/message.ts';
import * as presentation from '../../../../src/state/presentation/describeMessage.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';
import { summarizeMessage } from '../../../../src/state/store/messageHeader.ts';
import { partOf } from '../../../../src/state/conversation/messageParts.ts';
import {
  type ToolPairs,
  pairCandidates,
  pairTools,
  resultMarks,
} from '../../../../src/state/conversation/toolPairs.ts';
import { t } from '../samples.ts';

const describeMessage = (...given: Parameters<typeof presentation.describeMessage>) =>
  withoutPause(presentation.describeMessage(...given));

let time = 1_000;
const message = (id: string, role: Message['role'], ...content: ContentBlock[]): Message => {
  time += 1;
  return { id, role, createdAt: time, updatedAt: time, content };
};
const use = (toolUseId: string, input: unknown = { path: 'src/a.ts' }): ContentBlock => ({
  type: 'tool_use',
  toolUseId,
  name: 'Read',
  input,
});
const result = (toolUseId: string, text: string, isError = false): ContentBlock => ({
  type: 'tool_result',
  toolUseId,
  isError,
  content: text === '' ? [] : [{ type: 'text', text }],
});
const headersOf = (messages: readonly Message[]) => messages.map((one) => summarizeMessage(one));
const shown = (one: Message, pairs: ToolPairs) => describeMessage(one, undefined, one.id, t, pairs).blocks;

describe('a tool call and its result', () => {
  const call = message('a', 'assistant', use('t1'));
  const answer = message('b', 'tool', result('t1', 'one line\nand another'));

  it('refer to each other', () => {
    expect(shown(call, pairTools([call, answer]))).toMatchObject([
      {
        kind: 'toolUse',
        title: 'Read',
        detail: 'src/a.ts',
        result: { text: 'one line', isError: false },
        isError: false,
        blocks: [
          { type: 'code', language: 'json' },
          { type: 'code', text: 'one line\nand another' },
        ],
      },
    ]);
    expect(shown(answer, pairTools([answer, call]))).toMatchObject([
      { kind: 'toolResult', title: 'Result from Read', detail: 'src/a.ts · one line' },
    ]);
  });

  it('show an error on the call and in the tool message', () => {
    const failed = message('c', 'tool', result('t1', 'ENOENT', true));
    const [block] = shown(call, pairTools([call, failed]));
    expect(block).toMatchObject({ result: { text: 'ENOENT', isError: true }, isError: false });
    expect(shown(failed, pairTools([failed, call]))).toMatchObject([{ title: 'Error from Read', isError: true }]);
  });

  it('show a failure that only the text reports, if it counts for the call', () => {
    const log = message('c', 'tool', result('t1', 'log\n[Process exited with code 1]'));
    expect(shown(log, pairTools([log, call]))).toMatchObject([{ title: 'Result from Read', isError: false }]);
    const ran = message('d', 'assistant', {
      ...{ type: 'tool_use', toolUseId: 't1', name: 'Bash', input: { command: 'npm test' } },
    });
    expect(shown(log, pairTools([log, ran]))).toMatchObject([{ title: 'Error from Bash', isError: true }]);
    expect(shown(ran, pairTools([ran, log]))).toMatchObject([{ result: { isError: true } }]);
  });

  it('are shown alone while the counterpart is missing', () => {
    expect(shown(call, pairTools([call]))[0]).not.toHaveProperty('result');
    expect(shown(answer, pairTools([answer]))).toMatchObject([{ title: 'Result', detail: 'one line' }]);
  });

  it('show that there was no output', () => {
    const silent = message('d', 'tool', result('t1', ''));
    expect(shown(call, pairTools([call, silent]))).toMatchObject([{ result: { text: 'no output' } }]);
  });

  it('show the start of a long result without a part of a character', () => {
    const long = message('e', 'tool', result('t1', `${'x'.repeat(3_999)}🚀${'x'.repeat(9)}`));
    const [block] = shown(call, pairTools([call, long]));
    expect(block).toMatchObject({ blocks: [{ type: 'code' }, { type: 'code', text: 'x'.repeat(3_999) }, {}] });
  });

  it('show a long result in full only in the tool message', () => {
    const long = message('e', 'tool', result('t1', 'x'.repeat(10_000)));
    const [block] = shown(call, pairTools([call, long]));
    expect(block).toMatchObject({
      blocks: [
        { type: 'code' },
        { type: 'code', text: 'x'.repeat(4_000) },
        { type: 'note', text: 'Output truncated. See the tool message for the full output.' },
      ],
    });
  });

  it('refer to an image in the result by its message and path', () => {
    const image: ContentBlock = { type: 'image', source: { data: 'iVBORw0KGgo=' } };
    const text: ContentBlock = { type: 'text', text: 'see' };
    const picture = message('f', 'tool', {
      type: 'tool_result',
      toolUseId: 't1',
      isError: false,
      content: [text, image],
    });
    const [block] = shown(call, pairTools([call, picture]));
    const part = { messageId: 'f', path: '0.1' };
    expect(block).toMatchObject({ blocks: [{ type: 'code' }, { text: 'see' }, { type: 'image', part }] });
    expect(partOf(picture, part.path)).toBe(image);
    for (const path of ['', '1', '0.2', '0.1.0', 'x', '-1', '0.']) expect(partOf(picture, path)).not.toBe(image);
  });
});

describe('the counterpart', () => {
  it('is searched for after a call and before a result, nearest first', () => {
    const calls = Array.from({ length: 30 }, (_, index) => message(`m${index}`, 'tool', { type: 'text', text: '' }));
    const asking = message('ask', 'assistant', use('t1'));
    const after = Array.from({ length: 30 }, (_, index) => message(`n${index}`, 'tool', { type: 'text', text: '' }));
    const headers = headersOf([...calls, asking, ...after]);
    expect(pairCandidates(asking, headers)).toEqual(after.slice(0, 12).map(({ id }) => id));
    const answering: Message = { ...asking, content: [result('t1', 'x')] };
    expect(pairCandidates(answering, headers)).toEqual(
      calls
        .slice(-12)
        .reverse()
        .map(({ id }) => id),
    );
    expect(pairCandidates({ ...asking, content: [use('t1'), result('t1', 'x')] }, headers)).toEqual([]);
    expect(pairCandidates({ ...asking, content: [{ type: 'text', text: 'x' }] }, headers)).toEqual([]);
    expect(pairCandidates({ ...asking, id: 'unknown' }, headers)).toEqual([]);
  });

  it('is the nearest one with the same ID', () => {
    const near = message('g', 'tool', result('t1', 'near'));
    const far = message('h', 'tool', result('t1', 'far'));
    const asking = message('i', 'assistant', use('t1'));
    expect(shown(asking, pairTools([asking, near, far]))).toMatchObject([{ result: { text: 'near' } }]);
  });
});

describe('a message with calls is redrawn', () => {
  it('only when one of its results arrives or grows', () => {
    const call = message('a', 'assistant', use('t1'), use('t2'));
    const first = message('b', 'tool', result('t1', 'x'));
    const second = message('c', 'tool', result('t2', 'y'));
    const later = message('d', 'assistant', { type: 'text', text: 'done' });
    const mark = (...messages: Message[]) => resultMarks(headersOf(messages)).get('a');
    expect(mark(call)).toBeUndefined();
    const marks = [
      mark(call, first),
      mark(call, first, second),
      mark(call, first, { ...second, updatedAt: second.updatedAt + 1 }),
    ];
    expect(new Set(marks).size).toBe(3);
    expect(mark(call, first, second, later)).toBe(marks[1]);
    const asked = message('e', 'user', { type: 'text', text: 'next' });
    expect(mark(call, asked, second)).toBeUndefined();
  });

  it.each([
    ['assistant', 'tool'],
    ['assistant', 'user'],
    ['assistant', undefined],
    [undefined, undefined],
    ['unknown', 'unknown'],
  ] as const)('when a result arrives (role of the call: %s; of the result: %s)', (caller, answerer) => {
    const call = message('a', caller, use('t1'), use('t2'));
    const first = message('b', answerer, result('t1', 'x'));
    const second = message('c', answerer, result('t2', 'y'));
    const note = message('d', 'system', { type: 'text', text: 'note' });
    const context = message('e', 'user', { type: 'text', text: '<environment_context>\n</environment_context>' });
    const mark = (...messages: Message[]) => resultMarks(headersOf(messages)).get('a');
    expect(mark(call)).toBeUndefined();
    expect(mark(call, first)).toBeDefined();
    expect(mark(call, first, second)).not.toBe(mark(call, first));
    expect(mark(call, note, context, first, second)).toBe(mark(call, first, second));
  });
});
