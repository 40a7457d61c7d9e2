/**
 * Messages from the page to the host: a table of strict schemas, and the only function that parses a message.
 *
 * A message that doesn't fit its schema is dropped and logged (R5). A message can't name a command or a setting. The
 * host checks links, paths, and URIs again before it uses them.
 */
import * as z from 'zod/mini';
import { maxTargetLength } from '../text/filePaths.ts';
import type { PageSession, PageSuggestion, UnavailableAttachments } from './pageModel.ts';
import type { PageBlock, PageFact, PagePlanItem } from './rowTypes.ts';
import {
  attachmentKinds,
  composerActions,
  deliveryActions,
  detailLevels,
  maxFindLength,
  maxQuoteLength,
  messageActions,
  pageActions,
  promptSteps,
  maxUris,
  type SendCondition,
  sendTimes,
  suggestionKinds,
} from './vocabulary.ts';

/**
 * Maximum size of pasted or dropped content in bytes, and of a text in UTF-16 code units, because each is sent in a
 * single message. Larger files need the Attach menu.
 */
export const maxPageBytes = 50_000_000;

const longText = z.string().check(z.maxLength(maxPageBytes));
const shortText = z.string().check(z.maxLength(2_000));
const partPath = z.string().check(z.maxLength(40));
const pathText = z.string().check(z.maxLength(maxTargetLength));
const step = z.union([z.literal(1), z.literal(-1)]);
const count = z.number().check(z.int(), z.nonnegative());
const caret = count;
/**
 * The index of a step's call, or of a result without a call, among the content blocks of its message; -1 for a thought.
 */
const stepIndex = z.number().check(z.int(), z.minimum(-1));
/** The revision number of the draft or its comments. It increases with each change, even across page reloads. */
const revision = count;
/** The `addedId` of the last draft from the host that the page showed. */
const addedId = z.optional(count);
const uuid = z.string().check(z.regex(/^[0-9a-f-]{36}$/));
const bytes = z
  .union([z.instanceof(ArrayBuffer), z.instanceof(Uint8Array)])
  .check(z.refine((value) => value.byteLength <= maxPageBytes));

/**
 * The session that the page showed when it sent the message. While the host switches to another session, which can be
 * one of another service, a message about the previous one may still arrive and must not be applied to the new one.
 */
const inSession = { origin: shortText, sessionId: shortText };

/** What a scheduled message waits for, as the host's answer to `chooseSendTime` contains it. */
const sendCondition = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('time'), at: count }),
  z.strictObject({
    kind: z.literal('sessionIdle'),
    key: z.strictObject({ origin: shortText, sessionId: shortText }),
  }),
]);

type Fields = Readonly<Record<string, z.ZodMiniType>>;
type MessageSchemas<T extends Readonly<Record<string, Fields>>> = {
  readonly [K in keyof T & string]: z.ZodMiniObject<T[K] & { readonly type: z.ZodMiniLiteral<K> }, z.core.$strict>;
};

/** Creates a strict schema for each message from its fields. The key of a message becomes its `type`. */
function messageTable<const T extends Readonly<Record<string, Fields>>>(fields: T): MessageSchemas<T>;
function messageTable(fields: Readonly<Record<string, Fields>>): object {
  const schemas = Object.entries(fields).map(([type, own]): [string, z.ZodMiniType] => [
    type,
    z.strictObject({ type: z.literal(type), ...own }),
  ]);
  return Object.fromEntries(schemas);
}

/** The ID that the page chose for a question. The host's `answer` contains the same ID. */
const question = { askId: count };

/** Questions of the page. The host replies to each with an `answer`, whose content {@link PageAnswers} declares. */
const pageQuestions = messageTable({
  /** Requests the metadata of a row's message. */
  getDetails: { ...question, ...inSession, key: shortText },
  /** Requests the arguments and the result of a step. */
  getStep: { ...question, ...inSession, messageId: shortText, index: stepIndex },
  /** Requests the items of the agent's to-do list. */
  getPlan: { ...question, ...inSession },
  /** Requests which of these paths, as written in messages, lead to files of the workspace. */
  findPaths: { ...question, ...inSession, paths: z.array(pathText).check(z.maxLength(100)) },
  /** Requests the kinds of attachments that are currently unavailable. */
  getUnavailableAttachments: { ...question },
  /** Lets the user choose when the message in the composer is sent. */
  chooseSendTime: { ...question, ...inSession },
  /**
   * Requests the next bookmark after this row or, with -1, the previous one before it. Without a row, the search begins
   * at the start or, with -1, at the end.
   */
  getBookmark: { ...question, ...inSession, from: z.optional(shortText), by: step },
  suggest: { ...question, ...inSession, kind: z.enum(suggestionKinds), query: z.string().check(z.maxLength(200)) },
  /** Requests the user's prompt before or after the prompt `from`; without `from`, the newest one. */
  getPrompt: { ...question, ...inSession, step: z.enum(promptSteps), from: z.optional(shortText) },
});

