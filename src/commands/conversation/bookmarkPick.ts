import * as vscode from 'vscode';
import { Picker, type PickerRow } from '../../host/prompts/picker.ts';
import { plainLine } from '../../shared/text.ts';
import { placeBookmarks } from '../../state/conversation/bookmarks.ts';
import { describeMessageRow } from '../../state/presentation/describeSession.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import { sameSession, type SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import type { CommandContext } from '../context.ts';

interface Bookmarked {
  readonly key: SessionKey;
  readonly messageId: string;
}

/** The bookmark that the user selected, and whether to edit its note instead of going to its message. */
interface BookmarkChoice extends Bookmarked {
  readonly isEdit: boolean;
}

/**
 * A quick pick of bookmarks: those of the current session, then those of the others. The user can also remove
 * bookmarks.
 */
export class BookmarkPick {
  readonly #context: CommandContext;
  readonly #edit: vscode.QuickInputButton;
  readonly #remove: vscode.QuickInputButton;

  constructor(context: CommandContext) {
    const { t } = context;
    this.#context = context;
    this.#edit = { iconPath: new vscode.ThemeIcon('edit'), tooltip: t('Edit Note') };
    this.#remove = { iconPath: new vscode.ThemeIcon('close'), tooltip: t('Remove Bookmark') };
  }

  /** Resolves to the choice of the user; undefined if the user made none. */
  async choose(): Promise<BookmarkChoice | undefined> {
    const { sessionList, t } = this.#context;
    const picker = new Picker<Bookmarked, BookmarkChoice>({
      title: t('Show Bookmarks'),
      placeholder: t('Select a bookmark to go to its message'),
      matchOnDescription: true,
      matchOnDetail: true,
      keepScrollPosition: true,
    });
    let rows = this.#rows;
    picker.show(rows);
    return picker.ask({
      accept: (bookmark) => bookmark && picker.finish({ ...bookmark, isEdit: false }),
      rowButton: async (bookmark, button) => {
        if (button === this.#edit) {
          picker.finish({ ...bookmark, isEdit: true });
          return;
        }
        const place = rows.findIndex(({ value }) => value === bookmark);
        await sessionList.removeBookmark(bookmark.key, bookmark.messageId);
        rows = this.#rows;
        const isBookmark = ({ value }: PickerRow<Bookmarked>) => value !== undefined;
        const next = rows.slice(place).find(isBookmark) ?? rows.findLast(isBookmark);
        // With text in the field, the next row may not match it.
        if (next) picker.show(rows, picker.text === '' ? next : undefined);
        else picker.finish(undefined);
      },
    });
  }

  get #rows(): PickerRow<Bookmarked>[] {
    const { store } = this.#context;
    const isCurrent = ({ listEntry }: SessionRecord) => sameSession(listEntry.key, store.current);
    const records = store.records.filter(({ listEntry }) => listEntry.bookmarks);
    const [current, others] = [records.filter(isCurrent), records.filter((record) => !isCurrent(record))];
    return [...current, ...others].flatMap((record) => [
      { label: plainLine(sessionTitle(record), 120), kind: vscode.QuickPickItemKind.Separator },
      ...this.#rowsOf(record),
    ]);
  }

  /**
   * The bookmarks of a session, newest message first. The first line of a message is shown if the message is loaded.
   */
  #rowsOf(record: SessionRecord): PickerRow<Bookmarked>[] {
    const { t } = this.#context;
    const { key } = record.listEntry;
    const { formats } = t;
    return placeBookmarks(record)
      .toReversed()
      .map(({ header, bookmark: { messageId, note = '' } }) => {
        const line = header && describeMessageRow(header, record.headers, Date.now(), t).label;
        return {
          label: note === '' ? (line ?? t('Message not loaded')) : note,
          description: header ? formats.dateTime(header.createdAt) : '',
          ...(note !== '' && line !== undefined ? { detail: line } : {}),
          iconPath: new vscode.ThemeIcon('bookmark'),
          buttons: [this.#edit, this.#remove],
          value: { key, messageId },
        };
      });
  }
}
