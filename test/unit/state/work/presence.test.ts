import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withoutPause } from '../../../../src/shared/slices.ts';
import type { FileChange, FilePiece } from '../../../../src/state/tools/toolCall.ts';
import { comparePieces, comparePresence } from '../../../../src/state/work/presence.ts';
import { remainingPieces } from '../../../../src/state/work/remainingPieces.ts';
import { TextSearch, TooLargeError } from '../../../../src/state/work/textSearch.ts';

const edit = (oldText: string, newText: string, more: Partial<FilePiece> = {}): FileChange => ({
  path: 'a.ts',
  change: 'edited',
  pieces: [{ oldText, newText, ...more }],
  isWhole: false,
});
const whole = (newText: string): FileChange => ({ ...edit('', newText), change: 'created', isWhole: true });
const deleted: FileChange = { path: 'a.ts', change: 'deleted', pieces: [], isWhole: false };
const renamed: FileChange = { path: 'a.ts', newPath: 'b.ts', change: 'renamed', pieces: [], isWhole: false };

const presence = (changes: readonly FileChange[], text: string | undefined) =>
  withoutPause(comparePresence(changes, text));
const remaining = (...changes: readonly FileChange[]) =>
  withoutPause(remainingPieces(changes, new TextSearch()))?.map(({ newText }) => newText);

const before = 'import { total } from "./total";\n\nexport function pay() {\n  return total(1);\n}\n';
const change = edit('  return total(1);', '  const sum = total(cart);\n  return round(sum);');
const after = before.replace('  return total(1);', '  const sum = total(cart);\n  return round(sum);');

