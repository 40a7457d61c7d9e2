import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diagramDocument, isSelfContained } from '../../../../src/state/markdown/diagram.ts';
import { hostileDiagrams, hostilePieces, hostileStatements } from '../../../fakes/hostileDiagrams.ts';
import { ordinaryDiagrams } from '../../../fakes/ordinaryDiagrams.ts';

const address = 'https://example.test/x';
const hostile = hostileDiagrams(address);
const ordinary = Object.entries(ordinaryDiagrams).flatMap(([kind, diagrams]) =>
  diagrams.map((diagram) => ({ kind, diagram })),
);
const drawn = ordinary.filter(({ diagram }) => isSelfContained(diagram));
/** Parts of ordinary diagrams for which they are shown as source. */
const knownRefusals = /style |classDef |^---|@\{|%%\{|^(?:sankey|block)-beta/m;

describe('a diagram is self-contained', () => {
  it('if it is one of those that language models usually write', () => {
    expect(ordinary.length).toBeGreaterThan(60);
    expect(drawn.length / ordinary.length).toBeGreaterThan(0.85);
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
  ])('if it loads nothing: %j', (diagram) => {
    expect(isSelfContained(diagram)).toBe(true);
  });

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

describe('the document of a diagram', () => {
  it('is a fence that the diagram cannot close', () => {
    expect(diagramDocument('graph TD\n```\n![a](b)')).toBe('````mermaid\ngraph TD\n```\n![a](b)\n````\n');
  });
});
