import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Log, reasonOf } from '../shared/log.ts';
import { exportFormats } from '../state/markdown/export.ts';
import type { CommandArgument, CommandTable, RunCommand } from './register.ts';

const argumentSchema = z.object({
  sessionId: z.optional(z.string()),
  service: z.optional(z.string()),
  messageId: z.optional(z.string()),
  computerId: z.optional(z.string()),
  text: z.optional(z.string()),
  format: z.optional(z.enum(exportFormats)),
  redact: z.optional(z.boolean()),
  lens: z.optional(z.string()),
  /** Set where the menu of a page was used: a person is there. */
  webviewSection: z.optional(z.string()),
  line: z.optional(z.number().check(z.int(), z.positive())),
  uri: z.optional(z.union([z.string(), z.custom<vscode.Uri>((value) => value instanceof vscode.Uri)])),
});
const treeRowSchema = z.object({
  kind: z.string(),
  key: z.object({ origin: z.string(), sessionId: z.string() }),
  messageId: z.optional(z.string()),
});

/**
 * Carries commands out. What is passed is parsed here, and `wake` is awaited before the first one runs. A failure is
 * logged, told by `tell` where a person started the command, and handed on where a script did.
 */
export function commandRunner(
  table: CommandTable,
  wake: () => Promise<void>,
  tell: (error: unknown, retry: () => unknown) => unknown,
  log: Log,
): RunCommand {
  const runCommand = async (name: string, given: readonly unknown[]): Promise<unknown> => {
    const argument = readArgument(given);
    try {
      await wake();
      const run = table[name];
      if (!run) throw new Error('there is no such command');
      return await run(argument);
    } catch (error) {
      log.error(`${name} failed: ${reasonOf(error)}`);
      if (argument.isScripted) throw error;
      void tell(error, () => runCommand(name, given));
      return undefined;
    }
  };
  return runCommand;
}

/** Reads what a command was given: a menu's file or tree row, or the promised object. Anything else counts as nothing. */
function readArgument([given, selected]: readonly unknown[]): CommandArgument {
  const uris = selectedFiles(selected);
  if (given instanceof vscode.Uri) return { uri: given, uris, isScripted: false };
  const row = treeRowSchema.safeParse(given);
  if (row.success) {
    const { key, messageId } = row.data;
    const sessions = selectedSessions(selected);
    return { sessionId: key.sessionId, service: key.origin, messageId, uris, isScripted: false, sessions };
  }
  const object = argumentSchema.safeParse(given);
  if (!object.success || given === undefined) return { isScripted: false };
  const { uri, webviewSection, ...rest } = object.data;
  const isScripted = webviewSection === undefined;
  return { ...rest, uri: typeof uri === 'string' ? vscode.Uri.parse(uri, true) : uri, isScripted };
}

/** The Explorer passes every selected file beside the one its menu was opened on, a drop those that were dropped. */
function selectedFiles(selected: unknown): readonly vscode.Uri[] | undefined {
  const uris = Array.isArray(selected) ? selected.filter((item) => item instanceof vscode.Uri) : [];
  return uris.length > 0 ? uris : undefined;
}

/** The sessions among the selected rows of the tree. */
function selectedSessions(selected: unknown): NonNullable<CommandArgument['sessions']> {
  const rows = z.array(z.unknown()).safeParse(selected);
  return (rows.data ?? []).flatMap((item) => {
    const row = treeRowSchema.safeParse(item);
    return row.success && row.data.kind === 'session'
      ? [{ sessionId: row.data.key.sessionId, service: row.data.key.origin }]
      : [];
  });
}
