import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InertDocuments } from '../../../../src/host/readOnlyFiles/inertDocuments.ts';
import { messageLanguage } from '../../../../src/host/readOnlyFiles/inertLanguages.ts';
import { fileSchemes } from '../../../../src/host/readOnlyFiles/readOnlyFileSystem.ts';
import { languages, openEvents, Uri } from '../../../fakes/recordedEditor.ts';

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
