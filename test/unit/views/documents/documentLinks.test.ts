import { afterEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { documentUri } from '../../../../src/state/documents/documentUri.ts';
import { DocumentLinks } from '../../../../src/views/documents/documentLinks.ts';
import { key } from '../../state/samples.ts';

vi.mock('vscode', () => ({
  DocumentLink: class {
    readonly range: unknown;
    constructor(range: unknown) {
      this.range = range;
    }
  },
  Range: class {
    readonly numbers: readonly number[];
    constructor(...numbers: readonly number[]) {
      this.numbers = numbers;
    }
  },
  languages: {
    registerDocumentLinkProvider: (selector: object, provider: object) => {
      providers.set(provider, selector);
      return { dispose: () => void providers.delete(provider) };
    },
  },
}));

/** The registered providers and what they are registered for. */
const providers = vi.hoisted(() => new Map<object, object>());

afterEach(() => vi.restoreAllMocks());

type LinkedFiles = ConstructorParameters<typeof DocumentLinks>[0];
type Look = LinkedFiles['look'];
type Find = LinkedFiles['find'];

function documentOf(lines: readonly string[], languageId: string): vscode.TextDocument {
  const document: unknown = {
    uri: documentUri({ key, shows: { part: 1 } }, 'A conversation'),
    languageId,
    lineCount: lines.length,
    lineAt: (line: number) => ({ text: lines[line] }),
  };
  return document as vscode.TextDocument;
}

/** The links of a document: the text that each covers, the path that it names, and its tooltip, if any. */
async function linksOf(lines: readonly string[], languageId: string, look: Look, token: object) {
  const links = new DocumentLinks({ look, find: () => Promise.resolve([]) });
  const found = await links.provideDocumentLinks(documentOf(lines, languageId), token as vscode.CancellationToken);
  links.dispose();
  return (found ?? []).map(({ range, text, tooltip }) => {
    const [line = 0, start, , end] = (range as unknown as { numbers: readonly number[] }).numbers;
    const covered = lines[line]?.slice(start, end);
    return tooltip === undefined ? [covered, text] : [covered, text, tooltip];
  });
}

const always: Look = () => Promise.resolve({});
const going = { isCancellationRequested: false };

describe('the links of a document', () => {
  it('have a tooltip without links of its own', async () => {
    const look: Look = (_, text) => Promise.resolve({ hint: `Open ${text}\n/a on \\\\](command:a) <command:b>` });
    expect(await linksOf(['src/a.ts'], 'markdown', look, going)).toEqual([
      ['src/a.ts', 'src/a.ts', 'Open src/a.ts\n/a on \\\\ ] (command:a) < command:b>'],
    ]);
  });

  it('are only those that lead to one file', async () => {
    const look: Look = (_, text) => Promise.resolve(text === 'src/a.ts' ? { hint: 'Select', isAmbiguous: true } : {});
    expect(await linksOf(['src/a.ts src/b.ts'], 'markdown', look, going)).toEqual([['src/b.ts', 'src/b.ts']]);
  });

  it('are the paths of links, code spans, and text', async () => {
    const lines = [
      'See [the basket]\\(src/a.ts) and `src/b.ts`, ``src/c.ts:3``, [x]\\(y), src/d.ts, [`src/e.ts`]\\(<src/f.ts>) `x`',
      '```',
      'src/none.ts',
      '```',
      '`src/g.ts` src/h.ts',
    ];
    expect(await linksOf(lines, 'markdown', always, going)).toEqual([
      ['the basket', 'src/a.ts'],
      ['src/b.ts', 'src/b.ts'],
      ['src/c.ts:3', 'src/c.ts:3'],
      ['src/d.ts', 'src/d.ts'],
      ['`src/e.ts`', 'src/f.ts'],
      ['src/g.ts', 'src/g.ts'],
      ['src/h.ts', 'src/h.ts'],
    ]);
    expect(await linksOf(['```', '[a]\\(b.ts:1) src/a.ts'], 'plaintext', always, going)).toEqual([
      ['b.ts:1', 'b.ts:1'],
      ['src/a.ts', 'src/a.ts'],
    ]);
  });

  it('have labels with brackets, and targets with parentheses or an address', async () => {
    const lines = [
      '[src/[id]/a.ts]\\(src/[id]/a.ts:3) [`b[0]`]\\(app/(group)/b.ts) [c]\\(file:\\///work/c.ts)',
      '[a[b[c]]]\\(src/a.ts) [d]\\(src/(a(b)).ts)',
    ];
    expect(await linksOf(lines, 'markdown', always, going)).toEqual([
      ['src/[id]/a.ts', 'src/[id]/a.ts:3'],
      ['`b[0]`', 'app/(group)/b.ts'],
      ['c', 'file:\\///work/c.ts'],
      ['src/a.ts', 'src/a.ts'],
    ]);
  });

  it('are searched with a pause after each long line', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 5));
    let pauses = 0;
    const token = {
      get isCancellationRequested() {
        pauses += 1;
        return false;
      },
    };
    await linksOf(
      Array.from({ length: 20 }, () => '`a b` '.repeat(400)),
      'markdown',
      always,
      token,
    );
    expect(pauses).toBeGreaterThanOrEqual(20);
  });

  it('are looked up 16 at a time, and no longer once the request is canceled', async () => {
    let [running, most, asked] = [0, 0, 0];
    const token = { isCancellationRequested: false };
    const look: Look = async () => {
      asked += 1;
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      if (asked >= 40) token.isCancellationRequested = true;
      return {};
    };
    const lines = Array.from({ length: 100 }, (_, index) => `see src/file${index}.ts`);
    expect(await linksOf(lines, 'markdown', look, token)).toEqual([]);
    expect(most).toBe(16);
    expect(asked).toBeLessThan(100);
  });

  it('are registered for documents of conversations until they are disposed', () => {
    const links = new DocumentLinks({ look: always, find: () => Promise.resolve([]) });
    expect(providers.get(links)).toEqual({ scheme: 'lineside' });
    links.dispose();
    expect(providers.has(links)).toBe(false);
  });

  it('are not provided for a document with another address', async () => {
    const links = new DocumentLinks({ look: always, find: () => Promise.resolve([]) });
    const document = { ...documentOf(['src/a.ts'], 'markdown'), uri: { authority: 'a', path: '/b', query: '' } };
    expect(
      await links.provideDocumentLinks(document as vscode.TextDocument, going as vscode.CancellationToken),
    ).toBeUndefined();
  });

  it('are only those to files that exist', async () => {
    const look: Look = (_, text) => Promise.resolve(text === 'src/b.ts' ? {} : undefined);
    expect(await linksOf(['src/a.ts `src/b.ts` src/c.ts'], 'markdown', look, going)).toEqual([
      ['src/b.ts', 'src/b.ts'],
    ]);
  });

  it('are looked up with their session, and each path once', async () => {
    const asked: unknown[] = [];
    const look: Look = (session, text) => {
      asked.push([session, text]);
      return Promise.resolve({});
    };
    const lines = ['src/a.ts src/a.ts', 'src/a.ts'];
    expect((await linksOf(lines, 'markdown', look, going)).length).toBe(3);
    expect(asked).toEqual([[key, 'src/a.ts']]);
  });

  it('do not overlap: of two paths, the longer one is the link', async () => {
    const line = '"src/my file.ts" src/b.ts';
    expect(await linksOf([line, line], 'markdown', always, going)).toEqual(
      [line, line].flatMap(() => [
        ['src/my file.ts', 'src/my file.ts'],
        ['src/b.ts', 'src/b.ts'],
      ]),
    );
  });

  it('can touch each other', async () => {
    expect(await linksOf(['【F:src/a.ts†L3】src/b.ts'], 'markdown', always, going)).toEqual([
      ['【F:src/a.ts†L3】', 'src/a.ts#L3'],
      ['src/b.ts', 'src/b.ts'],
    ]);
  });

  it('are not in code blocks, which end with a mark that is as long as the first', async () => {
    const lines = [
      ...['> ````ts', 'src/1.ts', '```', 'src/2.ts', '~~~', 'src/3.ts', '`````', 'src/4.ts'],
      ...['~~~', 'src/5.ts', '````', 'src/6.ts', '~~~', 'src/7.ts', 'text ```` src/8.ts', 'src/9.ts'],
    ];
    const found = await linksOf(lines, 'markdown', always, going);
    expect(found.map(([text]) => text)).toEqual(['src/4.ts', 'src/7.ts', 'src/8.ts', 'src/9.ts']);
  });

  it('are the paths of all lines in a document that is not Markdown, whatever their marks', async () => {
    const lines = ['```', 'src/a.ts `src/my file.ts` src/b.ts'];
    const found = await linksOf(lines, 'plaintext', always, going);
    expect(found.map(([text]) => text)).toEqual(['src/a.ts', 'src/b.ts']);
  });

  it('are not in lines of more than 10,000 characters', async () => {
    const line = (length: number) => `${' '.repeat(length - 8)}src/a.ts`;
    expect(await linksOf([line(10_001), line(10_000)], 'markdown', always, going)).toEqual([['src/a.ts', 'src/a.ts']]);
  });

  it('are at most 5,000', async () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `src/${index}.ts a/b.ts c/d.ts e/f.ts g/h.ts i/j.ts`);
    expect((await linksOf(lines, 'markdown', always, going)).length).toBe(5_000);
  });

  it('are not provided once the request is canceled, before files are looked up or after', async () => {
    vi.spyOn(performance, 'now').mockImplementation(() => (vi.mocked(performance.now).mock.calls.length + 1) * 5);
    let asked = 0;
    const look: Look = () => {
      asked += 1;
      return Promise.resolve({});
    };
    const lines = Array.from({ length: 20 }, () => 'src/a.ts '.repeat(400));
    const links = new DocumentLinks({ look, find: () => Promise.resolve([]) });
    const canceled = { isCancellationRequested: true };
    const document = documentOf(lines, 'markdown');
    expect(await links.provideDocumentLinks(document, canceled as vscode.CancellationToken)).toBeUndefined();
    expect(asked).toBe(0);
    const short = documentOf(['src/a.ts'], 'markdown');
    expect(await links.provideDocumentLinks(short, canceled as vscode.CancellationToken)).toBeUndefined();
    expect(asked).toBe(0);
  });
});

