import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../../../src/api/resources/contentBlock.ts';
import type { Message } from '../../../../src/api/resources/message.ts';
import * as steps from '../../../../src/state/presentation/stepContent.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';
import { hostile, hostileShown, t } from '../samples.ts';

const describeStepContent = (...given: Parameters<typeof steps.describeStepContent>) =>
  withoutPause(steps.describeStepContent(...given));

const messageOf = (...content: ContentBlock[]): Message => ({
  id: 'm',
  role: 'assistant',
  createdAt: 1,
  updatedAt: 1,
  content,
});
const callOf = (name: string, input: unknown): Message => messageOf({ type: 'tool_use', toolUseId: 'a', name, input });
const blocksOf = (name: string, input: unknown) => describeStepContent(callOf(name, input), 0, undefined, t).blocks;

const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}`);

describe('the content of a step', () => {
  it('has the arguments of a change whose texts are too long to be compared', () => {
    const edit = (length: number) => ({ file_path: 'a', old_string: 'a', new_string: 'b\n'.repeat(length / 2) });
    expect(blocksOf('Edit', edit(400_000))).toMatchObject([{ language: 'diff' }]);
    expect(blocksOf('Edit', edit(500_000))).toMatchObject([{ language: 'json' }]);
  });

  it('is described with pauses if it is a long diff', () => {
    const lines = 200_000;
    const input = { file_path: 'a', old_string: 'a', new_string: 'b\n'.repeat(lines) };
    const work = steps.describeStepContent(callOf('Edit', input), 0, undefined, t);
    let pauseCount = 0;
    while (work.next().done !== true) pauseCount += 1;
    expect(pauseCount).toBeGreaterThan(lines / 1_000);
  });

  it('is a diff with unchanged lines around each change', () => {
    const before = numbered(1, 20);
    const after = before.map((line, at) => (at === 1 || at === 14 ? `new ${line}` : line));
    const input = { file_path: '/p/a.ts', old_string: before.join('\n'), new_string: after.join('\n') };
    const text = [
      ' line 1',
      '-line 2',
      '+new line 2',
      ...numbered(3, 5).map((line) => ` ${line}`),
      '⋯',
      ...numbered(12, 14).map((line) => ` ${line}`),
      '-line 15',
      '+new line 15',
      ...numbered(16, 18).map((line) => ` ${line}`),
    ].join('\n');
    expect(blocksOf('Edit', input)).toEqual([{ type: 'code', text, language: 'diff' }]);
  });

  it('separates the pieces of an edit', () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: '' },
    ];
    expect(blocksOf('MultiEdit', { file_path: '/p/a.ts', edits })).toEqual([
      { type: 'code', text: '-a\n+b\n⋯\n-c', language: 'diff' },
    ]);
  });

  it('is the diffs of a patch, with the names of the files that it deletes and moves', () => {
    const patch = [
      '*** Begin Patch',
      ...['*** Update File: a.ts', '@@', '-old', '+new', '*** Delete File: b.ts'],
      ...['*** Update File: c.ts', '*** Move to: d.ts', '*** End Patch'],
    ].join('\n');
    expect(blocksOf('apply_patch', { input: patch })).toEqual([
      { type: 'note', text: 'a.ts' },
      { type: 'code', text: '-old\n+new', language: 'diff' },
      { type: 'note', text: 'Deleted b.ts' },
      { type: 'note', text: 'c.ts → d.ts' },
    ]);
  });

  it('leaves out pieces without a change, and has the arguments of a call without one', () => {
    const [same, changed] = [
      { old_string: 'a', new_string: 'a' },
      { old_string: 'b', new_string: '' },
    ] as const;
    const edits = [same, same, changed, same];
    expect(blocksOf('MultiEdit', { file_path: '/p/a.ts', edits })).toEqual([
      { type: 'code', text: '-b', language: 'diff' },
    ]);
    expect(blocksOf('Edit', { file_path: '/p/a.ts', ...same })).toMatchObject([{ type: 'code', language: 'json' }]);
  });

  it('is the command, or the arguments of a tool that is not known', () => {
    expect(blocksOf('Bash', { command: 'npm test' })).toEqual([
      { type: 'code', text: 'npm test', language: 'shellscript' },
    ]);
    for (const input of [{ city: 'Bern' }, '{"city":"Bern"}']) {
      expect(blocksOf('weather', input)).toEqual([{ type: 'code', text: '{\n  "city": "Bern"\n}', language: 'json' }]);
    }
    expect(blocksOf('weather', 'Bern\n"now"')).toEqual([{ type: 'code', text: 'Bern\n"now"' }]);
  });

  it('is the list of a plan', () => {
    const todos = [
      { content: 'Read [x](command:quit)', status: 'completed' },
      { content: hostile, status: 'in_progress' },
      { content: 'Write', status: 'pending' },
    ];
    expect(blocksOf('TodoWrite', { todos })).toEqual([
      {
        type: 'checklist',
        items: [
          { text: 'Read [x](command:quit)', state: 'done', spoken: 'done' },
          { text: hostileShown, state: 'current', spoken: 'in progress' },
          { text: 'Write', state: 'open', spoken: 'to do' },
        ],
      },
    ]);
  });

  it.each([
    ['two characters', 'ok', false],
    ['ten short lines', 'ok\n'.repeat(9), false],
    ['many lines', 'ok\n'.repeat(10), true],
    ['a long line', 'x'.repeat(401), true],
  ])('has a document if the output is not short: %s', (_, text, hasOutput) => {
    const content = [{ type: 'text', text }] as const;
    const result = { ...messageOf({ type: 'tool_result', toolUseId: 'a', isError: false, content }), id: 'r' };
    const answer = { message: result, index: 0 };
    expect(describeStepContent(callOf('Bash', { command: 'ls' }), 0, answer, t).hasOutput).toBe(hasOutput);
  });

  it('includes the result, which has a document of its own', () => {
    const long = 'x'.repeat(200_000);
    const result = {
      ...messageOf({ type: 'tool_result', toolUseId: 'a', isError: false, content: [{ type: 'text', text: long }] }),
      id: 'r',
    };
    const content = describeStepContent(callOf('Bash', { command: 'ls' }), 0, { message: result, index: 0 }, t);
    expect(content.blocks[0]).toEqual({ type: 'code', text: 'ls', language: 'shellscript' });
    expect(content.blocks).toHaveLength(2);
    expect(content).toMatchObject({ cut: { text: expect.stringContaining('characters') as string }, hasOutput: true });
    expect(content.cut?.messageId).toBeUndefined();
    const command = callOf('Bash', { command: long });
    expect(describeStepContent(command, 0, { message: result, index: 0 }, t).cut?.messageId).toBe('m');
    expect(describeStepContent(command, 0, undefined, t)).toMatchObject({ cut: { messageId: 'm' }, hasOutput: false });
  });

  it('says that there is no output', () => {
    const content = [{ type: 'text', text: '' }] as const;
    const result = { ...messageOf({ type: 'tool_result', toolUseId: 'a', isError: false, content }), id: 'r' };
    const { blocks, hasOutput } = describeStepContent(
      callOf('Bash', { command: 'ls' }),
      0,
      { message: result, index: 0 },
      t,
    );
    expect(blocks.slice(1)).toEqual([{ type: 'note', text: 'No output' }]);
    expect(hasOutput).toBe(false);
  });

  it('is the text of a thought', () => {
    const message = messageOf({ type: 'thinking', thinking: 'Perhaps the cache.' });
    expect(describeStepContent(message, -1, undefined, t).blocks).toEqual([
      { type: 'markdown', text: 'Perhaps the cache.' },
    ]);
    const twice = { ...message, chatCompletionReasoningContent: 'Perhaps the cache.' };
    expect(describeStepContent(twice, -1, undefined, t).blocks).toHaveLength(1);
    const encrypted = messageOf({ type: 'thinking', thinking: '', signature: 'EuUC' });
    expect(describeStepContent(encrypted, -1, undefined, t).blocks).toEqual([
      { type: 'note', text: 'Encrypted thinking' },
    ]);
  });
});
