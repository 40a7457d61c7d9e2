import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { readSettings } from '../host/settings.ts';
import { reasonOf } from '../shared/log.ts';
import type { Translate } from '../shared/text.ts';
import { exportFormats } from '../state/documents/export.ts';
import { problemOf } from '../sync/connection/probe.ts';
import { DocumentComment } from '../views/documents/documentComments.ts';
import type { Services } from './services.ts';
import { errorMessageOf, showCommandError, UserFacingError } from './errors.ts';
import type { CommandArgument, CommandTable } from './register.ts';

const argumentSchema = z.object({
  sessionId: z.optional(z.string()),
  service: z.optional(z.string()),
  messageId: z.optional(z.string()),
  computerId: z.optional(z.string()),
  text: z.optional(z.string()),
  sectionId: z.optional(z.string()),
  path: z.optional(z.string()),
  setting: z.optional(z.string()),
  format: z.optional(z.enum(exportFormats)),
  redact: z.optional(z.boolean()),
  detailLevel: z.optional(z.string()),
  /** Set by the context menu of a page, to distinguish a menu command from a programmatic call. */
  webviewSection: z.optional(z.string()),
  line: z.optional(z.number().check(z.int(), z.positive())),
  atCursor: z.optional(z.boolean()),
  uri: z.optional(z.union([z.string(), z.custom<vscode.Uri>((value) => value instanceof vscode.Uri)])),
});
const treeRowSchema = z.object({
  kind: z.string(),
  key: z.object({ origin: z.string(), sessionId: z.string() }),
  messageId: z.optional(z.string()),
  path: z.optional(z.string()),
});

/** What VS Code passes to a command in a new comment thread. */
const replySchema = z.object({
  text: z.string(),
  thread: z.object({
    uri: z.custom<vscode.Uri>((value) => value instanceof vscode.Uri),
    range: z.custom<vscode.Range>((value) => value instanceof vscode.Range),
  }),
});

/** The commands that need only their session, not the whole session list. */
const opensSession: ReadonlySet<string> = new Set(['openConversation', 'openConversationInEditor']);

/** Parses the arguments of commands and runs them. */
export class CommandRunner {
  readonly #table: CommandTable;
  readonly #services: Pick<Services, 'lifecycle' | 'keys' | 'log' | 't'>;

  constructor(table: CommandTable, services: Pick<Services, 'lifecycle' | 'keys' | 'log' | 't'>) {
    this.#table = table;
    this.#services = services;
  }

  /**
   * Runs a command once the window's background work has started. An error is logged and, if the user ran the
   * command, shown.
   * @throws the error if the command was called programmatically, with an argument object.
   */
  async run(name: string, given: readonly unknown[]): Promise<unknown> {
    const { lifecycle, log } = this.#services;
    const argument = readArgument(given);
    try {
      // A list of thousands of sessions takes seconds to load.
      if (opensSession.has(name)) await lifecycle.ensureListed(argument.sessionId);
      else await lifecycle.ensureStarted();
      const run = this.#table[name];
      if (!run) throw new Error('unknown command');
      return await run(argument);
    } catch (error) {
      log.error(`${name} failed: ${reasonOf(error)}`);
      if (argument.isScripted) throw callerError(error, this.#services.t);
      void showCommandError(error, this.#services, () => this.run(name, given));
      return undefined;
    }
  }
}

/** The error for the caller of a command. Replaces the system's error for a disk failure with a readable message. */
function callerError(error: unknown, t: Translate): unknown {
  if (problemOf(error, Date.now()).kind !== 'disk') return error;
  return new UserFacingError(errorMessageOf(error, readSettings(), t), { cause: error });
}

/** Parses a command's arguments: a file, tree row, or comment from a menu, or the documented object. Ignores anything else. */
function readArgument([given, selected]: readonly unknown[]): CommandArgument {
  const uris = selectedFiles(selected);
  if (given instanceof vscode.Uri) return { uri: given, uris, isScripted: false };
  if (given instanceof DocumentComment) return { comment: given, isScripted: false };
  if (isReply(given)) return { reply: given, isScripted: false };
  const row = treeRowSchema.safeParse(given);
  if (row.success) {
    const { key, messageId, path } = row.data;
    const sessions = selectedSessions(selected);
    return { sessionId: key.sessionId, service: key.origin, messageId, path, uris, isScripted: false, sessions };
  }
  const object = argumentSchema.safeParse(given);
  if (!object.success || given === undefined) return { isScripted: false };
  const { uri, webviewSection, ...rest } = object.data;
  const isScripted = webviewSection === undefined;
  return { ...rest, uri: typeof uri === 'string' ? vscode.Uri.parse(uri, true) : uri, isScripted };
}

function isReply(given: unknown): given is vscode.CommentReply {
  return replySchema.safeParse(given).success;
}

/** The Explorer passes the selected files as the second argument; a drop passes the dropped files. */
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
