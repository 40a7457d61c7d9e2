/**
 * The model of the conversation page without its rows, as the host describes it and the page renders it: setup, header,
 * composer, draft, find, and the screen that replaces a conversation. Types only.
 */
import type { PageStrings } from './pageStrings.ts';
import type { PageRow, PageTarget, RowPatch } from './rowTypes.ts';
import type { AttachmentIcon, AttachmentKind, DeliveryAction, DetailLevel, PageAction } from './vocabulary.ts';

/** The fonts from the chat settings. For an absent field, the page uses its default. */
export interface PageFonts {
  /** One or more font families, in CSS syntax. */
  readonly family?: string;
  readonly sizePx?: number;
  readonly codeFamily?: string;
  readonly codeSizePx?: number;
}

/** The settings that the composer needs. */
export interface ComposerSettings {
  readonly sendKey: 'enter' | 'ctrlEnter';
  /** Pasted text with more characters than this is attached as a file. 0 turns this off. */
  readonly pasteAsFileLength: number;
  readonly maxPageBytes: number;
  /** The maximum size of one attachment. */
  readonly maxAttachmentMB: number;
  /** The entries in the Attach menu. */
  readonly attachmentMenu: readonly AttachmentMenuItem[];
}

/** Strings and settings: the first message to a page each time it loads, sent again when one of them changes. */
export interface PageSetup extends ComposerSettings {
  readonly words: PageStrings;
  /** BCP 47 language tag, for numbers and times. */
  readonly locale: string;
  /** The language of `words`, for plural forms. */
  readonly language: string;
  readonly fonts: PageFonts;
  /** Whether the conversation and the composer have a description that mentions accessibility help. */
  readonly mentionsHelp: boolean;
  /** Settings for the style sheet only. The page sets each as a data attribute of its root element. */
  readonly appearance: {
    /** When the time of a message is visible. */
    readonly times: 'inline' | 'hover' | 'never';
  };
}

/** Row stubs, stored as columns. All three arrays describe the same list of rows. */
export interface RowStubColumns {
  readonly keys: readonly string[];
  /** Estimated height of each row, in lines. */
  readonly weights: readonly number[];
  /** Indexes of the rows that are prompts. */
  readonly promptIndexes: readonly number[];
}

/** A session, by the origin of its service and its ID. */
export interface PageSession {
  readonly origin: string;
  readonly sessionId: string;
}

/** A conversation: its header, the stubs of its last rows, and the bodies of the last few of them. */
export interface PageConversation extends PageSession {
  readonly header: PageHeader;
  /**
   * {@link RowStubColumns} as JSON, because VS Code copies each value in a message several times, but copies a string
   * in one step.
   */
  readonly rowStubs: string;
  /**
   * The number of rows before those in `rowStubs`, or an estimate of it if the host hasn't read them yet. Their
   * stubs follow in `earlier` messages.
   */
  readonly earlierCount: number;
  readonly rows: readonly PageRow[];
  readonly older: PageOlder;
  readonly composer: PageComposer;
  readonly draft: PageDraft;
  readonly comments: PageComments;
  readonly bookmarks: readonly PageBookmark[];
  /** The row to scroll to, instead of the saved position. */
  readonly reveal?: PageTarget;
  /** The first row that is new to the user, where a conversation without a saved position begins. */
  readonly newKey?: string;
}

/** Changes to the rows of a conversation. */
export interface PagePatch {
  readonly patches: readonly RowPatch[];
  /**
   * True if the user changed which rows are shown, for example with the filter or by expanding steps. No row is then
   * announced as new, not even one that arrived at the same time.
   */
  readonly isReread?: boolean;
  /** The first row that is new to the user, whether these patches insert it or not. */
  readonly newKey?: string;
}

export type PageStatus = 'idle' | 'pending' | 'running' | 'unknown' | 'unreachable' | 'rejected' | 'none';

