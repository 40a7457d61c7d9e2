import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InertDocuments } from '../../../../src/host/readOnlyFiles/inertDocuments.ts';
import { inertLanguages, messageLanguage } from '../../../../src/host/readOnlyFiles/inertLanguages.ts';
import { fileSchemes } from '../../../../src/host/readOnlyFiles/readOnlyFileSystem.ts';
import { languages, openEvents, Position, Uri } from '../../../fakes/recordedEditor.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

let inert: InertDocuments;
beforeEach(() => {
  inert = new InertDocuments();
});
afterEach(() => {
  inert.dispose();
  vi.restoreAllMocks();
});

describe('the language of a document of ours', () => {
  it.each([
    [fileSchemes.question, '/message.txt', 'plaintext', messageLanguage],
    [fileSchemes.question, '/message.txt', 'typescript', messageLanguage],
    [fileSchemes.change, '/a.txt', 'plaintext', undefined],
    [fileSchemes.change, '/a.json', 'json', 'lineside-jsonc'],
    [fileSchemes.conversation, '/a.md', 'markdown', undefined],
    ['file', '/a.json', 'json', undefined],
  ])('of %s%s in %s becomes %s', (scheme, path, languageId, language) => {
    const set = vi.spyOn(languages, 'setTextDocumentLanguage');
    const document = { uri: Uri.from({ scheme, path }), languageId };
    openEvents.fire(document);
    expect(set.mock.calls).toEqual(language === undefined ? [] : [[document, language]]);
  });
});

describe('a `file://` address in a document', () => {
  const text = 'one\nsee file:///etc/passwd';
  const documentOf = (scheme: string, languageId: string) =>
    ({
      uri: { scheme, with: ({ fragment }: { readonly fragment: string }) => `${scheme}:a#${fragment}` },
      languageId,
      getText: () => text,
      positionAt: (offset: number) => new Position(1, offset - 4),
    }) as unknown as Parameters<InertDocuments['follow']>[0];
  const linksIn = (document: Parameters<InertDocuments['follow']>[0]) =>
    inert.provideDocumentLinks(document).map(({ range, target }) => [range.start.character, String(target)]);

  it.each([
    [fileSchemes.change, 'typescript'],
    ['untitled', 'lineside-markdown'],
  ])('leads to its own line in %s, %s', (scheme, languageId) => {
    expect(linksIn(documentOf(scheme, languageId))).toEqual([[4, `${scheme}:a#L2`]]);
  });

  it('leads to its own line in a new file with code of an agent, and stays a link in one of the user', () => {
    const [ofAgent, ofUser] = [documentOf('untitled', 'python'), documentOf('untitled', 'python')];
    inert.follow(ofAgent);
    expect(linksIn(ofAgent)).toEqual([[4, 'untitled:a#L2']]);
    expect(linksIn(ofUser)).toEqual([]);
  });

  it('is judged in all of our documents and languages, and in untitled documents', () => {
    const register = vi.spyOn(languages, 'registerDocumentLinkProvider');
    new InertDocuments().dispose();
    const [selectors] = register.mock.calls[0] ?? [];
    const schemes = [...Object.values(fileSchemes), 'untitled'].map((scheme) => ({ scheme }));
    expect(selectors).toEqual(
      expect.arrayContaining([...schemes, ...inertLanguages.map((language) => ({ language }))]),
    );
  });
});
