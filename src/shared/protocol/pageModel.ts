/**
 * What the conversation page draws, as the host describes it: types only, shared by `state/` (which makes them),
 * `views/` (which sends them) and `webview/` (which draws them). How they travel is `protocol.ts`.
 */
import type { DeliveryAction, PageAction } from './pageMessages.ts';
import type { PageLens } from './readingProtocol.ts';

export type PageRole = 'user' | 'assistant' | 'tool' | 'system' | 'unknown';

/** One piece of a row, ready to be drawn. All text is untrusted; only `markdown` is formatted. */
export type PageBlock =
  | { readonly type: 'markdown'; readonly text: string }
  /** A picture by its bytes; only PNG, JPEG, GIF and WebP are drawn, others become a line of text. */
  | { readonly type: 'image'; readonly mediaType: string; readonly base64: string; readonly part?: PagePart }
  /** A file that travelled with the message; `part` where its bytes are there. */
  | { readonly type: 'file'; readonly name: string; readonly detail: string; readonly part?: PagePart }
  /** Thinking, tool use and result, raw blocks: closed until the person opens it, except errors. */
  | {
      readonly type: 'fold';
      readonly kind: 'thinking' | 'toolUse' | 'toolResult' | 'raw';
      readonly title: string;
      readonly detail?: string;
      /** Of a tool use: the first line of what came of it. */
      readonly result?: { readonly text: string; readonly isError: boolean };
      readonly isError: boolean;
      readonly blocks: readonly PageBlock[];
    }
  /** Preformatted text; `language` is a hint for highlighting. */
  | { readonly type: 'code'; readonly text: string; readonly language?: string }
  /** A line from us about the content, for example a remote image that was not fetched. */
  | { readonly type: 'note'; readonly text: string; readonly href?: string };

/** Names a picture or file to the host, which has the bytes: the message it is in, and its place there. */
export interface PagePart {
  readonly messageId: string;
  readonly path: string;
}

/** One line of a message's details. */
export interface PageFact {
  readonly label: string;
  readonly value: string;
  /** Unix ms, for facts that are times; `value` is then empty. */
  readonly timeMs?: number;
  /** The value is an id, which people copy. */
  readonly isId?: boolean;
}

/** How far an outgoing message is; absent on messages that the service lists. */
export interface PageDelivery {
  readonly entryId: string;
  readonly state: 'queued' | 'sending' | 'accepted' | 'unknown' | 'notSent';
  /** For people, for example "Sending…" or "Couldn't confirm delivery". */
  readonly label: string;
  /** What happened, what was kept and what to do: one sentence. */
  readonly detail?: string;
  /** 0 to 1 while bytes are on their way. */
  readonly progress?: number;
  readonly actions: readonly DeliveryAction[];
}

/** One message as the page draws it. */
export interface PageRow {
  /** Stable from Enter on: the local bubble and the message the service lists share it. */
  readonly key: string;
  readonly role: PageRole;
  /** For people: "You", "Agent", "Tool", ... */
  readonly roleLabel: string;
  /** Unix ms. */
  readonly createdAt: number;
  /** Unix ms, where the message changed noticeably after it was created. */
  readonly updatedAt?: number;
  readonly isError: boolean;
  /** What was said along the way, or the answer a turn ended with; absent where the service makes no difference. */
  readonly phase?: 'commentary' | 'final';
  /** Short facts beside the time, for example "from Slack"; `hint` is the longer form. */
  readonly badges: readonly { readonly label: string; readonly hint: string }[];
  readonly blocks: readonly PageBlock[];
  /** How much of the message is not drawn, in words. */
  readonly cut?: string;
  readonly delivery?: PageDelivery;
  /** Instead of a message: one row for several that only use tools. Role and blocks are then empty words. */
  readonly group?: PageGroup;
  readonly place?: PagePlace;
}

/** Messages that only use tools and stand one after the other; opened, they follow this row. */
export interface PageGroup {
  /** For people: "14 tool messages, 2 errors". */
  readonly label: string;
  readonly isOpen: boolean;
  readonly hasErrors: boolean;
}

/** What a row says of its place in the conversation. */
export interface PagePlace {
  /** The first row shown of its day: the page names the day above it. */
  readonly startsDay?: boolean;
  /** How long the turn took that this row ends, for people: "4 min 12 s". */
  readonly took?: { readonly label: string; readonly hint: string };
  readonly branch?: PageBranch;
}
/** One of several messages that follow the same one. */
export interface PageBranch {
  /** For people: "Branch 2 of 2". */
  readonly label: string;
  readonly previousId?: string;
  readonly nextId?: string;
}

