import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/l10n/sourceFiles.ts';

/** A place that cites a requirement or a section of the specification. */
interface Citation {
  readonly file: string;
  /** `R34`, or `4.4` for a section. */
  readonly target: string;
}

const requirementsPage = readFileSync(join(root, 'docs/requirements.md'), 'utf8');
const specificationPage = readFileSync(join(root, 'docs/specification.md'), 'utf8');
/** The numbers of the requirements, and the tests that show them. */
const requirements = Array.from(
  requirementsPage.matchAll(/^\| (R\d+) +\| .+ \| ([^|]+?) +\|$/gm),
  ([, number = '', cell = '']) => ({ number, tests: Array.from(cell.matchAll(/`([^`]+)`/g), ([, path = '']) => path) }),
);
/** The numbers of the headings of the specification, and of the rows of its table of gaps. */
const sections = Array.from(
  specificationPage.matchAll(/^(?:##+ (\d+(?:\.\d+)?)\.? |\| (\d+\.\d+) +\|)/gm),
  ([, heading, row]) => heading ?? row ?? '',
);

/**
 * The source, tests, tools, and documents, without the fixtures and this file, as one text each. A space replaces each
 * line break and, in a comment, the sign at the beginning of the next line.
 */
const files = ['src', 'test', 'tools', 'docs'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((file) => /\.(?:ts|mjs|css|md)$/.test(file) && !file.startsWith('test/fixtures/'))
    .filter((file) => file !== 'test/unit/citations.test.ts')
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8').replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ') })),
);

const citations = files.flatMap(({ file, text }): readonly Citation[] => {
  const cited = Array.from(text.matchAll(/\bR\d{1,2}\b/g), ([target]) => ({ file, target }));
  const lists = Array.from(text.matchAll(/\bspec ((?:\d+(?:\.\d+)?(?:, )?)+)/g), ([, list = '']) => list);
  return [...cited, ...lists.flatMap((list) => list.match(/\d+(?:\.\d+)?/g) ?? []).map((target) => ({ file, target }))];
});

describe('a citation', () => {
  it('leads to a requirement, or to a section of the specification', () => {
    expect(citations.length).toBeGreaterThan(300);
    const known = new Set([...requirements.map(({ number }) => number), ...sections]);
    expect(citations.filter(({ target }) => !known.has(target))).toEqual([]);
  });

  it('has one form, such as R34 or spec 4.4', () => {
    const other = /\bspecification \d|\bdesign, section|\bspec(?:ification)?,? section|\bspec \(\d|\((?:§ ?)?\d\.\d\)/i;
    // The pages that are cited refer to their own sections.
    const citing = files.filter(({ file }) => !/^docs\/(?:requirements|specification)\.md$/.test(file));
    const found = citing.flatMap(({ file, text }) => {
      const [form] = other.exec(/\.(?:ts|mjs)$/.test(file) ? commentsOf(text) : text) ?? [];
      return form === undefined ? [] : [{ file, form }];
    });
    expect(found).toEqual([]);
  });
});

describe('the pages that are cited', () => {
  it('have each number once', () => {
    const numbers = [...requirements.map(({ number }) => number), ...sections];
    expect(requirements.length).toBeGreaterThan(40);
    expect(sections.length).toBeGreaterThan(30);
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  });

  it('refer only to sections that exist', () => {
    const own = [...specificationPage.matchAll(/\((?:\d+\.\d+|\d+)(?:, \d+\.\d+)*\)|\bsection \d+/g)];
    const referred = own.flatMap(([text]) => text.match(/\d+(?:\.\d+)?/g) ?? []);
    expect(referred.length).toBeGreaterThan(20);
    expect(referred.filter((number) => !sections.includes(number))).toEqual([]);
  });
});

it.each(requirements)('$number is cited by each test that shows it', ({ number, tests }) => {
  expect(tests.length).toBeGreaterThan(0);
  const citing = citations.filter(({ target }) => target === number).map(({ file }) => file);
  expect(tests.filter((path) => !citing.includes(`test/${path}`))).toEqual([]);
});

/** The docstrings of a file whose lines were joined. Numbers such as `(0.5)` in code aren't citations. */
function commentsOf(text: string): string {
  return Array.from(text.matchAll(/\/\*\*.*?\*\//g), ([comment]) => comment).join(' ');
}
