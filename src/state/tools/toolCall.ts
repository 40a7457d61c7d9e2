/**
 * What a tool call does, as recognized from its arguments and its name. All text is untrusted, comes from the call
 * unchanged, and can be long.
 */
export type ToolCall =
  /** Creates, edits, deletes, or renames files. At least one change. */
  | { readonly kind: 'write'; readonly changes: readonly FileChange[] }
  | { readonly kind: 'read'; readonly paths: readonly string[] }
  | { readonly kind: 'list'; readonly path: string }
  /** Searches the content or the names of files, or the web. */
  | { readonly kind: 'search'; readonly query: string }
  | { readonly kind: 'execute'; readonly command: string }
  | { readonly kind: 'fetch'; readonly address: string }
  /** Replaces the agent's to-do list. */
  | { readonly kind: 'plan'; readonly items: readonly PlanItem[] }
  /** Asks the user something. `isApproval`: asks to approve a plan, which is the text. */
  | { readonly kind: 'question'; readonly text: string; readonly isApproval: boolean }
  /** Hands a task to another agent. */
  | { readonly kind: 'agent'; readonly task: string }
  /** Not recognized. */
  | { readonly kind: 'other' };

export type ToolKind = ToolCall['kind'];

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

/** A replaced piece of a file. For a whole file that was created or overwritten, `oldText` is empty. */
export interface FilePiece {
  readonly oldText: string;
  readonly newText: string;
}

/** An item of the agent's to-do list. */
export interface PlanItem {
  readonly text: string;
  readonly state: 'open' | 'current' | 'done';
}