describe('what of the changes to a file is in the workspace', () => {
  it.each([
    ['the old text', before, 'absent'],
    ['the new text', after, 'present'],
    ['the new text elsewhere', `// moved\n${after.split('\n').toReversed().join('\n')}\n${after}`, 'present'],
    ['Windows line breaks', after.replaceAll('\n', '\r\n'), 'present'],
    ['a byte order mark', `\uFEFF${after}`, 'present'],
    ['a local edit elsewhere', after.replace('pay()', 'pay(cart)'), 'present'],
    ['a local edit in the new text', after.replace('round(sum)', 'roundUp(sum)'), 'partial'],
    ['an unrelated text', 'nothing of it\n', 'absent'],
    ['an empty file', '', 'absent'],
    ['no file', undefined, 'missing'],
  ])('with %s', (_, text, expected) => {
    expect(presence([change], text)).toBe(expected);
  });

  it('is partial if one of several pieces is there', () => {
    expect(presence([change, edit('import { total }', 'import { total, round }')], after)).toBe('partial');
  });

  it('tells short texts by what they replaced', () => {
    expect(presence([edit('x = 1;', '1')], 'x = 1;\ny = 1;\n')).toBe('absent');
    expect(presence([edit('x = 1;', '1')], 'y = 1;\n')).toBe('present');
    expect(presence([edit('gone();\n', '')], 'a();\ngone();\n')).toBe('absent');
    expect(presence([edit('gone();\n', '')], 'a();\n')).toBe('present');
    // A block that was moved is still there.
    expect(presence([edit('moved();\n', ''), edit('end\n', 'end\nmoved();\n')], 'end\nmoved();\n')).toBe('present');
  });

  it('is about the file after a whole text, a deletion, or a new name', () => {
    expect(presence([whole('one\n'), deleted], undefined)).toBe('present');
    expect(presence([whole('one\n'), deleted], 'one\n')).toBe('absent');
    expect(presence([renamed], 'anything')).toBe('present');
    expect(presence([renamed], undefined)).toBe('missing');
    expect(presence([whole('first text of it\n'), whole('second text of it\n')], 'second text of it')).toBe('present');
    expect(presence([whole('first text of it\n'), whole('second text of it\n')], 'first text of it')).toBe('absent');
  });

  it('needs an equal text for a whole file, and is partial in a longer one', () => {
    const text = 'The whole text of it\n';
    expect(presence([whole(text)], text.trimEnd())).toBe('present');
    expect(presence([whole(text)], `${text}more\n`)).toBe('partial');
    expect(presence([whole('1.2\n')], '1.2')).toBe('present');
    expect(presence([whole('1.2\n')], '21.2.0\n')).toBeUndefined();
    expect(presence([whole('')], '')).toBe('present');
    expect(presence([whole('')], 'anything')).toBe('absent');
  });

  it("isn't known for short texts that could be there by accident", () => {
    expect(presence([edit('', '}')], 'if (a) {\n}\n')).toBeUndefined();
    expect(presence([edit('a', 'ab')], 'cab a')).toBeUndefined();
    expect(presence([edit('', '}'), change], after)).toBe('partial');
    expect(presence([edit('', '}'), change], before)).toBeUndefined();
    expect(presence([edit('', 'function inserted() {}')], 'function inserted() {}\n')).toBe('present');
    // The text that was moved is still in its old place too.
    expect(presence([edit('moved();\n', ''), edit('end\n', 'end\nmoved();\n')], 'moved();\nend\nmoved();\n')).toBe(
      'partial',
    );
  });

  it("isn't known if replacing everywhere makes the text too long", () => {
    const everywhere = edit('a', 'a'.repeat(10), { occurrences: 'all' });
    const changes = [whole('a'.repeat(10)), ...Array.from({ length: 8 }, () => everywhere)];
    expect(presence(changes, 'x')).toBeUndefined();
    expect(withoutPause(comparePieces(changes, 'x'))).toBeUndefined();
    const long = edit('a', 'b'.repeat(300_000), { occurrences: 'all' });
    expect(presence([whole('a'.repeat(2_000)), long], 'x')).toBeUndefined();
    const pieces = Array.from({ length: 5 }, (_, at) => edit(`old${at}`, `new${at} a`));
    expect(presence([...pieces, long], 'x')).toBeUndefined();
  });

  it('takes many short steps for texts that are slow to search', () => {
    const around = 'a'.repeat(100_000);
    const changes = [whole(`${around}b${around}`), edit(`${around}c${around}`, 'new')];
    let stepCount = 0;
    const work = comparePresence(changes, `${around}${around}${around}`);
    while (work.next().done !== true) stepCount += 1;
    expect(stepCount).toBeGreaterThan(10);
  });

  it("isn't known without a text, for binary files, and for texts that are too long", () => {
    expect(presence([{ ...edit('', ''), pieces: [] }], 'x')).toBeUndefined();
    expect(presence([edit('a', 'b\0')], 'x')).toBeUndefined();
    expect(presence([edit('a', 'b'.repeat(1_000_001))], 'x')).toBeUndefined();
  });

  it('is never present where a generated piece is missing, and always where all are there', () => {
    const added = fc.array(fc.constantFrom('}', '', 'own'), { maxLength: 12 });
    const steps = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), added), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), steps, (length, edits) => {
        let text = Array.from({ length }, (_, at) => `start(${at});`).join('\n');
        const changes: FileChange[] = [];
        edits.forEach(([at, count, more], index) => {
          const own = text.split('\n');
          const from = at % own.length;
          const oldText = own.slice(from, from + count + 1).join('\n');
          const newText = [
            `unique(${index});`,
            ...more.map((one, place) => (one === 'own' ? `own(${index}, ${place});` : one)),
          ].join('\n');
          // Agents' tools reject an old text that isn't unique.
          if (oldText === '' || text.indexOf(oldText) !== text.lastIndexOf(oldText)) return;
          text = text.replace(oldText, () => newText);
          changes.push(edit(oldText, newText));
        });
        fc.pre(changes.length > 0);
        expect(presence(changes, text)).toBe('present');
        for (const { newText } of withoutPause(remainingPieces(changes, new TextSearch())) ?? []) {
          const [first = ''] = newText.split('\n').filter((one) => one.startsWith('unique('));
          if (first !== '') expect(presence(changes, text.replace(first, 'other'))).not.toBe('present');
        }
      }),
    );
  });
});

