import { describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { parseArgument, readGiven } from '../../../../src/commands/givenArgument.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { CatchUpDocuments } from '../../../../src/views/documents/catchUpDocuments.ts';
import { key, ready, sessionOf, t } from '../../state/samples.ts';

const shown = vi.hoisted((): { readonly uris: { query: string; scheme: string; path: string }[] } => ({ uris: [] }));

vi.mock('vscode', () => ({
  DocumentLink: class {
    tooltip: string | undefined;
    readonly range: unknown;
    readonly target: unknown;
    constructor(range: unknown, target: unknown) {
      this.range = range;
      this.target = target;
    }
  },
  FilePermission: { Readonly: 1 },
  FileType: { File: 1 },
  CommentMode: { Preview: 1 },
  CommentThreadCollapsibleState: { Collapsed: 0 },
  Uri: class {
    readonly scheme = '';
    static from = (parts: object) => parts;
  },
  languages: { registerDocumentLinkProvider: () => ({ dispose: () => undefined }) },
  window: { showTextDocument: () => Promise.resolve() },
  workspace: {
    openTextDocument: (uri: (typeof shown.uris)[number]) => {
      shown.uris.push(uri);
      return Promise.resolve({ uri });
    },
  },
}));

function setUp() {
  const store = new Store(memoryBodies());
  store.setConnection(ready);
  const readMark = { messageCount: 1, updatedAt: 1, wasAtWork: false };
  store.addSession({ key, addedAt: 1, readMark });
  const lifecycle = { ensureStarted: () => Promise.resolve() };
  const documents = new CatchUpDocuments({ store, lifecycle, t } as never);
  const take = (messageCount: number, title: string) => {
    const { sessionId } = key;
    store.takeSession(
      key,
      sessionOf({ sessionId, status: 'idle', messageCount, title, updatedAt: messageCount }),
      1,
      1,
    );
  };
  return { store, documents, take, readMark };
}

const uri = (query: string) => ({ query }) as vscode.Uri;

async function linesOf(documents: CatchUpDocuments, query: string): Promise<readonly string[]> {
  return new TextDecoder().decode(await documents.readFile(uri(query))).split('\n');
}

describe('Catch Up', () => {
  it('opens a document only if there is news, and keeps its text when the sessions are viewed', async () => {
    const { store, documents, take, readMark } = setUp();
    take(1, 'Fix the login');
    expect(await documents.open()).toBe(false);
    take(5, 'Fix the login');
    expect(await documents.open()).toBe(true);
    const { query = '' } = shown.uris.at(-1) ?? {};
    const lines = await linesOf(documents, query);
    expect(lines).toContain('## Fix the login');
    store.addSession({ key, addedAt: 1, readMark: { ...readMark, messageCount: 5, updatedAt: 5 } });
    expect(await linesOf(documents, query)).toEqual(lines);
    expect((await documents.stat(uri(query))).size).toBe(new TextEncoder().encode(lines.join('\n')).byteLength);
    // After a reload of the window, the document is written again.
    expect(await linesOf(documents, 'of an earlier window')).not.toContain('## Fix the login');
    documents.dispose();
  });

  it('has links whose commands run for the user, to whom failures are shown', async () => {
    const { documents, take } = setUp();
    take(5, 'Fix the login');
    const { length: lineCount } = await linesOf(documents, 'q');
    const document = { uri: uri('q'), lineCount, lineAt: (line: number) => ({ range: line }) };
    const [link] = documents.provideDocumentLinks(document as unknown as vscode.TextDocument);
    // VS Code decodes the query of a command once.
    const given = JSON.parse(decodeURIComponent(link?.target?.query ?? '')) as unknown[];
    const { fields, caller } = readGiven(given);
    expect(caller).toBe('user');
    const { sessionId, origin: service } = key;
    expect(parseArgument('openConversation', fields, t)).toEqual({ sessionId, service });
    documents.dispose();
  });

  it('has links that only run our own commands, whatever the texts say', async () => {
    const { documents, take } = setUp();
    take(5, '[x](command:workbench.action.quit) file:///etc/passwd');
    const lines = await linesOf(documents, 'q');
    const document = { uri: uri('q'), lineCount: lines.length, lineAt: (line: number) => ({ range: line }) };
    const links = documents.provideDocumentLinks(document as unknown as vscode.TextDocument);
    expect(links.map(({ target }) => target)).toEqual([
      {
        scheme: 'command',
        path: 'lineside.openConversation',
        query: encodeURIComponent(
          JSON.stringify([{ kind: 'catchUp', key: { origin: key.origin, sessionId: key.sessionId } }]),
        ),
      },
    ]);
    expect(lines[Number(links[0]?.range)]).toMatch(/^## /);
    expect(lines.join('\n')).not.toContain('](command:');
    documents.dispose();
  });
});