export interface PageHeader {
  readonly title: string;
  /** Facts about the session for the tooltip of its title, for example that the title was set in VS Code. */
  readonly marks: readonly { readonly label: string; readonly hint: string }[];
  readonly sessionId: string;
  readonly status: PageStatus;
  /** The status as text, for example "Running". */
  readonly statusLabel: string;
  /** Says that messages are missing, with a tooltip. Absent if none are. */
  readonly incomplete?: { readonly label: string; readonly hint: string };
  /**
   * When the status was last refreshed, in Unix ms, rounded down to the minute unless `isStale`. Absent before the
   * first response.
   */
  readonly asOf?: number;
  /**
   * True if `status` may be outdated: it wasn't refreshed in this window yet, the last refresh failed, or no refresh is
   * possible.
   */
  readonly isStale: boolean;
  readonly model?: string | undefined;
  /**
   * The agent's to-do list, for example "Plan: 3 of 7 done" and the current item; absent if there is none. `version`
   * changes whenever its items may have changed.
   */
  readonly plan?: { readonly label: string; readonly current: string; readonly version: string };
  /** The current turn or, while the agent is idle, the last one; absent if there is nothing to show about it. */
  readonly turn?: PageTurn;
  readonly filter: PageFilter;
  readonly failure?: PageFailure;
}

/** What is wrong with the session as a whole. */
interface PageFailure {
  /** One or more sentences. */
  readonly text: string;
  /** What the user can do about it. */
  readonly actions: readonly PageButton[];
  /** When Lineside tries again, in Unix ms; absent if it doesn't. */
  readonly retryAt?: number;
}

/** What the agent did in a turn, as short labels with their tooltips. */
export interface PageTurn {
  /** The ID of a message in the turn. */
  readonly messageId: string;
  readonly changes?: PageTurnPart;
  readonly errors?: PageTurnPart;
  readonly time?: PageTurnPart;
}

export interface PageTurnPart {
  readonly label: string;
  readonly hint: string;
}

/** The filter that determines which messages are shown. */
export interface PageFilter {
  readonly detailLevel: DetailLevel;
  /**
   * The detail level and the number of shown messages, for example "Answers Only: 214 of 1,000 messages". Without
   * numbers while earlier messages are about to be read. Absent if no messages are hidden, or if the default detail
   * level hides some but not all.
   */
  readonly summary?: string;
}

export interface PageButton {
  readonly label: string;
  readonly action: PageAction;
}

/** Replaces the conversation, for example if there is no service, no key, or no session. */
export interface PageScreen {
  readonly title: string;
  readonly text: string;
  /** The first button is the primary one. */
  readonly buttons: readonly PageButton[];
}

export interface PageAttachment {
  readonly attachmentId: string;
  readonly name: string;
  /** The size, and whether the content includes unsaved changes, as text. */
  readonly detail: string;
  /** `outputs`: the outputs of the notebook cell that is the preceding attachment. They can be removed separately. */
  readonly kind: 'file' | 'selection' | 'image' | 'outputs';
}

export interface PageComposer {
  readonly attachments: readonly PageAttachment[];
  /** False if sending is currently unavailable, for example without an API key. The draft is still saved. */
  readonly canSend: boolean;
  /** The line below the text field. Explains what Send does, or why it is unavailable. May be empty. */
  readonly hint: string;
  /** The ID of the computer that the draft is sent to, if the user chose one. */
  readonly computer?: string;
  /**
   * The first message that the user has to decide about: what happened, and what the user can do. Unless it was
   * scheduled, later ones wait for the decision. Absent if there is none.
   */
  readonly undecided?:
    | { readonly entryId: string; readonly label: string; readonly actions: readonly DeliveryAction[] }
    | undefined;
  /**
   * Until the next action, explains why an action failed, for example why an attachment was rejected. Otherwise,
   * explains why the draft isn't saved. Absent if there is nothing to explain.
   */
  readonly failure?: string;
  /** The ID of the newest rejected attachment that `failure` explains. Absent if it explains none. */
  readonly rejectionId?: number;
}