describe('the remaining pieces', () => {
  it('are changed by later calls', () => {
    expect(remaining(edit('a', 'one\ntwo'), edit('two', 'three'))).toEqual(['one\nthree']);
    expect(remaining(edit('a', 'one'), edit('zero\none\ntwo', 'all'))).toEqual(['all']);
    expect(remaining(edit('a', 'one\ntwo'), edit('two\nthree', 'rest'))).toEqual(['one', 'rest']);
    expect(remaining(edit('a', 'two\nthree'), edit('one\ntwo', 'start'))).toEqual(['three', 'start']);
    expect(remaining(edit('a', 'x\r\ny'), edit('y', 'z'))).toEqual(['x\nz']);
    expect(remaining(whole('x x'), edit('x', 'y', { occurrences: 'all' }))).toEqual(['y y']);
    expect(remaining(edit('a', 'x x'), edit('x', 'y', { occurrences: 'all' }))).toEqual(['y y', 'y']);
    expect(remaining(edit('a', 'x x'), edit('x', 'y', { occurrences: 3 }))).toEqual(['y y', 'y']);
    expect(remaining(whole('x x'), edit('x', 'y', { occurrences: 2 }))).toEqual(['y y']);
    expect(remaining(whole('x x'), edit('x', 'y', { occurrences: 3 }))).toEqual(['x x', 'y']);
    expect(remaining(whole('x'), deleted, edit('', 'new'))).toEqual(['new']);
  });

  it("aren't compared if there are too many", () => {
    expect(
      remaining(...Array.from({ length: 301 }, (_, index) => edit(`old ${index};`, `new ${index};`))),
    ).toBeUndefined();
  });
});

describe('a search', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 300 });

  it('finds, counts, and replaces like the one of the engine', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 80 }), fc.nat({ max: 80 }), text, (all, from, length, other) => {
        const pattern = all.slice(from, from + length) || 'a';
        const search = new TextSearch();
        const long = `${all}${'ab'.repeat(60_000)}${other}`;
        expect(withoutPause(search.indexOf(long, pattern, 3))).toBe(long.indexOf(pattern, 3));
        expect(withoutPause(search.indexOf(long, `${pattern}x`))).toBe(-1);
        expect(withoutPause(search.count(other, pattern))).toBe(other.split(pattern).length - 1);
        const piece = { oldText: pattern, newText: '$&', occurrences: 'all' as const };
        const expected = long.includes(pattern) ? long.replaceAll(pattern, () => '$&') : undefined;
        expect(withoutPause(search.replaced(long, piece))).toBe(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('finds a text across the parts that it searches', () => {
    for (const place of [99_900, 99_990, 100_000, 100_031, 199_990]) {
      const long = `${'.'.repeat(place)}${'needle '.repeat(20)}${'.'.repeat(120_000)}`;
      expect(withoutPause(new TextSearch().indexOf(long, 'needle '.repeat(20)))).toBe(place);
    }
  });

  it('fails when it has compared too much', () => {
    const long = 'a'.repeat(500_000);
    expect(() => withoutPause(new TextSearch().indexOf(long, `${'a'.repeat(250_000)}b`))).toThrow(TooLargeError);
  });
});