/** What the list needs of a row before its body is there. */
export interface RowStub {
  readonly key: string;
  /** Estimated height in lines of text at 60 characters a line, at least 1. */
  readonly weightLines: number;
  /** What a person asked for: previous and next prompt stop here. */
  readonly isPrompt?: boolean;
}

export type RowPatch =
  /** New rows at `index` of the list as it is after the patches before this one; bodies may come with them. */
  | {
      readonly op: 'insert';
      readonly index: number;
      readonly seeds: readonly RowStub[];
      readonly rows: readonly PageRow[];
    }
  | { readonly op: 'replace'; readonly row: PageRow; readonly weightLines: number; readonly isPrompt?: boolean }
  | { readonly op: 'remove'; readonly keys: readonly string[] };

export type PageStatus = 'idle' | 'pending' | 'running' | 'unknown' | 'unreachable' | 'refused' | 'none';

export interface PageHeader {
  readonly title: string;
  /** What is so of the session besides its status, in a word, and what that means; the title may be a name given here. */
  readonly marks: readonly { readonly label: string; readonly hint: string }[];
  readonly sessionId: string;
  readonly status: PageStatus;
  /** For people, for example "Running". */
  readonly statusLabel: string;
  /** When the status was last read, Unix ms; absent before the first answer. */
  readonly asOf?: number;
  /** The last poll failed: the status is the last one known. */
  readonly isStale: boolean;
  readonly model?: string;
  readonly reading: PageReading;
  /** What is wrong, what was kept, what to do. */
  readonly problem?: { readonly text: string; readonly actions: readonly PageButton[] };
}

/** Which messages are shown. */
export interface PageReading {
  readonly lens: PageLens;
  readonly hiddenRoles: readonly PageRole[];
  /** What is left out, for people: "Answers Only: 214 of 1,000 messages"; absent where nothing is. */
  readonly summary?: string;
}

export interface PageButton {
  readonly label: string;
  readonly action: PageAction;
}

/** Instead of a conversation: no service, no key, no session, ... */
export interface PageScreen {
  readonly title: string;
  readonly text: string;
  /** The first is the primary one. */
  readonly buttons: readonly PageButton[];
}

export interface PageAttachment {
  readonly attachmentId: string;
  readonly name: string;
  /** For people: size, size on the wire, "unsaved", ... */
  readonly detail: string;
  readonly kind: 'file' | 'selection' | 'image';
}

export interface PageComposer {
  readonly attachments: readonly PageAttachment[];
  /** False where sending cannot work now (no key); the draft is kept all the same. */
  readonly canSend: boolean;
  /** Under the text: what Send will do, or why it cannot; may be empty. */
  readonly hint: string;
  /** The computer this message goes to, where the person chose one; for people. */
  readonly computer?: string;
  /** A refused attachment or message, one sentence; shown until the next action. */
  readonly problem?: string;
}

/** What lies before the first row. */
export interface PageOlder {
  readonly state: 'none' | 'more' | 'loading' | 'failed' | 'cancelled';
  /** For people, for example "Load older messages" or "Loading 1,200 of 5,000". */
  readonly label: string;
  /** Loading takes many pages, and can be cancelled. */
  readonly canCancel?: boolean;
  /** How many messages the session has before the first row; absent where that is not known. */
  readonly count?: number;
}

export interface PageDraft {
  readonly text: string;
  readonly selectionStart: number;
  readonly selectionEnd: number;
  /** Of what this page told of its draft, the last that the host knew when it said this; absent before any. */
  readonly revision?: number;
}

/** What the usage page shows of a session; every word and number is written by the host. */
export interface UsageContent {
  readonly origin: string;
  readonly sessionId: string;
  readonly title: string;
  readonly heading: string;
  readonly exportLabel: string;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly charts: readonly UsageChart[];
  readonly tables: readonly UsageTable[];
  /** Why there is nothing to show. */
  readonly empty?: string;
}

export interface UsageTable {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What stands there where there are no rows. */
  readonly empty?: string;
}

/** `bars` stacks the values of each point; `line` draws each value of the points over their times. */
export interface UsageChart {
  readonly kind: 'bars' | 'line';
  readonly caption: string;
  /** The chart in a sentence, for who does not see it. */
  readonly summary: string;
  /** The lines across it from zero up, the last of them at its top; the caption names the unit. */
  readonly ticks: readonly { readonly value: number; readonly label: string }[];
  /** What stands below: when it begins and ends, or both in one. */
  readonly times: readonly string[];
  /** What the values of a point are, in their order. */
  readonly legend: readonly string[];
  readonly points: readonly { readonly label: string; readonly at?: number; readonly values: readonly number[] }[];
}
