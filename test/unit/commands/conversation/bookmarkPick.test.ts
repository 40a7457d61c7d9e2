import { afterEach, expect, it, vi } from 'vitest';
import { BookmarkPick } from '../../../../src/commands/conversation/bookmarkPick.ts';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { window } from '../../../fakes/recordedEditor.ts';
import { key, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

afterEach(() => vi.restoreAllMocks());

interface Row {
  readonly label: string;
  readonly buttons?: readonly object[];
}

/** A quick pick in which the user can click the buttons of rows. */
class ButtonPick {
  items: readonly Row[] = [];
  activeItems: readonly Row[] = [];
  value = '';
  #press: (event: { readonly item: Row; readonly button: object }) => void = () => undefined;
  #hide: () => void = () => undefined;

  onDidAccept(): void {
    // The user doesn't press Enter.
  }

  onDidHide(listener: () => void): void {
    this.#hide = listener;
  }

  onDidTriggerItemButton(listener: (event: { readonly item: Row; readonly button: object }) => void): void {
    this.#press = listener;
  }

  show(): void {
    // The test acts instead.
  }

  /** Clicks the last button of a row. Resolves to the label of the active row afterward; undefined if there is none. */
  async remove(label: string): Promise<string | undefined> {
    const item = this.items.find((row) => row.label === label);
    const button = item?.buttons?.at(-1);
    if (!item || !button) throw new Error(`There is no such row: ${label}`);
    this.#press({ item, button });
    await expect.poll(() => this.items).not.toContain(item);
    const [active] = this.activeItems;
    return active && this.items.includes(active) ? active.label : undefined;
  }

  close(): void {
    this.#hide();
  }

  dispose(): void {
    // Nothing is left open.
  }
}

it('keeps the place in the list of bookmarks when one is removed', async () => {
  const pick = new ButtonPick();
  vi.spyOn(window, 'createQuickPick').mockReturnValue(pick as never);
  const store = new Store(memoryBodies());
  let ids = ['a', 'b', 'c', 'd'];
  const list = () => {
    const bookmarks = ids.map((messageId, addedAt) => ({ messageId, addedAt, note: `note ${messageId}` }));
    store.addSession({ key, addedAt: 1, bookmarks });
  };
  list();
  const removeBookmark = (_key: object, messageId: string) => {
    ids = ids.filter((id) => id !== messageId);
    store.removeSession(key);
    list();
    return Promise.resolve();
  };
  const context = { store, sessionList: { removeBookmark }, t } as unknown as CommandContext;
  const choice = new BookmarkPick(context).choose();
  expect(pick.items.map(({ label }) => label).slice(1)).toEqual(['note d', 'note c', 'note b', 'note a']);
  expect(await pick.remove('note c')).toBe('note b');
  expect(await pick.remove('note a')).toBe('note b');
  pick.value = 'note';
  expect(await pick.remove('note d')).toBeUndefined();
  pick.close();
  expect(await choice).toBeUndefined();
});
