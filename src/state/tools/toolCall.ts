/**
 * What a tool call does, as recognized from its arguments and its name. All text is untrusted, comes from the call
 * unchanged, and can be long.
 */
export type ToolCall =
  /** Creates, edits, deletes, or renames files. At least one change. `isOpened`: as for `read`. */
  | ({ readonly kind: 'write'; readonly changes: readonly FileChange[]; readonly isOpened?: true } & WorkingFolder)
  /** `isOpened`: later calls without a path edit the file. */
  | { readonly kind: 'read'; readonly paths: readonly string[]; readonly isOpened?: true }
  | { readonly kind: 'list'; readonly path: string }
  /** Searches the content or the names of files, or the web. */
  | { readonly kind: 'search'; readonly query: string }
  | ({ readonly kind: 'execute'; readonly command: string } & WorkingFolder)
  | { readonly kind: 'fetch'; readonly address: string }
  /** Replaces the agent's to-do list. `isPartial`: changes only these items of it. */
  | { readonly kind: 'plan'; readonly items: readonly PlanItem[]; readonly isPartial?: true }
  /** Asks the user something. `isApproval`: asks to approve a plan, which is the text. */
  | { readonly kind: 'question'; readonly text: string; readonly isApproval: boolean }
  /** Replaces text in the file that an earlier call opened. */
  | { readonly kind: 'openEdit'; readonly piece: FilePiece }
  /** Hands a task to another agent. */
  | { readonly kind: 'agent'; readonly task: string }
  /** Loads the instructions of a skill. */
  | { readonly kind: 'skill'; readonly name: string }
  /** Changes one item of the agent's to-do list. Without `change`, it shows the list or an item. */
  | { readonly kind: 'task'; readonly change?: TaskChange }
  /** Continues what earlier calls started. */
  | {
      readonly kind: 'followUp';
      readonly of: 'execute' | 'agent';
      readonly action: FollowUpAction;
      /** The IDs that the results of those calls name; at least one. */
      readonly handles: readonly string[];
      /** What the agent wrote to the process or to the other agent; empty if it wrote nothing. */
      readonly text: string;
    }
  /** Not recognized. */
  | { readonly kind: 'other' };

/** The folder in which a command runs, if the call names it. */
interface WorkingFolder {
  readonly folder?: string;
}

/**
 * The kind of a call as its step shows it: `write` for an edit of an opened file, `plan` for a changed item of the
 * to-do list, and the kind of the earlier call for a call that continues one.
 */
export type ToolKind = Exclude<ToolCall['kind'], 'openEdit' | 'task' | 'followUp'>;

/** What a call does with something that is running. */
export type FollowUpAction = 'wait' | 'input' | 'stop';

/** A change to a file as the agent wrote it in its call. It doesn't show the state of the file. */
export interface FileChange {
  readonly path: string;
  readonly change: 'created' | 'edited' | 'deleted' | 'renamed';
  /** For a renamed file: its path after the call. */
  readonly newPath?: string;
  /** The replaced pieces, in the order of the call. Empty if the call doesn't contain the text. */
  readonly pieces: readonly FilePiece[];
  /** Whether the one piece contains the whole file. */
  readonly isWhole: boolean;
}

/**
 * A replaced piece of a file. For inserted text, and for a file that was created or overwritten, `oldText` is empty.
 */
export interface FilePiece {
  readonly oldText: string;
  readonly newText: string;
  /** How often the call replaces the text: everywhere, or in a known number of places. Once if absent. */
  readonly occurrences?: 'all' | number;
}

/** An item of the agent's to-do list. */
export interface PlanItem {
  readonly text: string;
  readonly state: 'open' | 'current' | 'done';
}

/** A change to one item of the agent's to-do list. */
export interface TaskChange {
  /** The item's ID; absent for a new item, whose ID is in the result. */
  readonly id?: string;
  readonly text?: string;
  readonly state?: PlanItem['state'] | 'removed';
}
