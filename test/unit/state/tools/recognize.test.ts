import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recognizeCall } from '../../../../src/state/tools/recognize.ts';
import type { ToolCall } from '../../../../src/state/tools/toolCall.ts';
import { agentCalls, patchCall, patchText, unifiedDiff } from './agentCalls.ts';

describe('recognized calls', () => {
  it.each(agentCalls.map(({ agent, name, input, call }) => ({ agent, name, input, call })))(
    '$agent: $name $input',
    ({ name, input, call }) => {
      expect(recognizeCall(name, input)).toEqual(call);
    },
  );

  it('are those of at least eight agents', () => {
    expect(new Set(agentCalls.map(({ agent }) => agent)).size).toBeGreaterThanOrEqual(8);
  });

  it.each(['file_path', 'filePath', 'file-path', 'FilePath', 'path', 'target_file', 'filename', 'absolute_path'])(
    'may name the path %s',
    (key) => {
      expect(recognizeCall('read_file', { [key]: 'a.ts' })).toEqual({ kind: 'read', paths: ['a.ts'] });
    },
  );

  it.each([
    'read_file',
    'readFile',
    'ReadFile',
    'read-file',
    'mcp__files__read_file',
    'functions.read_file',
    'READ_FILE',
  ])('may be named %s', (name) => {
    expect(recognizeCall(name, { path: 'a.ts' })).toEqual({ kind: 'read', paths: ['a.ts'] });
  });

  it.each([
    ['JSON text', '{"path":"a.ts"}'],
    ['nested', { arguments: { path: 'a.ts' } }],
    ['nested JSON text', { name: 'read_file', arguments: '{"path":"a.ts"}' }],
    ['nested twice', { input: { parameters: { path: 'a.ts' } } }],
  ])('may have %s as arguments', (_, input) => {
    expect(recognizeCall('read_file', input)).toEqual({ kind: 'read', paths: ['a.ts'] });
  });

  it('are recognized by their shape before their name', () => {
    expect(recognizeCall('frobnicate', { path: 'a', old_string: 'x', new_string: 'y' }).kind).toBe('write');
    expect(recognizeCall('frobnicate', { input: patchText })).toEqual(patchCall);
    expect(recognizeCall('frobnicate', { command: 'npm test' }).kind).toBe('execute');
    expect(recognizeCall('frobnicate', { prompt: 'p', subagent_type: 's' }).kind).toBe('agent');
    expect(recognizeCall('frobnicate', { path: 'a', offset: 2, limit: 3 }).kind).toBe('read');
    expect(recognizeCall('frobnicate', { pattern: 'x', output_mode: 'count' }).kind).toBe('search');
  });

  it('are not recognized by a name that the arguments contradict', () => {
    const contradictions: readonly (readonly [string, unknown])[] = [
      ['read_file', { command: 'view' }],
      ['write_file', { url: 'https://example.com' }],
      ['bash', { script_id: 3 }],
      ['preview_edit', { path: 'a', old_string: 'x', new_string: 'y' }],
      ['validate_patch', { patch: patchText }],
      ['sql', { command: 'select * from users' }],
      ['todo_write', { path: 'a', status: 'done' }],
      ['search', { path: 'a' }],
      ['fetch_user', { url: 'not an address' }],
      ['create_directory', { path: 'a' }],
      ['list_issues', {}],
      ['lsp', { operation: 'hover', filePath: 'a', line: 3 }],
      ['create_wiki_page', { path: 'a', content: 'x' }],
    ];
    expect(contradictions.map(([name, input]) => recognizeCall(name, input))).toEqual(
      contradictions.map(() => ({ kind: 'other' })),
    );
  });

  it('include unified diffs', () => {
    expect(recognizeCall('patch_files', { diff: unifiedDiff })).toEqual({
      kind: 'write',
      changes: [
        {
          path: 'src/basket.ts',
          change: 'edited',
          pieces: [
            { oldText: 'a\n-- b', newText: 'a\n++ c' },
            { oldText: 'd', newText: 'e' },
          ],
          isWhole: false,
        },
        { path: 'new.ts', change: 'created', pieces: [{ oldText: '', newText: 'x\n' }], isWhole: true },
        { path: 'gone.ts', change: 'deleted', pieces: [{ oldText: 'y', newText: '' }], isWhole: false },
        { path: 'one.ts', change: 'renamed', newPath: 'two.ts', pieces: [], isWhole: false },
        { path: 'logo.png', change: 'edited', pieces: [], isWhole: false },
      ],
    });
    expect(recognizeCall('ApplyPatch', { path: 'a.ts', patch: '@@ -1 +1 @@\n-old\n+new' })).toEqual({
      kind: 'write',
      changes: [{ path: 'a.ts', change: 'edited', pieces: [{ oldText: 'old', newText: 'new' }], isWhole: false }],
    });
  });

  it('leave cancelled items out of a plan, and count an unknown state as open', () => {
    const todos = [
      { content: 'a', status: 'cancelled' },
      { content: 'b', status: 'someday' },
      { content: 'c', completed: true },
    ];
    expect(recognizeCall('TodoWrite', { todos })).toEqual({
      kind: 'plan',
      items: [
        { text: 'b', state: 'open' },
        { text: 'c', state: 'done' },
      ],
    });
    expect(recognizeCall('TodoWrite', { todos: [] })).toEqual({ kind: 'plan', items: [] });
  });

  it('name the changed items of a plan by their texts or else by their IDs', () => {
    const todos = [
      { id: 'tax', status: 'completed' },
      { id: 2, content: 'Add tax', status: 'in_progress' },
      { id: '3', status: 'cancelled' },
    ];
    expect(recognizeCall('todo_write', { merge: true, todos })).toEqual({
      kind: 'plan',
      isPartial: true,
      items: [
        { text: 'tax', state: 'done' },
        { text: 'Add tax', state: 'current' },
      ],
    });
    expect(recognizeCall('todo_write', { merge: true, todos: [{ status: 'completed' }] })).toEqual({ kind: 'other' });
    expect(recognizeCall('todo_write', { merge: false, todos: [{ id: '1', status: 'completed' }] })).toEqual({
      kind: 'other',
    });
  });
});

