import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { defined } from '../shared/defined.ts';
import type { Translate } from '../shared/text.ts';
import { DocumentComment } from '../views/documents/documentComments.ts';
import {
  type Caller,
  type CommandArguments,
  commandArguments,
  type CommandName,
  isReply,
  menuFields,
} from './commandArguments.ts';
import { UserFacingError } from './commandErrors.ts';

/** What VS Code passed to a command, as fields that the schema of the command parses. */
interface GivenArgument {
  readonly fields: object;
  readonly caller: Caller;
}

const sessionRow = z.object({
  kind: z.string(),
  key: z.object({ origin: z.string(), sessionId: z.string() }),
  messageId: z.optional(z.string()),
  path: z.optional(z.string()),
});
/** What the context menu of a page passes. */
const pageContext = z.object({
  webviewSection: z.custom((value) => value !== undefined),
  messageId: z.optional(z.unknown()),
  path: z.optional(z.unknown()),
});
const uri = z.custom<vscode.Uri>((value) => value instanceof vscode.Uri);
/** What the context menu of a line number passes. */
const lineContext = z.object({ lineNumber: z.number(), uri });
/** What the quick fix of a problem passes. */
const problemContext = z.object({
  problemRange: z.custom<vscode.Range>((value) => value instanceof vscode.Range),
  uri,
});
const pageScheme = 'webview-panel';
const scriptObject = z.looseObject({});

/**
 * Reads the arguments that VS Code passed to a command: what a menu passes (a file or a row of the tree with the other
 * selected ones, a comment, a line number, a problem, or a message on a page), or the documented object of a script.
 * Ignores anything else.
 */
export function readGiven(all: readonly unknown[]): GivenArgument {
  const [given, selected] = all;
  // The title menu of a view passes one argument that is undefined or null. Key bindings and the Command Palette pass
  // no arguments.
  if (all.length === 1 && (given === undefined || given === null))
    return { fields: { titleMenu: 'view' }, caller: 'user' };
  const fields = menuArgument(given, selected);
  if (fields) return { fields, caller: 'user' };
  const object = scriptObject.safeParse(given).data;
  if (!object) return { fields: {}, caller: 'user' };
  const documented = Object.entries(object).filter(([name]) => !Object.hasOwn(menuFields, name));
  return { fields: Object.fromEntries(documented), caller: 'script' };
}

/**
 * Returns the fields that the schema of the command has. Other fields are ignored, so that one object can serve several
 * commands.
 * @throws UserFacingError if a field doesn't fit its schema.
 */
export function parseArgument(name: CommandName, fields: object, t: Translate): CommandArguments[CommandName] {
  const { data, error } = commandArguments[name].safeParse(fields);
  if (data) return data;
  const field = String(error.issues[0]?.path[0] ?? '');
  throw new UserFacingError(
    t('The field "{0}" in the argument of "{1}" has an invalid value.', field, `lineside.${name}`),
  );
}

/** The fields of what a menu, a quick fix, or a comment thread passed; undefined for anything else. */
function menuArgument(given: unknown, selected: unknown): object | undefined {
  if (given instanceof vscode.Uri) {
    // The title menu of a tab with a page passes an address that VS Code made up for the tab.
    const titleMenu = given.scheme === pageScheme ? 'tab' : undefined;
    return { uri: given, uris: selectedFiles(selected), ...defined({ titleMenu }) };
  }
  if (given instanceof DocumentComment) return { comment: given };
  if (isReply(given)) return { reply: given };
  const row = sessionRow.safeParse(given).data;
  if (row) {
    const { kind, key, messageId, path } = row;
    // A command on the row of a message or file applies only to that row, even if sessions are selected.
    const sessions = kind === 'session' ? selectedSessions(selected) : [];
    return { sessionId: key.sessionId, service: key.origin, messageId, path, sessions };
  }
  const line = lineContext.safeParse(given).data;
  if (line) return { uri: line.uri, line: line.lineNumber };
  const problem = problemContext.safeParse(given).data;
  if (problem) return problem;
  const context = pageContext.safeParse(given).data;
  return context && { messageId: context.messageId, path: context.path };
}

/** The Explorer passes the selected files as the second argument. */
function selectedFiles(selected: unknown): readonly vscode.Uri[] | undefined {
  const uris = Array.isArray(selected) ? selected.filter((item) => item instanceof vscode.Uri) : [];
  return uris.length > 0 ? uris : undefined;
}

/** The sessions among the selected rows of the tree. */
function selectedSessions(selected: unknown): readonly { readonly sessionId: string; readonly service: string }[] {
  const rows = z.array(z.unknown()).safeParse(selected).data ?? [];
  return rows.flatMap((item) => {
    const row = sessionRow.safeParse(item).data;
    return row?.kind === 'session' ? [{ sessionId: row.key.sessionId, service: row.key.origin }] : [];
  });
}
