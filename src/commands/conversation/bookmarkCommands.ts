import { askText } from '../../host/prompts/askText.ts';
import { plainLine } from '../../shared/text.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { type Bookmark, maxBookmarks, maxNoteLength } from '../../state/store/sessionRecord.ts';
import type { CommandContext } from '../context.ts';
import { takingEntered } from '../enteredFailure.ts';
import { NothingToDoError, UserFacingError } from '../commandErrors.ts';
import type { CommandHandlers, MessageArgument } from '../commandArguments.ts';
import { BookmarkPick } from './bookmarkPick.ts';
import { givenMessage, loadMessage } from './givenMessage.ts';

/** The commands that add, change, and list bookmarks. */
export function bookmarkCommands(context: CommandContext) {
  return {
    toggleBookmark: (argument) => toggleBookmark(context, argument),
    editBookmarkNote: async (argument, caller) => {
      const { key, messageId } = await givenMessage(context, argument);
      if (caller === 'script') {
        await setNote(context, key, messageId, argument.text ?? '');
        return;
      }
      await editNote(context, key, messageId, false);
      focusMessage(context, key, messageId);
    },
    showBookmarks: () => showBookmarks(context),
  } satisfies Partial<CommandHandlers>;
}

/**
 * Adds or removes the bookmark of the message in the argument or, if there is none, of the selected message of the
 * active conversation.
 */
async function toggleBookmark(context: CommandContext, argument: MessageArgument): Promise<void> {
  const { activeConversation, sessionList, store, t } = context;
  if (argument.messageId === undefined) {
    const { page } = activeConversation;
    if (!page) throw new NothingToDoError(t('Select a message first.'));
    page.post({ type: 'toggleBookmark' });
    return;
  }
  const { key, messageId } = await givenMessage(context, argument);
  const isBookmarked = bookmarkOf(store.record(key)?.listEntry.bookmarks, messageId) !== undefined;
  if (isBookmarked) await sessionList.removeBookmark(key, messageId);
  else await setBookmark(context, key, messageId, '');
  activeConversation
    .pageOf(key)
    ?.post({ type: 'announce', text: isBookmarked ? t('Bookmark removed.') : t('Bookmark added.') });
}

/** Sets the note of a bookmark, which is added if necessary. An empty text removes the note. */
function setNote(context: CommandContext, key: SessionKey, messageId: string, text: string): Promise<void> {
  return setBookmark(context, key, messageId, plainLine(text, maxNoteLength));
}

/**
 * Asks for the note of a bookmark, and sets it. Resolves to false if the input box was closed, for example because the
 * user opened another quick input.
 */
async function editNote(
  context: CommandContext,
  key: SessionKey,
  messageId: string,
  canGoBack: boolean,
): Promise<boolean> {
  const { store, t } = context;
  const tooLong = { message: t('A note can have up to {0} characters.', maxNoteLength), isWarning: false };
  const answer = await askText({
    title: t('Edit Bookmark Note'),
    prompt: t('Enter a note, or leave empty to remove it. Notes are synced with your session list.'),
    value: bookmarkOf(store.record(key)?.listEntry.bookmarks, messageId)?.note ?? '',
    canGoBack,
    check: ({ length }) => (length > maxNoteLength ? tooLong : undefined),
  });
  if (answer.kind === 'text') await takingEntered(() => setNote(context, key, messageId, answer.text));
  return answer.kind !== 'cancelled';
}

async function setBookmark(
  { sessionList, t }: CommandContext,
  key: SessionKey,
  messageId: string,
  note: string,
): Promise<void> {
  if (await sessionList.setBookmark(key, messageId, note)) return;
  throw new UserFacingError(
    t('You can have up to {0} bookmarks. Run Show Bookmarks to remove some before you add another.', maxBookmarks),
  );
}

/** Lists the bookmarks of the current session and of all others, and goes to the selected message. */
async function showBookmarks(context: CommandContext): Promise<void> {
  const { navigation, sessions, store, t } = context;
  if (!store.records.some(({ listEntry }) => listEntry.bookmarks)) {
    throw new NothingToDoError(t('No bookmarks yet. To add one, run Toggle Bookmark in the menu of a message.'));
  }
  const pick = new BookmarkPick(context);
  let choice = await pick.choose();
  while (choice?.isEdit) {
    // If another quick input closed the input box, showing the list again would close that quick input.
    if (!(await editNote(context, choice.key, choice.messageId, true))) return;
    choice = await pick.choose();
  }
  if (!choice) return;
  const { key, messageId } = choice;
  await sessions.restoreFromCache(key);
  await loadMessage(context, key, messageId);
  await navigation.openConversation(key, { messageId });
  focusMessage(context, key, messageId);
}

/** Focuses a message in its page. VS Code focuses an editor when a quick input closes, even if a page had the focus. */
function focusMessage({ activeConversation, store }: CommandContext, key: SessionKey, messageId: string): void {
  const rowKey = store.record(key)?.entryIdByMessageId.get(messageId) ?? messageId;
  activeConversation.pageOf(key)?.post({ type: 'focusRow', key: rowKey });
}

function bookmarkOf(bookmarks: readonly Bookmark[] | undefined, messageId: string): Bookmark | undefined {
  return bookmarks?.find((bookmark) => bookmark.messageId === messageId);
}
