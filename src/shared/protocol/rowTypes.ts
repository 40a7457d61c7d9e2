/** The rows of a conversation, as the host describes them and the page renders them. Types only. */
import type { DeliveryAction, PageRole, StepKind } from './vocabulary.ts';

/** One piece of a row, ready to be rendered. All text is untrusted. Only `markdown` is formatted. */
export type PageBlock =
  | { readonly type: 'markdown'; readonly text: string }
  /**
   * An image with its bytes. Only PNG, JPEG, GIF, and WebP are rendered; other formats are replaced with a line of
   * text.
   */
  | { readonly type: 'image'; readonly mediaType: string; readonly base64: string; readonly part?: PagePart }
  /** A file in the message. `part` is set if its bytes are available. */
  | { readonly type: 'file'; readonly name: string; readonly detail: string; readonly part?: PagePart }
  /**
   * Thinking, a tool call, a tool result, the text of a file, what the agent's tooling added to a message of the user,
   * an answered question, or raw content. Collapsed until the user expands it, except for errors.
   */
  | {
      readonly type: 'fold';
      readonly kind: 'thinking' | 'toolUse' | 'toolResult' | 'parsedText' | 'context' | 'asked' | 'raw';
      readonly title: string;
      readonly detail?: string;
      /** For a tool call: the first line of its result. */
      readonly result?: { readonly text: string; readonly isError: boolean };
      readonly isError: boolean;
      readonly blocks: readonly PageBlock[];
    }
  /** What the agent asks the user, with the answers to choose from. */
  | PageAsked
  /** Preformatted text. `language` is a hint for syntax highlighting. */
  | { readonly type: 'code'; readonly text: string; readonly language?: string }
  /** A remark from the extension about the content, for example about a remote image that was not loaded. */
  | { readonly type: 'note'; readonly text: string; readonly href?: string }
  /** The agent's to-do list. */
  | { readonly type: 'checklist'; readonly items: readonly PagePlanItem[] };

/** An item of the agent's to-do list, in one line. `spoken` is its state as text. */
export interface PagePlanItem {
  readonly text: string;
  readonly state: 'open' | 'current' | 'done';
  readonly spoken: string;
}

/** A tool call that asks the user. All text is untrusted. */
export interface PageAsked {
  readonly type: 'asked';
  /**
   * `open`: nothing follows it, so it can be answered. `failed`: its call failed. `passed`: the agent continued, or the
   * user wrote about something else.
   */
  readonly state: 'open' | 'answered' | 'failed' | 'passed';
  /** For example "The agent asks: Which database?", in one line. */
  readonly label: string;
  /** For `answered`, the answer, and for `failed`, the reason, in one line; empty if it isn't known. */
  readonly answer: string;
  readonly isApproval: boolean;
  /** At least one. For `isApproval`, the plan. */
  readonly questions: readonly PageAskedQuestion[];
  /** Says how many questions aren't shown. Absent if all are. */
  readonly note?: string;
}

export interface PageAskedQuestion {
  /** A word or two in one line; may be empty. */
  readonly header: string;
  /** Markdown; may be empty. */
  readonly text: string;
  /** The first line of the question as plain text, as an answer quotes it. Hidden characters are written as codes. */
  readonly quote: string;
  readonly isMultiple: boolean;
  readonly options: readonly PageAskedOption[];
  /** The number of options that aren't shown. */
  readonly furtherCount: number;
  /** Says how many options aren't shown. Absent if all are. */
  readonly note?: string;
}

export interface PageAskedOption {
  /** The text of the option, truncated if it is very long. Hidden characters are written as codes. */
  readonly label: string;
  /** Explains the option in one line; may be empty. */
  readonly detail: string;
  /** Why the option can't be written into the composer. If absent, `label` is exactly the option's text. */
  readonly failure?: string;
}

/** Identifies an image or file for the host, which has the bytes: the ID of the message and the path within it. */
interface PagePart {
  readonly messageId: string;
  readonly path: string;
}

/** One line in a message's details. */
export interface PageFact {
  readonly label: string;
  readonly value: string;
  /** Set for facts that are times, in Unix ms. `value` is then empty. */
  readonly timeMs?: number;
  /** True for IDs, which get a copy button. */
  readonly isId?: boolean;
}

/** The delivery state of an outgoing message. Absent from messages that the service lists. */
export interface PageDelivery {
  readonly entryId: string;
  readonly state: 'queued' | 'sending' | 'accepted' | 'unknown' | 'notSent';
  /** Set while a queued message is scheduled, waits until the agent is idle, or is blocked by an earlier message. */
  readonly isWaiting?: boolean;
  /** The state as text, for example "Sending...". */
  readonly label: string;
  /** One or more sentences about what happened. */
  readonly detail?: string;
  /** 0 to 1 while the message is being uploaded. */
  readonly progress?: number;
  readonly actions: readonly DeliveryAction[];
}