/** A comment on a part of a message, which is sent with the draft. */
export interface PageComment {
  readonly commentId: string;
  readonly messageId: string;
  /** The key of the message's row, which the page may not have. */
  readonly key: string;
  /** Untrusted. */
  readonly quote: string;
  /** The number of characters before the quote in the message's text, not counting white space. */
  readonly offset: number;
  readonly text: string;
}

/** A bookmarked message. */
export interface PageBookmark {
  readonly messageId: string;
  /** The key of the message's row, which the page may not have. */
  readonly key: string;
  /** In one line; may be empty. */
  readonly note: string;
}

/** The comments of the draft. */
export interface PageComments {
  /** In the order of the messages. */
  readonly items: readonly PageComment[];
  /**
   * The latest revision of the page's comments that the host had received when it sent this message. Absent if it had
   * received none.
   */
  readonly revision?: number;
}

/** The row above the first message, which loads older messages. */
export interface PageOlder {
  /** `unread`: no message was ever loaded, so it isn't known whether there are any. */
  readonly state: 'none' | 'unread' | 'more' | 'loading' | 'failed' | 'cancelled';
  /** For example "Load older messages" or "Loading 1,200 of 5,000...". Empty for `none` and `unread`. */
  readonly label: string;
  /** True if loading requires many requests. The row then has a Cancel button. */
  readonly canCancel?: boolean;
  /** The number of messages before the first row. Absent if it is unknown, and for `none` and `cancelled`. */
  readonly count?: number;
}

export interface PageDraft {
  readonly text: string;
  readonly selectionStart: number;
  readonly selectionEnd: number;
  /** The latest draft revision that the host had received when it sent this message. Absent if it had received none. */
  readonly revision?: number;
  /**
   * The ID of the last text that something other than the user added to this draft. The page returns it with its own
   * draft, so that the host keeps text that was added while the user typed. Absent if nothing was added.
   */
  readonly addedId?: number;
}

/** An entry in the completion list. */
export interface PageSuggestion {
  readonly suggestionId: string;
  readonly label: string;
  /** Indexes of the characters of the label that match the typed text. */
  readonly matches: readonly number[];
  /** Additional text next to the label, for example the folder. */
  readonly detail: string;
  /** The text that replaces the typed text. */
  readonly insertion: string;
}

/** An entry in the Attach menu. */
export interface AttachmentMenuItem {
  readonly kind: AttachmentKind;
  readonly label: string;
  readonly icon: AttachmentIcon;
  /** Whether a separator precedes the entry. */
  readonly startsGroup?: boolean;
}

/** The kinds of attachments that are currently unavailable, each with a sentence that explains why. */
export type UnavailableAttachments = Partial<Readonly<Record<AttachmentKind, string>>>;

/** The state of a search. The page ignores a state whose `findId` differs from that of its latest `find` message. */
export interface PageFind {
  readonly findId: number;
  /**
   * The expression that highlights matches on the page. Absent if nothing is searched for, or if there is a `failure`.
   * A regular expression that the user entered is absent until all messages have been searched completely.
   */
  readonly pattern?: { readonly source: string; readonly flags: string };
  readonly failure?: string;
  readonly count: number;
  readonly isMore: boolean;
  readonly index?: number;
  readonly isSearching: boolean;
  readonly isOlderMissing: boolean;
  readonly isOlderLoading: boolean;
  /**
   * The match to scroll to: the row, the block, and the zero-based index of the match within it. Without a block, the
   * match is in a part of the message that the page doesn't render; with {@link noteBlock}, in the note of its
   * bookmark.
   */
  readonly match?: { readonly key: string; readonly block?: number; readonly place: number };
  /**
   * The keys of rows with matches, at most 2,000 of them. Absent if they haven't changed, while searching, or together
   * with a `match`.
   */
  readonly matchKeys?: readonly string[];
}
