import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diagramDocument, isSelfContained, withoutStyles } from '../../../../src/state/markdown/diagram.ts';
import { hostileDiagrams, hostilePieces, hostileStatements } from '../../../fakes/hostileDiagrams.ts';
import { ordinaryDiagrams } from '../../../fakes/ordinaryDiagrams.ts';

const address = 'https://example.test/x';
const hostile = hostileDiagrams(address);
const ordinary = Object.entries(ordinaryDiagrams).flatMap(([kind, diagrams]) =>
  diagrams.map((diagram) => ({ kind, diagram })),
);
const drawn = ordinary.filter(({ diagram }) => isSelfContained(diagram));
/** Matches a part that ordinary diagrams can have, but that isn't drawn: a diagram with it is shown as source. */
const knownRefusals = /style |classDef |^---|@\{|%%\{|^(?:sankey|block)-beta/m;

describe('a diagram is self-contained', () => {
  it('if it is one of those that language models usually write', () => {
    const shown = ordinary.filter(({ diagram }) => isSelfContained(withoutStyles(diagram)));
    expect(ordinary.length).toBeGreaterThan(60);
    expect(shown.length / ordinary.length).toBeGreaterThan(0.9);
  });

  it.each(ordinary)('if it consists of known statements: $kind $diagram', ({ diagram }) => {
    expect(isSelfContained(diagram)).toBe(!knownRefusals.test(diagram));
    expect(isSelfContained(diagram.replaceAll('\n', '\r\n'))).toBe(!knownRefusals.test(diagram));
  });

  it.each([
    'graph TD\n  A --> B;\n  C & D --> E;',
    'flowchart LR\n  A["First line<br/>second line"] --- B{"Download image"}\n  B --> C["a & b; c\\nd"]',
    'classDiagram\n  class Shape~int~\n  <<interface>> Shape\n  Shape <|-- Circle\n  Shape : +draw(x) void',
    'sequenceDiagram\n  Browser->>Guard: GET /account (old cookie)\n  Guard-->>Browser: 302 /login\n  Note over A: data: 5',
    'graph TD %% a comment with a link\n  A --> B',
    '%% A comment; click A "x"\n\ngraph TD\n  A --> B',
    'graph TD\n  A["this/<br>/that"]',
    'pie showData\n  "A" : 1',
    `pie title ${'a'.repeat(49_990)}`,
  ])('if it loads nothing: %j', (diagram) => {
    expect(isSelfContained(diagram)).toBe(true);
  });

  it.each(['graph TD\n  A -->', 'graph TD\n  --> A', 'graph TD\n  A %% b;c', `pie title ${'a'.repeat(49_991)}`])(
    'only if it is complete: %j',
    (diagram) => {
      expect(isSelfContained(diagram)).toBe(false);
    },
  );

  it('only if it is known', () => {
    expect(new Set(hostile).size).toBeGreaterThan(150);
  });

  it.each(hostile)('unless it could load, link, style, or run something: %j', (diagram) => {
    expect(isSelfContained(diagram)).toBe(false);
  });

  it('unless something hostile stands anywhere in it', () => {
    const piece = fc.constantFrom(...hostilePieces(address));
    fc.assert(
      fc.property(fc.constantFrom(...drawn), fc.nat(), piece, ({ diagram }, place, inserted) => {
        const at = place % (diagram.length + 1);
        expect(isSelfContained(diagram.slice(0, at) + inserted + diagram.slice(at))).toBe(false);
      }),
      { numRuns: 3_000 },
    );
  });

  it('unless a hostile statement stands between its lines', () => {
    for (const { kinds, statements } of hostileStatements) {
      for (const { diagram } of drawn.filter(({ kind }) => kinds.includes(kind))) {
        const lines = diagram.split('\n');
        for (const at of lines.keys()) {
          for (const statement of statements) {
            for (const between of ['\n', '\r\n', '\u2028', ';']) {
              const first = lines.slice(0, at + 1).join('\n');
              // A comment ends with its line.
              if (between === ';' && lines[at]?.includes('%%')) continue;
              const changed = [first + between + statement, ...lines.slice(at + 1)].join('\n');
              expect(isSelfContained(changed), changed).toBe(false);
            }
          }
        }
      }
    }
  });

  it('at every position of the hostile pieces in one diagram of each kind', () => {
    const kinds = new Map(drawn.map((one) => [one.kind, one.diagram]));
    expect(kinds.size).toBe(13);
    for (const diagram of kinds.values()) {
      for (let at = 0; at <= diagram.length; at++) {
        const found = hostilePieces(address).filter((piece) =>
          isSelfContained(diagram.slice(0, at) + piece + diagram.slice(at)),
        );
        expect(found, diagram.slice(0, at)).toEqual([]);
      }
    }
  });
});

describe('a diagram without styles', () => {
  it.each([
    ['graph TD\n  A:::big --> B[C]:::red\n  style A fill:#f9f\n  classDef big fill:red', 'graph TD\n  A --> B[C]\n\n'],
    ['flowchart LR\n  A --> B\n  class A,B big;\n  linkStyle 0 stroke:red', 'flowchart LR\n  A --> B\n\n'],
    ["%%{init: {'theme': 'base'}}%%\npie\n  \"A\" : 1", 'pie\n  "A" : 1'],
    ['classDiagram\n  class A\n  cssClass "A" big', 'classDiagram\n  class A\n'],
    ['mindmap\n  root\n    style guide\n    A:::big', 'mindmap\n  root\n    style guide\n    A:::big'],
    ['mindmap\n  a graph\n  class a b', 'mindmap\n  a graph\n  class a b'],
    ['graph TD\n  A["my style guide"]', 'graph TD\n  A["my style guide"]'],
    ['graph TD\r\n  A --> B\r\n  style A fill:red\r\n  B --> C', 'graph TD\n  A --> B\n\n  B --> C'],
  ])('keeps everything else: %j', (diagram, plain) => {
    expect(withoutStyles(diagram)).toBe(plain);
  });

  it('is checked like any other', () => {
    const shown = hostile.map(withoutStyles).filter(isSelfContained);
    expect(shown.filter((diagram) => /style |classDef|:::|%%\{|https?:|<img|click|link/.test(diagram))).toEqual([]);
  });
});

describe('the document of a diagram', () => {
  it('is a fence that the diagram cannot close', () => {
    expect(diagramDocument('graph TD\n```\n![a](b)')).toBe('````mermaid\ngraph TD\n```\n![a](b)\n````\n');
  });
});
