/**
 * Our commands and their arguments: one table of schemas, which menus, scripts, handlers, and our own calls share. The
 * manifest has the same commands, and `docs/guide.md` lists the fields that scripts and key bindings can pass.
 */
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { detailLevels } from '../shared/protocol/vocabulary.ts';
import { exportFormats } from '../state/documents/export.ts';
import { editableSettings } from '../state/sessions/sessionSettings.ts';
import type { SessionKey } from '../state/store/sessionKey.ts';
import { titleMenus } from '../views/activeConversation.ts';
import { DocumentComment } from '../views/documents/documentComments.ts';

/**
 * Who runs a command. For the `user`, the command asks for what its argument leaves open, and its error is shown. A
 * `script`, which can also be a key binding, passes the documented object: the command avoids prompts, and its error is
 * thrown.
 */
export type Caller = 'user' | 'script';

type Fields = Readonly<Record<string, z.ZodMiniType>>;
type ArgumentSchemas<T extends Readonly<Record<string, Fields>>> = {
  readonly [K in keyof T & string]: z.ZodMiniObject<T[K]>;
};

/** Creates a schema for the argument of each command from its fields. */
function argumentTable<const T extends Readonly<Record<string, Fields>>>(fields: T): ArgumentSchemas<T>;
function argumentTable(fields: Readonly<Record<string, Fields>>): object {
  return Object.fromEntries(Object.entries(fields).map(([name, own]) => [name, z.object(own)]));
}

const text = z.optional(z.string());
const uri = z.custom<vscode.Uri>((value) => value instanceof vscode.Uri);
const uriText = z.pipe(
  z.string(),
  z.transform((value, context) => {
    try {
      return vscode.Uri.parse(value, true);
    } catch {
      context.issues.push({ code: 'custom', input: value });
      return z.NEVER;
    }
  }),
);

/** A session; `service` is an origin, by default that of the current service. */
const session = {
  sessionId: text,
  service: text,
  /** The title menu in which the command was selected, if there was one. Only menus pass it. */
  titleMenu: z.optional(z.enum(titleMenus)),
};
/** A message; `messageId` is its ID, or the ID of its outbox entry. */
const message = { ...session, messageId: text };
const file = { uri: z.optional(z.union([uri, uriText])) };
/** A 1-based line number in the file. */
const line = { line: z.optional(z.number().check(z.int(), z.positive())) };
/** Whether to attach the symbol at the cursor without asking. */
const atCursor = { atCursor: z.optional(z.boolean()) };

const range = z.custom<vscode.Range>((value) => value instanceof vscode.Range);
const newThread = z.object({ text: z.string(), thread: z.object({ uri, range }) });

/** Fields that only menus, drops, quick fixes, and comment threads pass. They are ignored in the object of a script. */
export const menuFields = {
  titleMenu: session.titleMenu,
  /** The sessions selected in the tree, if there are several. */
  sessions: z.optional(z.array(z.object({ sessionId: z.string(), service: z.string() }))),
  /** The selected or dropped files; includes `uri` if `uri` is set. */
  uris: z.optional(z.array(uri)),
  /** Texts that were dropped on the tree: session URLs and UUIDs, or other addresses. */
  dropped: z.optional(z.array(z.string())),
  /** What the user wrote in a new comment thread of a document. */
  reply: z.optional(z.custom<vscode.CommentReply>(isReply)),
  /** A comment in a document. */
  comment: z.optional(z.custom<DocumentComment>((value) => value instanceof DocumentComment)),
  /** The range of the file `uri` for which the quick fix of its problems was offered. */
  problemRange: z.optional(range),
};
/** One session, or those selected in the tree. */
const selected = { ...session, sessions: menuFields.sessions };
const files = { ...file, uris: menuFields.uris };
const comment = { comment: menuFields.comment };