describe('pieces next to the workspace file', () => {
  const compare = (changes: readonly FileChange[], text: string) => withoutPause(comparePieces(changes, text));

  it('show what is in their places', () => {
    const changes = [change, edit('import { total }', 'import { total, round }')];
    expect(compare(changes, after)).toEqual({
      workspace: '  const sum = total(cart);\n  return round(sum);\n⋯\nimport { total }',
      agent: '  const sum = total(cart);\n  return round(sum);\n⋯\nimport { total, round }',
    });
  });

  it('are compared as a whole file if one was written', () => {
    expect(compare([whole('text')], 'text')).toBeUndefined();
    expect(compare([whole('text'), change], 'text')).toBeUndefined();
  });

  it('show the passage that was changed since', () => {
    expect(compare([change], after.replace('round(sum)', 'roundUp(sum)'))).toEqual({
      workspace: '  const sum = total(cart);\n  return roundUp(sum);',
      agent: '  const sum = total(cart);\n  return round(sum);',
    });
    // The call has been replaced, and only a line of the old text is there.
    const call = edit('  return total(1);\n}', '  return sum(1);\n}');
    expect(compare([call], before.replace('\n}', '\n  // done\n}'))?.workspace).toBe('  return total(1);\n  // done');
  });

  it('show the passage with most lines of a piece, and no line that the file repeats', () => {
    const lines = Array.from({ length: 6 }, (_, index) => `const value${index} = ${index};`);
    const text = [lines[5], 'other();', 'other();', ...lines, '', '', '', '', '', '', '', '', lines[0]].join('\n');
    const own = edit('', [...lines.slice(1, 4), 'added();', lines[4], ''].join('\n'));
    expect(compare([own], text)?.workspace).toBe([...lines.slice(1, 5)].join('\n'));
    expect(compare([edit('', 'const value0 = 0;\n// more')], text)?.workspace).toBe('');
  });

  it('show nothing where nothing of a piece is there', () => {
    expect(compare([change, edit('', '}')], 'something else\n}\n')).toEqual({
      workspace: '\n⋯\n}',
      agent: '  const sum = total(cart);\n  return round(sum);\n⋯\n}',
    });
  });
});

describe('with a real Git repository', () => {
  let folder: string;
  const git = (repository: string, ...args: readonly string[]) =>
    execFileSync('git', ['-C', join(folder, repository), '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
      stdio: 'pipe',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    });
  const write = (repository: string, text: string) => writeFileSync(join(folder, repository, 'pay.ts'), text);
  const read = (repository: string) => readFileSync(join(folder, repository, 'pay.ts'), 'utf8');

  /** A remote repository, and the clones of the agent and of the user. The agent has pushed its change. */
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lineside-git-'));
    for (const name of ['remote', 'agent']) mkdirSync(join(folder, name));
    git('remote', 'init', '--bare', '--initial-branch=main');
    git('agent', 'init', '--initial-branch=main');
    git('agent', 'remote', 'add', 'origin', '../remote');
    write('agent', before);
    git('agent', 'add', '.');
    git('agent', 'commit', '-m', 'start');
    git('agent', 'push', 'origin', 'main');
    git('agent', 'clone', '../remote', '../user');
    write('agent', after);
    git('agent', 'commit', '-am', 'change');
    git('agent', 'push', 'origin', 'main');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('tells whether the change was pulled, edited, and rebased', () => {
    expect(presence([change], read('user'))).toBe('absent');
    git('user', 'pull');
    expect(presence([change], read('user'))).toBe('present');
    write('user', `// A local line\n${read('user')}`);
    expect(presence([change], read('user'))).toBe('present');
    write('user', read('user').replace('round(sum)', 'roundUp(sum)'));
    expect(presence([change], read('user'))).toBe('partial');
    git('user', 'checkout', 'pay.ts');
    git('user', 'reset', '--hard', 'HEAD~1');
    write('user', `${read('user')}\nexport const local = true;\n`);
    git('user', 'commit', '-am', 'local');
    expect(presence([change], read('user'))).toBe('absent');
    git('user', 'pull', '--rebase');
    expect(read('user')).toContain('local = true');
    expect(presence([change], read('user'))).toBe('present');
  });

  it('ignores the line breaks of a checkout', () => {
    git('agent', '-c', 'core.autocrlf=true', 'clone', '../remote', '../windows');
    expect(read('windows')).toContain('\r\n');
    expect(presence([change], read('windows'))).toBe('present');
  });
});
