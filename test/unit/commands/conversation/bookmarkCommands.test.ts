import { beforeEach, expect, it, vi } from 'vitest';
import { bookmarkCommands } from '../../../../src/commands/conversation/bookmarkCommands.ts';
import type { CommandContext } from '../../../../src/commands/context.ts';
import type { TextAnswer } from '../../../../src/host/prompts/askText.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { key, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));
vi.mock('../../../../src/host/prompts/askText.ts', () => ({ askText: () => Promise.resolve(answer) }));
/** The user edits the note of a bookmark the first time that the list is shown, and then closes it. */
vi.mock('../../../../src/commands/conversation/bookmarkPick.ts', () => ({
  BookmarkPick: class {
    choose() {
      listCount++;
      return Promise.resolve(listCount === 1 ? { key, messageId: 'm1', isEdit: true } : undefined);
    }
  },
}));

let answer: TextAnswer;
let listCount: number;
let notes: string[];
beforeEach(() => {
  listCount = 0;
  notes = [];
});

it.each<[TextAnswer, number, readonly string[]]>([
  [{ kind: 'text', text: 'Later' }, 2, ['Later']],
  [{ kind: 'back', text: 'Lat' }, 2, []],
  // Showing the list again would hide the quick input that hid the input box.
  [{ kind: 'cancelled', text: 'Lat' }, 1, []],
])('returns from a note to the list of bookmarks unless the input box was hidden: %j', async (given, count, set) => {
  answer = given;
  const store = new Store(memoryBodies());
  store.addSession({ key, addedAt: 1, bookmarks: [{ messageId: 'm1', addedAt: 1 }] });
  const setBookmark = (_key: object, _messageId: string, note: string) => Promise.resolve(notes.push(note) > 0);
  await bookmarkCommands({ store, sessionList: { setBookmark }, t } as unknown as CommandContext).showBookmarks();
  expect([listCount, notes]).toEqual([count, set]);
});