/** The fields of each command's argument, by the part of the command's ID after `lineside.`. All are optional. */
export const commandArguments = argumentTable({
  connect: {},
  setApiKey: { service: text },
  removeApiKey: { service: text },
  switchService: { service: text },
  renameService: { service: text },
  removeService: { service: text },
  testConnection: { service: text },
  tryDemo: {},
  clearCache: {},
  clearAllData: {},
  showLog: {},
  retry: {},
  copyDetails: {},
  openAccessibilityHelp: {},

  addSession: { ...session, computerId: text, dropped: menuFields.dropped },
  addSessionsFromCommand: {},
  removeSession: selected,
  pickSession: {},
  refresh: selected,
  openRow: {},
  copySessionId: session,
  openConversation: message,
  openConversationInEditor: message,
  moveConversationToSideBar: session,
  pinSession: selected,
  unpinSession: selected,
  muteSession: selected,
  unmuteSession: selected,
  markSessionRead: selected,
  markSessionUnread: selected,
  renameSession: { ...session, text },
  readFromComputer: { ...session, computerId: text },
  nextUnreadSession: {},
  nextNeedsMe: session,
  catchUp: {},
  markSessionDone: selected,
  notWaiting: selected,
  findSessions: {},
  filterSessions: { text },
  filterUnread: {},
  filterNeedsYou: {},
  clearFilter: {},
  arrangeSessions: {},
  copyLink: { ...message, sessions: menuFields.sessions },
  openInBrowser: message,
  openInTerminal: message,
  archiveSession: selected,
  unarchiveSession: selected,
  editSettings: { ...session, setting: z.optional(z.enum(editableSettings)) },
  editTags: session,
  showUsage: session,

  setDetailLevel: { ...session, detailLevel: z.optional(z.enum(detailLevels)) },
  goToPrompt: session,
  previousPrompt: {},
  nextPrompt: {},
  previousCodeBlock: {},
  nextCodeBlock: {},
  previousHeading: {},
  nextHeading: {},
  previousStep: {},
  nextStep: {},
  previousError: {},
  nextError: {},
  previousBookmark: {},
  nextBookmark: {},
  focusMessageInput: {},
  findInConversation: {},
  copyMessage: message,
  copyMessageAsPlainText: message,
  copyFinalAnswer: message,
  copyConversation: message,
  copySelection: {},
  quoteMessage: { messageId: text },
  toggleBookmark: message,
  editBookmarkNote: { ...message, text },
  showBookmarks: {},
  addComment: { messageId: text, reply: menuFields.reply },
  editComment: comment,
  saveComment: comment,
  cancelComment: comment,
  deleteComment: comment,
  openConversationAsDocument: message,
  openMessageAsDocument: message,
  selectForCompare: message,
  compareWithSelected: message,
  compareWithClipboard: message,
  compareBranches: message,
  exportConversation: {
    ...session,
    ...file,
    format: z.optional(z.enum(exportFormats)),
    detailLevel: z.optional(z.enum(detailLevels)),
    /** Whether to redact likely secrets. */
    redact: z.optional(z.boolean()),
  },
  /** `path` is the path of a file that the agent changed, as the command lists it. */
  showChanges: { ...message, path: text },
  compareWithWorkspaceFile: { ...message, path: text, ...file },
  compareAllWithWorkspace: message,
  showCommands: session,
  showErrors: message,
  showFileSessions: file,
  toggleAgentMarks: file,
  hideAgentMarks: file,
  openAgentStep: { ...file, ...line },
  nextAgentChange: {},
  previousAgentChange: {},
  mapAgentFolder: session,
  /** `path` is the path of a file as a message writes it. */
  openLinkedFile: { ...session, path: text },
  openLinkedFileToSide: { ...session, path: text },
  revealLinkedFile: { ...session, path: text },
  copyLinkedFilePath: { ...session, path: text },
  copyLinkedFileRelativePath: { ...session, path: text },
  attachLinkedFile: { ...session, path: text },

  sendSelection: { ...session, text },
  sendFile: { ...session, text, ...files },
  sendProblems: { ...session, text, ...file, ...line, problemRange: menuFields.problemRange },
  sendMessage: { ...session, text },
  attach: { ...session, ...files, ...line, ...atCursor },
  attachFile: { ...session, ...files },
  attachSelection: session,
  attachSymbol: { ...session, ...atCursor },
  attachFolder: { ...session, ...file },
  attachImages: session,
  attachOpenEditors: session,
  attachProblems: { ...session, ...file, ...line },
  attachDiff: session,
  attachNotebookCells: session,
  attachTerminalOutput: session,
  composeInEditor: session,
  sendComposed: {},
  sendLater: {},
  insertSnippet: session,
  chooseComputer: { ...session, computerId: text },
  'composer.send': {},
  'composer.newline': {},
});

export type CommandName = keyof typeof commandArguments;
export type CommandArguments = { readonly [K in CommandName]: Readonly<z.output<(typeof commandArguments)[K]>> };

/** The argument of a command on one session: by default that of the active conversation, or one the user selects. */
export type SessionArgument = CommandArguments['showUsage'];
/** The argument of a command on one session, or on several that are selected in the tree. */
export type SessionsArgument = CommandArguments['refresh'];
/** The argument of a command on a message. */
export type MessageArgument = CommandArguments['openConversation'];

/**
 * One handler for each command. A missing handler causes a compile error. The caller of a command receives what its
 * handler returns.
 */
export type CommandHandlers = {
  readonly [K in CommandName]: (argument: CommandArguments[K], caller: Caller) => unknown;
};

/** The argument of a command on this session. */
export function argumentOf({ origin, sessionId }: SessionKey): Required<Omit<SessionArgument, 'titleMenu'>> {
  return { sessionId, service: origin };
}

/** Whether VS Code passed this to a command in a new comment thread. */
export function isReply(value: unknown): value is vscode.CommentReply {
  return newThread.safeParse(value).success;
}

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commandArguments, name);
}