const wrongValues = [undefined, null, 7, true, '', ' \n', [], {}, [null], { path: 3 }, '\0', 'x\ny'];

/** Fixtures with an argument that is missing or of a wrong type, or with text that ends early. */
const malformedCalls = agentCalls.flatMap(({ name, input }) => {
  const entries = Object.entries(typeof input === 'object' && input !== null ? input : {});
  return entries.flatMap(([key], at) => {
    const without = Object.fromEntries(entries.filter(([other]) => other !== key));
    const wrong = wrongValues[at % wrongValues.length];
    return [
      { name, input: without },
      { name, input: { ...Object.fromEntries(entries), [key]: wrong } },
      { name, input: JSON.stringify({ ...Object.fromEntries(entries), [key]: wrong }).slice(0, -2) },
    ];
  });
});

describe('malformed calls', () => {
  it('are never claimed to be what they are not', () => {
    expect(malformedCalls.length).toBeGreaterThan(200);
    for (const { name, input } of malformedCalls) expectSound(recognizeCall(name, input));
  });

  it('without the text of an edit are not edits', () => {
    const calls = [
      { file_path: 'a', old_string: 'x' },
      { file_path: 'a', new_string: 'x' },
      { old_string: 'x', new_string: 'y' },
      { file_path: '', old_string: 'x', new_string: 'y' },
      { file_path: 'a\nb', old_string: 'x', new_string: 'y' },
      { file_path: 'a', edits: [{ old_string: 'x', new_string: 'y' }, { old_string: 'x' }] },
      { file_path: 'a', edits: [] },
    ];
    for (const input of calls) expect(recognizeCall('edit_file', input)).toEqual({ kind: 'other' });
  });

  it('with a truncated patch are not writes', () => {
    for (let length = 0; length < patchText.length; length += 1) {
      expect(recognizeCall('apply_patch', { input: patchText.slice(0, length) })).toEqual({ kind: 'other' });
    }
  });

  it('with truncated blocks are not writes', () => {
    const block = '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE';
    for (let length = 0; length < block.length; length += 1) {
      expect(recognizeCall('replace_in_file', { path: 'a', diff: block.slice(0, length) })).toEqual({ kind: 'other' });
    }
    for (let length = block.indexOf('\na'); length < block.length; length += 1) {
      const diff = `${block}\n${block.slice(0, length)}`;
      expect(recognizeCall('replace_in_file', { path: 'a', diff })).toEqual({ kind: 'other' });
    }
  });

  it('with anything as arguments do not throw', () => {
    const names = fc.oneof(fc.constantFrom(...agentCalls.map(({ name }) => name)), fc.string());
    const keys = fc.constantFrom(...new Set(agentCalls.flatMap(({ input }) => keysIn(input))));
    const values = fc.oneof(fc.jsonValue(), fc.constantFrom(patchText, unifiedDiff, 'a.ts', ...wrongValues));
    const inputs = fc.oneof(fc.jsonValue(), fc.dictionary(keys, values), fc.string(), values);
    fc.assert(
      fc.property(names, inputs, (name, input) => {
        expectSound(recognizeCall(name, input));
      }),
      { seed: 13, numRuns: 2_000 },
    );
  });

  it('with hostile keys do not reach prototypes', () => {
    const input: unknown = JSON.parse(
      '{"__proto__":{"path":"evil"},"constructor":{"prototype":{"path":"evil"}},"toString":"x","hasOwnProperty":1}',
    );
    expect(recognizeCall('write_file', input)).toEqual({ kind: 'other' });
    expect(recognizeCall('__proto__', input)).toEqual({ kind: 'other' });
    expect(recognizeCall('TodoWrite', { todos: [{ content: 'a', status: 'constructor' }] })).toEqual({
      kind: 'plan',
      items: [{ text: 'a', state: 'open' }],
    });
  });
});

