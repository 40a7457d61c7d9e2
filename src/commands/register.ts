import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import type { ExportFormat } from '../state/markdown/export.ts';

/**
 * What a command may be given: the promised argument object, or what a menu passes, read into the same shape. `service`
 * is an origin. `isScripted` says that an object was given: then nobody may be there to answer questions.
 */
export interface CommandArgument {
  readonly sessionId?: string | undefined;
  readonly service?: string | undefined;
  readonly messageId?: string | undefined;
  readonly computerId?: string | undefined;
  readonly text?: string | undefined;
  readonly lens?: string | undefined;
  readonly uri?: vscode.Uri | undefined;
  /** Files that were selected or dropped; `uri`, where it is given too, is one of these. */
  readonly uris?: readonly vscode.Uri[] | undefined;
  /** A line of the file, from 1. */
  readonly line?: number | undefined;
  /** The sessions selected in the tree, where the command was given more than one. */
  readonly sessions?: readonly { readonly sessionId: string; readonly service: string }[];
  /** What an export is written as. */
  readonly format?: ExportFormat | undefined;
  /** Whether an export leaves likely secrets out. */
  readonly redact?: boolean | undefined;
  readonly isScripted: boolean;
}

/** A command by the part of its id after `lineside.`; what it returns goes to whoever executed it. */
export type CommandTable = Readonly<Record<string, (argument: CommandArgument) => unknown>>;

/** Carries a command out, with whatever was passed to it. */
export type RunCommand = (name: string, given: readonly unknown[]) => Promise<unknown>;

/** Registers commands by the part of their ids after `lineside.`: the one door (design, section 3). */
export function registerCommands(names: readonly string[], run: RunCommand): Disposable {
  const disposables = new Disposables();
  for (const name of names) {
    const execute = (...given: readonly unknown[]) => run(name, given);
    disposables.add(vscode.commands.registerCommand(`lineside.${name}`, execute));
  }
  return disposables;
}
