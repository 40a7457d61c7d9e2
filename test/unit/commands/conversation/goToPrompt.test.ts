import { afterEach, expect, it, vi } from 'vitest';
import { goToPrompt } from '../../../../src/commands/conversation/goToPrompt.ts';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { window } from '../../../fakes/recordedEditor.ts';
import { key, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

afterEach(() => vi.restoreAllMocks());

/** A quick pick that stays open until the test closes it. */
class OpenPick {
  items: readonly { readonly label: string }[] = [];
  activeItems: readonly object[] = [];
  value = '';
  #hide: () => void = () => undefined;

  onDidAccept(): void {
    // The user doesn't press Enter.
  }

  onDidHide(listener: () => void): void {
    this.#hide = listener;
  }

  show(): void {
    // The test reads the rows.
  }

  close(): void {
    this.#hide();
  }

  dispose(): void {
    // Nothing is left open.
  }
}

it('lists the prompts that are newer than the cached messages of a conversation that no view shows', async () => {
  const pick = new OpenPick();
  vi.spyOn(window, 'createQuickPick').mockReturnValue(pick as never);
  const store = new Store(memoryBodies());
  store.addSession({ key, addedAt: 1 });
  const take = (text: string, at: number) => {
    store.takeMessages(key, [
      { id: text, role: 'user', createdAt: at, updatedAt: at, content: [{ type: 'text', text }] },
    ]);
    store.setHistory(key, { ...store.record(key)!.history, completeness: 'complete' });
    return Promise.resolve();
  };
  const context = {
    store,
    sessions: {
      restoreFromCache: () => take('cached', 1),
      hasNewestMessages: () => false,
      watch: () => ({ dispose: () => undefined }),
      refresh: () => take('newer', 2),
    },
    activeConversation: { key: () => undefined },
    lifecycle: { ensureStarted: () => Promise.resolve() },
    t,
  } as unknown as CommandContext;
  const going = goToPrompt(context, { sessionId: key.sessionId, service: key.origin });
  await expect
    .poll(() => pick.items.map(({ label }) => label))
    .toEqual(expect.arrayContaining([expect.stringContaining('newer'), expect.stringContaining('cached')]));
  pick.close();
  await going;
});