describe('a link of a document that is followed', () => {
  /** The target of the only link of a line, which is found when the link is followed; undefined if it leads nowhere. */
  async function followed(line: string, find: Find) {
    const links = new DocumentLinks({ look: always, find });
    const found = await links.provideDocumentLinks(documentOf([line], 'markdown'), going as vscode.CancellationToken);
    const link = found?.[0];
    expect(found?.length).toBe(1);
    expect(link?.target).toBeUndefined();
    const resolved = link && (await links.resolveDocumentLink(link));
    return resolved && (resolved === link ? (resolved.target as unknown) : 'another link');
  }
  const uri = { with: (change: object) => ({ path: '/w/src/a.ts', ...change }) } as unknown as vscode.Uri;
  const at = (line: number, character: number) => ({ line, character });

  it('leads to the file that the path names at that time', async () => {
    const asked: unknown[] = [];
    const find: Find = (...names) => {
      asked.push(names);
      return Promise.resolve([{ uri, selection: undefined }]);
    };
    expect(await followed('[the basket]\\(src/a.ts:3)', find)).toEqual({ path: '/w/src/a.ts', fragment: '' });
    expect(asked).toEqual([[key, 'src/a.ts:3']]);
  });

  it('leads nowhere if the path means several files', async () => {
    const place = { uri, selection: undefined };
    expect(await followed('src/a.ts', () => Promise.resolve([place, place]))).toBeUndefined();
  });

  it('leads nowhere if the file no longer exists', async () => {
    expect(await followed('src/a.ts', () => Promise.resolve([]))).toBeUndefined();
  });

  it.each([
    [at(2, 4), at(2, 4), true, 'L3,5'],
    [at(0, 0), at(0, 0), true, 'L1,1'],
    [at(2, 4), at(8, 1), false, 'L3,5-9,2'],
  ])('selects the range from %j to %j', async (start, end, isEmpty, fragment) => {
    const selection = { start, end, isEmpty } as vscode.Range;
    expect(await followed('src/a.ts', () => Promise.resolve([{ uri, selection }]))).toMatchObject({ fragment });
  });
});