describe('large calls', () => {
  const large = 'x\n'.repeat(5_000_000);

  it('of ten megabytes are recognized without being read', () => {
    expect(recognizeCall('Write', { file_path: 'a', content: large }).kind).toBe('write');
    expect(recognizeCall('Edit', { file_path: 'a', old_string: large, new_string: 'y' }).kind).toBe('write');
    expect(recognizeCall('Bash', { command: large }).kind).toBe('execute');
    expect(recognizeCall('AskUser', { questionnaire: large }).kind).toBe('question');
  });

  it('with thousands of different keys do not change how others are recognized', () => {
    const keys = Array.from({ length: 3_000 }, (_, at) => `key ${at}`);
    for (const key of keys) recognizeCall('Edit', { [key]: 'a' });
    const input = { 'FILE path': 'a.ts', 'OLD string': 'a', 'NEW string': 'b' };
    expect(recognizeCall('Edit', input)).toMatchObject({ kind: 'write', changes: [{ path: 'a.ts' }] });
  });

  it('that no agent makes are not recognized', () => {
    const patch = patchText.replace('-return sum', `-${large}`);
    expect(recognizeCall('apply_patch', { input: patch })).toEqual({ kind: 'other' });
    expect(recognizeCall('Write', JSON.stringify({ file_path: 'a', content: large }))).toEqual({ kind: 'other' });
    expect(recognizeCall('TodoWrite', { todos: large })).toEqual({ kind: 'other' });
    const many = Array.from({ length: 10_000 }, (_, at) => ({ content: `${at}`, status: 'pending' }));
    expect(recognizeCall('TodoWrite', { todos: many })).toEqual({ kind: 'other' });
  });

  it('with long patches and long arguments in text are not read', () => {
    const patch = (length: number) =>
      `*** Begin Patch\n*** Update File: a\n@@\n${'+line\n'.repeat(length / 6)}*** End Patch`;
    expect(recognizeCall('apply_patch', patch(150_000)).kind).toBe('write');
    expect(recognizeCall('apply_patch', patch(200_000)).kind).toBe('other');
    const input = (length: number) => JSON.stringify({ path: 'a', content: 'word '.repeat(length / 5) });
    expect(recognizeCall('Write', input(200_000)).kind).toBe('write');
    expect(recognizeCall('Write', input(250_000)).kind).toBe('other');
  });

  it('with patches of very many lines are not read', () => {
    const patch = (lines: number) => `*** Begin Patch\n*** Update File: a\n@@\n${'+\n'.repeat(lines)}*** End Patch`;
    expect(recognizeCall('apply_patch', patch(29_996)).kind).toBe('write');
    expect(recognizeCall('apply_patch', patch(29_997)).kind).toBe('other');
  });

  it('with several texts of arguments are not read beyond 250,000 characters', () => {
    const args = (length: number) => `{"path":"a","content":"${'x'.repeat(length)}"}`;
    const input = (length: number) => ({ arguments: `{"a":${'0'.repeat(length)}`, parameters: args(100_000) });
    expect(recognizeCall('Write', input(100_000)).kind).toBe('write');
    expect(recognizeCall('Write', input(200_000)).kind).toBe('other');
  });

  it('with thousands of edits name the file without their text', () => {
    const edits = Array.from({ length: 10_000 }, (_, at) => ({ old_string: `${at}`, new_string: 'x' }));
    expect(recognizeCall('MultiEdit', { file_path: 'a', edits })).toEqual({
      kind: 'write',
      changes: [{ path: 'a', change: 'edited', pieces: [], isWhole: false }],
    });
  });

  it('with deep arguments are not recognized', () => {
    let deep: unknown = { path: 'a' };
    for (let depth = 0; depth < 10_000; depth += 1) deep = { arguments: deep };
    expect(recognizeCall('read_file', deep)).toEqual({ kind: 'other' });
  });
});