/**
 * The arguments and the result of a step. `cut` is set if a part is left out. `cut.messageId` is the ID of the message
 * that has this part, and is absent if the part is only in the output. `hasOutput`: the output can be opened as a
 * document.
 */
export interface PageStepContent {
  readonly blocks: readonly PageBlock[];
  readonly cut?: { readonly text: string; readonly messageId?: string };
  readonly hasOutput?: boolean;
}

/**
 * A file of the workspace, by its path as written in a message. `hint` is the tooltip of its link, if it isn't the
 * usual one.
 */
export interface PageFile {
  readonly path: string;
  readonly hint?: string;
}

/** The answers to the questions of the page. */
export interface PageAnswers {
  readonly getDetails: readonly PageFact[];
  readonly getStep: PageStepContent;
  readonly getPlan: readonly PagePlanItem[];
  readonly findPaths: readonly PageFile[];
  readonly getUnavailableAttachments: UnavailableAttachments;
  /** `after` is absent if the user canceled. */
  readonly chooseSendTime: { readonly after?: SendCondition };
  /**
   * The bookmarked message, the key of its row, and the bookmark's note or the first line of the message, which may be
   * empty.
   */
  readonly getBookmark: { readonly messageId: string; readonly key: string; readonly text: string };
  /** `note` explains why there are no suggestions. It may be empty. */
  readonly suggest: { readonly suggestions: readonly PageSuggestion[]; readonly note: string };
  /** `prompt` is absent if there is none in that direction. */
  readonly getPrompt: { readonly prompt?: { readonly promptId: string; readonly text: string } | undefined };
}

export type PageQuestionType = keyof typeof pageQuestions;
/** The fields of a question, without the ID and the session that the channel adds. */
export type PageQuestion<K extends PageQuestionType> = Omit<
  z.output<(typeof pageQuestions)[K]>,
  'type' | 'askId' | keyof PageSession
>;

/** Messages that need no answer. */
const pageNotices = messageTable({
  /**
   * The page needs its whole state: it was loaded or reloaded, its strings or settings changed, or a new day began.
   * `anchorKey` is the row that was previously at the top of its view, unless the page was at its end.
   */
  ready: {
    anchorKey: z.optional(shortText),
    /** IANA name of the page's time zone, which determines when days begin. */
    timeZone: z.optional(shortText),
  },
  /** The conversation that the host sent is on the screen. */
  drawn: {},
  /** The response to `ping`, with the row at the top of the view unless the page is scrolled to the end. */
  pong: { anchorKey: z.optional(shortText) },
  /** The response to `save`. */
  saved: {},
  /** The page gained or lost the focus. */
  focused: { isFocused: z.boolean() },
  /** Reports an error on the page, for the log only. */
  failed: { reason: shortText },
  /** Runs the action of a button. Names the session that the page shows, or that its screen is about. */
  act: { action: z.enum(pageActions), origin: z.optional(shortText), sessionId: z.optional(shortText) },
  openLink: { href: z.string().check(z.maxLength(8_192)) },
  copy: { text: longText },

  /** Requests the bodies of rows before the background transfer reaches them. */
  wantRows: { ...inSession, keys: z.array(shortText).check(z.maxLength(300)) },
  /** Expands or collapses the steps whose summary is in this row. */
  toggleSteps: { ...inSession, key: shortText },
  /** Scrolls to another message, for example in another branch. */
  revealMessage: { ...inSession, messageId: shortText },
  loadOlder: { ...inSession },
  cancelLoading: { ...inSession },
  /** Loads all older messages, for example to search them. */
  loadRest: { ...inSession },

  setFilter: {
    ...inSession,
    detailLevel: z.enum(detailLevels),
    /** The row at the top of the view. */
    anchorKey: z.optional(shortText),
  },
  find: {
    ...inSession,
    findId: count,
    text: z.string().check(z.maxLength(maxFindLength)),
    isCase: z.boolean(),
    isWord: z.boolean(),
    isRegex: z.boolean(),
    /** The row at the top of the view, where the search begins. */
    fromKey: z.optional(shortText),
  },
  findStep: { ...inSession, findId: count, by: step },
  findStop: { ...inSession },

  /** `text` is the selected part of the message in this row. */
  messageAction: { ...inSession, action: z.enum(messageActions), key: shortText, text: z.optional(longText) },
  delivery: { entryId: shortText, action: z.enum(deliveryActions) },
  /** Shows the files that the agent changed in the turn of this row, or its errors. */
  showTurn: { ...inSession, key: shortText, part: z.enum(['changes', 'errors']) },
  /** Opens the full text of a truncated message as a document or, with the index of a step in it, the step's output. */
  showAll: { ...inSession, key: shortText, index: z.optional(stepIndex) },
  /** Compares the active editor with code from a message. */
  compareCode: { text: longText },
  /** Inserts code from a message at the cursor in the editor. */
  insertCode: { text: longText },
  /** Opens code from a message in a new untitled file. */
  newFile: { text: longText, language: z.optional(shortText) },
  /**
   * Opens a Mermaid diagram from a message in the Markdown preview or, if that can't draw it, in a new untitled file.
   */
  previewDiagram: { text: longText },
  /**
   * Opens an image of a message in an editor, or saves a file of a message. `path` identifies the part of the message.
   */
  openPicture: { ...inSession, messageId: shortText, path: partPath },
  saveFile: { ...inSession, messageId: shortText, path: partPath },
  /** Opens a file of the workspace, with `toSide` next to the active editor. */
  openPath: { ...inSession, path: pathText, toSide: z.optional(z.boolean()) },

  draft: { ...inSession, text: longText, selectionStart: caret, selectionEnd: caret, revision, addedId },
  /**
   * `when` overrides the setting for this message; `after` schedules the message. The text leaves the draft, unless the
   * message can't be queued. `shownId` is the ID of an attachment or comment that the page shows. A message without
   * text is sent only if the draft still has that attachment or comment. `seenRejectionId` is the highest `rejectionId`
   * of a failure that the page has shown. `hasWaited` is set if the message waited until the page had read files, or
   * until the user had chosen a time. Such a message is sent only if the draft still has its text, because the user may
   * have continued to write elsewhere.
   */
  send: {
    ...inSession,
    text: longText,
    revision,
    addedId,
    shownId: z.optional(shortText),
    seenRejectionId: z.optional(count),
    when: z.optional(z.enum(sendTimes)),
    after: z.optional(sendCondition),
    hasWaited: z.optional(z.literal(true)),
  },
  /** Adds a comment on the message of a row. The page chooses the ID so that it can identify the comment later. */
  addComment: {
    ...inSession,
    commentId: uuid,
    key: shortText,
    quote: z.string().check(z.maxLength(maxQuoteLength)),
    offset: count,
    revision,
  },
  /** Replaces the text of a comment. */
  changeComment: { ...inSession, commentId: uuid, text: longText, revision },
  removeComment: { ...inSession, commentId: uuid, revision },
  attach: { ...inSession, what: z.enum(attachmentKinds) },
  /** Pasted or dropped content. The page chooses the ID so that it can identify the attachment later. */
  attachBytes: {
    ...inSession,
    attachmentId: uuid,
    name: z.string().check(z.minLength(1), z.maxLength(255)),
    bytes,
  },
  /** Files and folders dropped as URIs. The host decides which of them can be attached. */
  attachUris: { ...inSession, uris: z.array(z.string().check(z.maxLength(8_192))).check(z.maxLength(maxUris)) },
  removeAttachment: { ...inSession, attachmentId: shortText },
  /** Opens an editor that shows exactly the content to be sent. */
  previewAttachment: { ...inSession, attachmentId: shortText },
  /** Accepts a suggestion: attaches the file, returns the snippet in `insertText`, or runs the command. */
  takeSuggestion: { ...inSession, kind: z.enum(suggestionKinds), suggestionId: shortText },
  compose: { ...inSession, action: z.enum(composerActions) },
  composerFocus: { isFocused: z.boolean() },
});

