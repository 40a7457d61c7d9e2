import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Uri } from 'vscode';
import { exportCommands } from '../../../../src/commands/conversation/exportCommands.ts';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { unfiltered } from '../../../../src/state/conversation/filter.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import * as editor from '../../../fakes/recordedEditor.ts';
import { key, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));
vi.mock('../../../../src/host/files/wholeFile.ts', () => ({
  writeWholeFile: async (_target: Uri, pieces: AsyncIterable<string>) => {
    for await (const piece of pieces) written += piece;
  },
}));

let written: string;
let store: Store;
let loads: string[];

/** Exports a conversation whose cached history is complete, and which `refresh` changes. */
async function exported(refresh: () => void): Promise<string> {
  const take = (id: string, at: number) => {
    const content = [{ type: 'text', text: `text of ${id}` }] as const;
    store.takeMessages(key, [{ id, role: 'user', createdAt: at, updatedAt: at, content }]);
  };
  const sessions = {
    restoreFromCache: () => {
      take('cached', 1);
      store.setHistory(key, { ...store.record(key)!.history, completeness: 'complete' });
      return Promise.resolve();
    },
    hasNewestMessages: () => false,
    watch: () => ({ dispose: () => undefined }),
    refresh: () => {
      loads.push('refresh');
      take('newer', 2);
      refresh();
      return Promise.resolve();
    },
    loadRest: () => Promise.resolve(void loads.push('rest')),
  };
  const context = {
    store,
    sessions,
    filters: { get: () => unfiltered },
    activeConversation: { key: () => undefined },
    lifecycle: { ensureStarted: () => Promise.resolve() },
    t,
  } as unknown as CommandContext;
  const argument = { sessionId: key.sessionId, service: key.origin, uri: editor.Uri.file('/x.md') as unknown as Uri };
  await exportCommands(context).exportConversation(argument, 'script');
  return JSON.stringify(editor.recorded);
}

beforeEach(() => {
  editor.recorded.length = 0;
  written = '';
  loads = [];
  store = new Store(memoryBodies());
  store.addSession({ key, addedAt: 1 });
  store.setConnection({ kind: 'ready', service: { origin: key.origin, baseUrl: key.origin } });
});

describe('the export of a conversation that no view shows', () => {
  it('contains the messages that are newer than the cached ones', async () => {
    const shown = await exported(() => undefined);
    expect(written).toContain('text of newer');
    expect(shown).toContain('Exported 2 messages to x.md.');
    expect(shown).not.toContain('may be missing');
    expect(loads).toEqual(['refresh']);
  });

  it('loads older messages if the refresh shows that some are missing', async () => {
    await expect(
      exported(() => store.setHistory(key, { ...store.record(key)!.history, completeness: 'partial' })),
    ).rejects.toThrow("Couldn't load all messages");
    expect(loads).toEqual(['refresh', 'rest']);
  });

  it.each([
    ['fails', () => store.takeFailure(key, { kind: 'unreachable', at: 1 })],
    ['is impossible', () => store.setConnection({ kind: 'noService' })],
  ])('says that newer messages may be missing if the refresh %s', async (_, refresh) => {
    const shown = await exported(refresh);
    expect(written).toContain('text of cached');
    expect(shown).toContain("Couldn't refresh the conversation, so newer messages may be missing.");
  });
});