/** One message as the page renders it. */
export interface PageRow {
  /** Stable from the moment of sending: a message that the service lists keeps the key of its outbox entry. */
  readonly key: string;
  readonly role: PageRole;
  /** The role as text, for example "Assistant". */
  readonly roleLabel: string;
  /** The heading, if it isn't the role: "You" for a message of the user that may have been sent from VS Code. */
  readonly author?: string;
  /**
   * Whether the agent's tooling wrote everything in a message of the user, so that the page shows the row as one line.
   */
  readonly isContext?: boolean;
  /** Unix ms. */
  readonly createdAt: number;
  /** Unix ms of the last change. Set only for a message of the user that changed over a minute after its creation. */
  readonly updatedAt?: number;
  readonly isError: boolean;
  /**
   * Whether this is an intermediate message or the final answer of a turn. Absent if the service doesn't distinguish
   * them.
   */
  readonly phase?: 'commentary' | 'final';
  /** Short facts next to the time, for example "via Slack", with their tooltips. */
  readonly badges: readonly { readonly label: string; readonly hint: string }[];
  readonly blocks: readonly PageBlock[];
  /** Whether `blocks` lacks the tool calls and results of the message, which are shown as steps. */
  readonly isTextOnly?: boolean;
  /** Text that states how much of the message isn't rendered. Absent if all of it is. */
  readonly cut?: string;
  readonly delivery?: PageDelivery;
  /** Set if the row shows steps instead of a message. `blocks` is then empty. */
  readonly steps?: PageSteps;
  readonly place?: PagePlace;
}

/** Steps of the agent's work, one line each. */
export interface PageSteps {
  /** The line that expands and collapses the steps; absent if the row has none. */
  readonly summary?: {
    /** For example "Edited 3 files, ran 5 commands, 1 failed". */
    readonly label: string;
    /** Everything that the steps did, and how long it took. */
    readonly hint: string;
    readonly isOpen: boolean;
    readonly hasErrors: boolean;
  };
  readonly lines: readonly PageStep[];
}

/** Identifies a step: its message, and the index of its call or result there; -1 for a thought. */
export interface StepId {
  readonly messageId: string;
  readonly index: number;
}

/** A tool call with its result, or a thought, as one line. */
export interface PageStep extends StepId {
  readonly kind: StepKind;
  readonly state: 'running' | 'done' | 'failed' | 'rejected' | 'unanswered';
  /** For example "Edited {0}"; `{0}` is the placeholder for the object. */
  readonly label: string;
  /** A path, a command, or other untrusted text in one line. */
  readonly object: string;
  /** The whole line as text. */
  readonly spoken: string;
  /** The numbers of added and removed lines, for example "+12 −3". */
  readonly changed?: string;
  /** For example "failed". */
  readonly status?: string;
  /** The duration, for example "12 s". Absent below 10 s. */
  readonly took?: string;
  /** The first line of the failure. */
  readonly failure?: string;
}

/** Information that a row shows about its position in the conversation. */
export interface PagePlace {
  /** True for the first row of a day. The page shows the day above it. */
  readonly startsDay?: boolean;
  /**
   * Only in the first row that is new to the user: the time since which rows are new, in Unix ms. The page shows a
   * divider.
   */
  readonly newSince?: number;
  /** The duration of the turn that ends with this row, for example "4 min 12 s". */
  readonly took?: { readonly label: string; readonly hint: string };
  readonly branch?: PageBranch;
  /** True for the answer of a turn. The page shows actions below it. */
  readonly isAnswer?: boolean;
  /** The files that the agent changed in the turn that ends with this row, for example "3 files +40 −12". */
  readonly changes?: { readonly label: string; readonly hint: string };
}

/** The position of a message among the messages with the same predecessor, and the IDs of its neighbors. */
export interface PageBranch {
  /** For example "Branch 2 of 2". */
  readonly label: string;
  readonly previousId?: string;
  readonly nextId?: string;
}

/** A row to scroll to, and the steps in it to expand. The page scrolls to the first of these steps. */
export interface PageTarget {
  readonly key: string;
  readonly steps?: readonly StepId[];
}

/** Data that the list needs about a row before its body arrives. */
export interface RowStub {
  readonly key: string;
  /** Estimated height in lines of 60 characters, at least 1. */
  readonly estimatedLines: number;
  /** True for prompts, the targets of Previous Prompt and Next Prompt. */
  readonly isPrompt?: boolean;
}

/**
 * A change to the row list. Patches apply in order; an index refers to the list after the preceding patches have been
 * applied.
 */
export type RowPatch =
  /** New rows, some of them with their bodies. */
  | {
      readonly op: 'insert';
      readonly index: number;
      readonly rowStubs: readonly RowStub[];
      readonly rows: readonly PageRow[];
    }
  | { readonly op: 'replace'; readonly row: PageRow; readonly estimatedLines: number; readonly isPrompt?: boolean }
  | { readonly op: 'remove'; readonly keys: readonly string[] };
