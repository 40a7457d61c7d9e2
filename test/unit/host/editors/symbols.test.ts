import type * as vscode from 'vscode';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { documentSymbols, symbolAt } from '../../../../src/host/editors/symbols.ts';
import { commands, Position, Range, Uri } from '../../../fakes/recordedEditor.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));
afterEach(() => vi.restoreAllMocks());

const range = (from: number, to: number, fromCharacter = 0, toCharacter = 80) =>
  new Range(new Position(from, fromCharacter), new Position(to, toCharacter));
const document = { uri: Uri.file('/project/a.ts') } as unknown as vscode.TextDocument;

function symbolsOf(answer: () => unknown) {
  const execute = () => Promise.resolve().then(answer) as Promise<string | undefined>;
  vi.spyOn(commands, 'executeCommand').mockImplementation(execute);
  return documentSymbols(document);
}

const described = async (answer: () => unknown) =>
  (await symbolsOf(answer)).map(({ name, icon, containers }) => [name, icon, containers.join('/')]);

describe('the symbols of a document', () => {
  it('are those that VS Code gets from its extensions', async () => {
    await symbolsOf(() => undefined);
    expect(commands.executeCommand).toHaveBeenCalledWith('vscode.executeDocumentSymbolProvider', document.uri);
  });

  it('include nested ones, after their containers, in the order of the text', async () => {
    const nested = [
      { name: 'last', kind: 11, range: range(30, 31) },
      {
        name: 'Basket',
        kind: 4,
        range: range(0, 20),
        children: [
          { name: 'sum', kind: 5, range: range(9, 12), children: [{ name: 'Red', kind: 21, range: range(10, 10) }] },
          { name: 'add', kind: 5, range: range(1, 4) },
        ],
      },
    ];
    expect(await described(() => nested)).toEqual([
      ['Basket', 'symbol-class', ''],
      ['add', 'symbol-method', 'Basket'],
      ['sum', 'symbol-method', 'Basket'],
      ['Red', 'symbol-enum-member', 'Basket/sum'],
      ['last', 'symbol-function', ''],
    ]);
  });

  it('can be a flat list with the names of containers', async () => {
    const flat = [
      { name: 'add', kind: 5, containerName: 'Basket', location: { range: range(1, 4) } },
      { name: 'Basket', kind: 4, containerName: '', location: { range: range(1, 20) } },
    ];
    expect(await described(() => flat)).toEqual([
      ['Basket', 'symbol-class', ''],
      ['add', 'symbol-method', 'Basket'],
    ]);
  });

  it('can be both at once, as VS Code passes them', async () => {
    const merged = [
      {
        name: 'Basket',
        kind: 4,
        containerName: 'Shop',
        location: { range: range(0, 9) },
        range: range(0, 9),
        children: [
          { name: 'add', kind: 5, containerName: 'ignored', range: range(1, 4), location: { range: range(1, 4) } },
        ],
      },
    ];
    expect(await described(() => merged)).toEqual([
      ['Basket', 'symbol-class', 'Shop'],
      ['add', 'symbol-method', 'Shop/Basket'],
    ]);
  });

  it('leave out what has no text or the wrong form, and have an icon even if their kind is unknown', async () => {
    const inner = { name: 'inner', kind: 99, range: range(2, 3) };
    const found = [
      null,
      'text',
      { name: 'no range', kind: 4 },
      { name: 1, kind: 4, range: range(0, 1) },
      { name: 'not a range', kind: 4, range: { start: 0, end: 1 } },
      { name: 'empty', kind: 4, range: range(2, 2, 5, 5), children: [inner] },
    ];
    expect(await described(() => found)).toEqual([['inner', 'symbol-misc', 'empty']]);
  });

  it.each([
    ['nothing', () => undefined],
    ['something else', () => ({ length: 1 })],
    [
      'an error',
      () => {
        throw new Error('provider failed');
      },
    ],
  ])('are none if the answer is %s', async (_, answer) => {
    expect(await symbolsOf(answer)).toEqual([]);
  });
});

describe('the symbol at a position', () => {
  const at = async (line: number, character: number) => {
    const symbols = await symbolsOf(() => [
      { name: 'Basket', kind: 4, range: range(1, 20), children: [{ name: 'add', kind: 5, range: range(2, 4, 2, 3) }] },
      { name: 'one', kind: 11, range: range(30, 30, 0, 9) },
      { name: 'two', kind: 11, range: range(30, 30, 10, 19) },
    ]);
    return symbolAt(symbols, new Position(line, character) as unknown as vscode.Position)?.name;
  };

  it('is the innermost one', async () => {
    expect(await at(3, 0)).toBe('add');
    expect(await at(2, 2)).toBe('add');
    expect(await at(2, 1)).toBe('Basket');
    expect(await at(10, 0)).toBe('Basket');
  });

  it('distinguishes symbols on the same line', async () => {
    expect(await at(30, 4)).toBe('one');
    expect(await at(30, 12)).toBe('two');
  });

  it('is undefined outside all symbols', async () => {
    expect(await at(0, 0)).toBeUndefined();
    expect(await at(25, 0)).toBeUndefined();
  });
});