function keysIn(input: unknown): readonly string[] {
  return typeof input === 'object' && input !== null ? Object.keys(input) : [];
}

/** Expects that a call claims nothing for which it lacks the facts. */
function expectSound(call: ToolCall): void {
  switch (call.kind) {
    case 'write':
      expect(call.changes.length).toBeGreaterThan(0);
      for (const { path, newPath = 'a', change, pieces, isWhole } of call.changes) {
        expect(path.trim()).not.toBe('');
        expect(newPath.trim()).not.toBe('');
        expect(`${path}${newPath}`).not.toMatch(/[\0\r\n]/);
        expect(change === 'renamed').toBe(newPath !== 'a');
        if (isWhole) expect(pieces).toHaveLength(1);
      }
      return;
    case 'read':
      expect(call.paths.length).toBeGreaterThan(0);
      return;
    case 'question':
      expect(call.isApproval || call.text.trim() !== '').toBe(true);
      return;
    case 'plan':
      for (const { text } of call.items) expect(text.trim()).not.toBe('');
      return;
    case 'list':
      expect(call.path.trim()).not.toBe('');
      return;
    case 'search':
      expect(call.query.trim()).not.toBe('');
      return;
    case 'execute':
      expect(call.command.trim()).not.toBe('');
      return;
    case 'fetch':
      expect(call.address.trim()).not.toBe('');
      return;
    case 'agent':
      expect(call.task.trim()).not.toBe('');
      return;
    case 'followUp':
    case 'openEdit':
    case 'skill':
    case 'task':
    case 'other':
  }
}
