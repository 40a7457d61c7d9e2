import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import type { DocumentComment } from '../views/documents/documentComments.ts';
import type { ExportFormat } from '../state/documents/export.ts';

/**
 * The argument of a command, in the same shape for menus and programmatic calls. `service` is an origin. `isScripted`
 * is true if other code called the command with the documented object; the command must then avoid prompts.
 */
export interface CommandArgument {
  readonly sessionId?: string | undefined;
  readonly service?: string | undefined;
  readonly messageId?: string | undefined;
  readonly computerId?: string | undefined;
  readonly text?: string | undefined;
  /** A section of the tree. */
  readonly sectionId?: string | undefined;
  /** The path of a file that the agent changed, as `showChanges` lists it. */
  readonly path?: string | undefined;
  /** The name of a session setting to change, as in the API. */
  readonly setting?: string | undefined;
  readonly detailLevel?: string | undefined;
  readonly uri?: vscode.Uri | undefined;
  /** The selected or dropped files; includes `uri` if that is set too. */
  readonly uris?: readonly vscode.Uri[] | undefined;
  /** A 1-based line number in the file. */
  readonly line?: number | undefined;
  /** Whether to attach the symbol at the cursor without asking. */
  readonly atCursor?: boolean | undefined;
  /** The sessions selected in the tree, if there are several. */
  readonly sessions?: readonly { readonly sessionId: string; readonly service: string }[];
  /** The format of an export. */
  readonly format?: ExportFormat | undefined;
  /** Whether an export redacts likely secrets. */
  readonly redact?: boolean | undefined;
  /** What the user wrote in a new comment thread of a document. */
  readonly reply?: vscode.CommentReply;
  /** A comment in a document. */
  readonly comment?: DocumentComment;
  readonly isScripted: boolean;
}

/** Commands by the part of their ID after `lineside.`. The caller of a command receives its return value. */
export type CommandTable = Readonly<Record<string, (argument: CommandArgument) => unknown>>;

/** Runs a command with the arguments that VS Code passed. */
type RunCommand = (name: string, given: readonly unknown[]) => Promise<unknown>;

/**
 * Registers commands by the part of their IDs after `lineside.`. No other code registers commands (design, section 3).
 */
export function registerCommands(names: readonly string[], run: RunCommand): Disposable {
  const disposables = new Disposables();
  for (const name of names) {
    const execute = (...given: readonly unknown[]) => run(name, given);
    disposables.add(vscode.commands.registerCommand(`lineside.${name}`, execute));
  }
  return disposables;
}
