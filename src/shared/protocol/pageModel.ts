/**
 * The conversation page around its rows, as the host describes it and the page renders it: setup, header, composer,
 * draft, find, and the screen that replaces a conversation. Types only.
 */
import type { PageStrings } from './pageStrings.ts';
import type { PageRow } from './rowTypes.ts';
import type { AttachmentIcon, AttachmentKind, DetailLevel, PageAction, PageRole } from './vocabulary.ts';

/** The fonts of the chat settings. Absent fields mean the fonts of the theme. */
export interface PageFonts {
  /** Font families, as in CSS. */
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
  /** The entries of the Attach menu. */
  readonly attachmentMenu: readonly AttachmentMenuItem[];
}

/** Strings and settings: the first message after `ready`, sent again when one of them changes. */
export interface PageSetup extends ComposerSettings {
  readonly words: PageStrings;
  /** BCP 47 language tag, for dates and times. */
  readonly locale: string;
  readonly fonts: PageFonts;
  /** Settings for the style sheet only. The page sets each as a data attribute of its root element. */
  readonly appearance: {
    /** When the time of a message is visible. */
    readonly times: 'inline' | 'hover' | 'never';
  };
}

/** Row stubs in columns; all three refer to the same list of rows. */
export interface SeedColumns {
  readonly keys: readonly string[];
  /** Estimated height of each row, in lines. */
  readonly weights: readonly number[];
  /** Indexes of the rows that are prompts. */
  readonly promptIndexes: readonly number[];
}

/** A conversation: its header, the stubs of its last rows, and the bodies of the very last ones. */
export interface PageConversation {
  readonly origin: string;
  readonly sessionId: string;
  readonly header: PageHeader;
  /** {@link SeedColumns} as JSON, because VS Code copies a message value by value several times, but a string at once. */
  readonly seeds: string;
  /** The number of rows before these stubs. Their stubs follow in `earlier` messages. */
  readonly earlierCount: number;
  readonly rows: readonly PageRow[];
  readonly older: PageOlder;
  readonly composer: PageComposer;
  readonly draft: PageDraft;
  /** The row to scroll to, instead of the remembered position. */
  readonly revealKey?: string;
}

export type PageStatus = 'idle' | 'pending' | 'running' | 'unknown' | 'unreachable' | 'refused' | 'none';

export interface PageHeader {
  readonly title: string;
  /** Badges next to the status, with their tooltips; for example that the title is a name given in VS Code. */
  readonly marks: readonly { readonly label: string; readonly hint: string }[];
  readonly sessionId: string;
  readonly status: PageStatus;
  /** The status as text, for example "Running". */
  readonly statusLabel: string;
  /** When the status was last refreshed, in Unix ms. Absent before the first response. */
  readonly asOf?: number;
  /** True if the last refresh failed, so that `status` is only the last known one. */
  readonly isStale: boolean;
  readonly model?: string;
  readonly reading: PageReading;
  /** One or two sentences about the problem, with actions for the user. */
  readonly problem?: { readonly text: string; readonly actions: readonly PageButton[] };
}

/** Which messages are shown. */
export interface PageReading {
  readonly lens: DetailLevel;
  readonly hiddenRoles: readonly PageRole[];
  /** The number of hidden messages as text: "Answers Only: 214 of 1,000 messages". Absent if none are hidden. */
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
  /** Size, size when sent, "unsaved", and so on, as text. */
  readonly detail: string;
  readonly kind: 'file' | 'selection' | 'image';
}

export interface PageComposer {
  readonly attachments: readonly PageAttachment[];
  /** False if sending can't work now, for example without a key. The draft is saved anyway. */
  readonly canSend: boolean;
  /** The line under the text: the effect of Send, or why it is unavailable. May be empty. */
  readonly hint: string;
  /** The name of the computer this message is sent to, if the user chose one. */
  readonly computer?: string;
  /** Why an attachment or a message was rejected, in one sentence. Cleared by the next action. */
  readonly problem?: string;
}

/** The row above the first message, which loads older messages. */
export interface PageOlder {
  readonly state: 'none' | 'more' | 'loading' | 'failed' | 'cancelled';
  /** For example "Load older messages" or "Loading 1,200 of 5,000". */
  readonly label: string;
  /** True while many requests are needed, so that a Cancel button is shown. */
  readonly canCancel?: boolean;
  /** The number of messages before the first row. Absent if unknown. */
  readonly count?: number;
}

export interface PageDraft {
  readonly text: string;
  readonly selectionStart: number;
  readonly selectionEnd: number;
  /** The latest draft revision the host had received when it sent this. Absent if it had received none. */
  readonly revision?: number;
}

/** An entry of the completion list. */
export interface PageSuggestion {
  readonly suggestionId: string;
  readonly label: string;
  /** Indexes of the characters of the label that match the typed text. */
  readonly matches: readonly number[];
  /** For example the folder. */
  readonly detail: string;
  /** Replaces the typed text. */
  readonly insertion: string;
}

/** One entry of the Attach menu. */
export interface AttachmentMenuItem {
  readonly kind: AttachmentKind;
  readonly label: string;
  readonly icon: AttachmentIcon;
  /** Whether a separator precedes the entry. */
  readonly startsGroup?: boolean;
}

/** Why some kinds can't be attached right now, one sentence each. */
export type UnavailableAttachments = Partial<Readonly<Record<AttachmentKind, string>>>;

/** The state of a search. The page ignores a state whose `findId` is not the one of its latest `find`. */
export interface PageFind {
  readonly findId: number;
  /** The regular expression that highlights matches on the page. Absent if nothing is searched for. */
  readonly pattern?: { readonly source: string; readonly flags: string };
  readonly problem?: string;
  readonly count: number;
  readonly isMore: boolean;
  readonly index?: number;
  readonly isSearching: boolean;
  readonly isOlderMissing: boolean;
  readonly isOlderLoading: boolean;
  /**
   * The match to scroll to: the row, the block, and the zero-based index of the match within it. Without a block, the
   * match is in a part of the message that the page doesn't render.
   */
  readonly match?: { readonly key: string; readonly block?: number; readonly place: number };
}