/** Every message that the page can send. */
export const pageMessages = { ...pageNotices, ...pageQuestions };

export type PageMessageType = keyof typeof pageMessages;
export type PageMessages = { readonly [K in PageMessageType]: z.output<(typeof pageMessages)[K]> };
export type PageMessage = PageMessages[PageMessageType];

/**
 * One handler for each message type; the handler of a question resolves to the answer. A missing handler causes a
 * compile error.
 */
export type PageMessageHandlers<Caller> = {
  readonly [K in PageMessageType]: (
    message: PageMessages[K],
    caller: Caller,
  ) => K extends PageQuestionType ? Promise<PageAnswers[K] | undefined> : void | Promise<void>;
};

/** Thrown for a message that isn't part of the protocol. The error text contains none of the message's content. */
class PageProtocolError extends Error {}

/** Parses a message from the page. @throws PageProtocolError if its type is unknown or it doesn't fit its schema. */
export function parsePageMessage(data: unknown): PageMessage {
  const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined;
  if (!isPageMessageType(type)) throw new PageProtocolError('unknown message type');
  const parsed = pageMessages[type].safeParse(data);
  if (!parsed.success) throw new PageProtocolError(`malformed message "${type}"`);
  return parsed.data;
}

/** The ID of a question from the page, even if the question itself is malformed. Undefined for other messages. */
export function askIdOf(data: unknown): number | undefined {
  return z.object(question).safeParse(data).data?.askId;
}

function isPageMessageType(type: unknown): type is PageMessageType {
  return typeof type === 'string' && Object.hasOwn(pageMessages, type);
}

/** The state that VS Code saves for a page across reloads: IDs and the scroll position, never text (R6). */
export const pageStateSchema = z.object({
  origin: z.optional(z.string()),
  sessionId: z.optional(z.string()),
  anchorKey: z.optional(z.string()),
  /** The distance from the top of the viewport to the top of the anchor row, in px; negative if that is above. */
  anchorOffsetPx: z.optional(z.number()),
  atEnd: z.optional(z.boolean()),
});
export type PageState = z.output<typeof pageStateSchema>;
