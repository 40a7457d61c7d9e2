import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Disposable, Disposables } from '../events.ts';
import { type Log, reasonOf } from '../log.ts';
import { exportFormats, type ExportFormat } from '../state/exportFormat.ts';

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

/** A command by the part of its id after `sessionDeck.`; what it returns goes to whoever executed it. */
export type CommandTable = Readonly<Record<string, (argument: CommandArgument) => unknown>>;

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
 * Registers commands: the one door (design, section 3). What is passed is parsed here, and `wake` is awaited before the
 * first one runs. A failure is logged, told by `tell` where a person started the command, and handed on where a script
 * did.
 */
export function registerCommands(
  table: CommandTable,
  wake: () => Promise<void>,
  tell: (error: unknown, retry: () => unknown) => unknown,
  log: Log,
): Disposable {
  const disposables = new Disposables();
  for (const [name, run] of Object.entries(table)) {
    const execute = async (...given: readonly unknown[]): Promise<unknown> => {
      const argument = readArgument(given);
      try {
        await wake();
        return await run(argument);
      } catch (error) {
        log.error(`${name} failed: ${reasonOf(error)}`);
        if (argument.isScripted) throw error;
        void tell(error, () => execute(...given));
        return undefined;
      }
    };
    disposables.add(vscode.commands.registerCommand(`sessionDeck.${name}`, execute));
  }
  return disposables;
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
