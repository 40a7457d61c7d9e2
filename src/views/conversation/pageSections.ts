import { defined } from '../../shared/defined.ts';
import type { HostMessage } from '../../shared/protocol/hostMessages.ts';
import type {
  PageComments,
  PageComposer,
  PageDraft,
  PageHeader,
  PageOlder,
  PageScreen,
} from '../../shared/protocol/pageModel.ts';
import {
  describeBookmarks,
  describeComments,
  describeComposer,
  describeHeader,
  describeInEditor,
  describeOlder,
  describeScreen,
} from '../../state/presentation/describeConversation.ts';
import { describeTurn } from '../../state/presentation/describeChanges.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { lastAddedId, type SessionRecord } from '../../state/store/sessionRecord.ts';
import type { PageContext } from './pageContext.ts';
import type { ConversationRowModel } from './conversationRowModel.ts';

/** A section of the page that is updated separately once the page has its whole state. */
export type PageSection = 'rows' | 'header' | 'older' | 'composer' | 'draft' | 'comments' | 'bookmarks';

/**
 * Creates the sections that are sent as a whole, and tracks the last sent content, so that unchanged content isn't sent
 * again.
 */
export class PageSections {
  readonly #context: PageContext;
  readonly #sent = new Map<string, string>();
  #draftRevision: number | undefined;
  #commentsRevision: number | undefined;

  constructor(context: PageContext) {
    this.#context = context;
  }

  /** Call this when the page no longer has any sections. */
  clear(): void {
    this.#sent.clear();
  }

  /** Whether the content of a section differs from the content that the page has. Records it as sent. */
  differs(section: string, value: unknown): boolean {
    const text = JSON.stringify(value);
    if (this.#sent.get(section) === text) return false;
    this.#sent.set(section, text);
    return true;
  }

  /** All sections except the rows and the draft, for a page that has none. Records them as sent. */
  whole(record: SessionRecord, rows: ConversationRowModel) {
    const sections = {
      header: this.#header(record, rows),
      older: this.#older(record),
      composer: this.#composer(record),
      comments: this.#comments(record),
      bookmarks: describeBookmarks(record),
    };
    for (const [name, value] of Object.entries(sections)) this.differs(name, value);
    return sections;
  }

  /**
   * Returns the update for the next section to send, or undefined if there is none. Removes the sections that it checks
   * from `changed`.
   */
  nextChange(changed: Set<PageSection>, record: SessionRecord, rows: ConversationRowModel): HostMessage | undefined {
    if (changed.delete('header')) {
      const header = this.#header(record, rows);
      if (this.differs('header', header)) return { type: 'header', header };
    }
    if (changed.delete('older')) {
      const older = this.#older(record);
      if (this.differs('older', older)) return { type: 'older', older };
    }
    if (changed.delete('draft')) return { type: 'draft', draft: this.draft(record) };
    if (changed.delete('composer')) {
      const composer = this.#composer(record);
      if (this.differs('composer', composer)) return { type: 'composer', composer };
    }
    if (changed.delete('comments')) {
      const comments = this.#comments(record);
      if (this.differs('comments', comments)) return { type: 'comments', comments };
    }
    if (changed.delete('bookmarks')) {
      const bookmarks = describeBookmarks(record);
      if (this.differs('bookmarks', bookmarks)) return { type: 'bookmarks', bookmarks };
    }
    return undefined;
  }

  screen(key: SessionKey | undefined, isInEditor: boolean): PageScreen {
    const { store, t } = this.#context;
    const record = key && isInEditor ? store.record(key) : undefined;
    if (record) return describeInEditor(sessionTitle(record), t);
    const own = store.connectionOf(key?.origin ?? '');
    const connection = own.kind === 'noService' ? store.connection : own;
    return describeScreen(connection, store.records.length, t, key?.origin);
  }

  /** Records that the store has the page's draft up to this revision. */
  acknowledgeDraft(revision: number): void {
    this.#draftRevision = Math.max(revision, this.#draftRevision ?? 0);
  }

  /** Records that the store has the page's comments up to this revision. */
  acknowledgeComments(revision: number): void {
    this.#commentsRevision = Math.max(revision, this.#commentsRevision ?? 0);
  }

  draft({ draft }: SessionRecord): PageDraft {
    const { text, selectionStart, selectionEnd } = draft;
    const known = defined({ revision: this.#draftRevision, addedId: lastAddedId(draft) });
    return { text, selectionStart, selectionEnd, ...known };
  }

  #header(record: SessionRecord, rows: ConversationRowModel): PageHeader {
    const { store, t } = this.#context;
    const turn = describeTurn(rows.lastTurn(record), record, t);
    return {
      ...describeHeader(record, store.connectionOf(record.listEntry.key.origin), t),
      filter: rows.filter(record),
      ...defined({ turn }),
    };
  }

  #older(record: SessionRecord): PageOlder {
    const { store, t } = this.#context;
    return describeOlder(record, store.connectionOf(record.listEntry.key.origin), t);
  }

  #comments(record: SessionRecord): PageComments {
    return { items: describeComments(record), ...defined({ revision: this.#commentsRevision }) };
  }

  #composer(record: SessionRecord): PageComposer {
    const { store, composer, t } = this.#context;
    const { key } = record.listEntry;
    const failure = composer.composerFailure(key);
    const connection = store.connectionOf(key.origin);
    return {
      ...describeComposer(record, connection, failure?.text, t, composer.isWhenIdle()),
      ...defined({ rejectionId: failure?.rejectionId }),
    };
  }
}
