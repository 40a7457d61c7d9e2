/**
 * Every message between the host (the extension) and the page (the conversation in a webview).
 *
 * Page to host is parsed by the closed schemas below; what does not fit is dropped and logged (R5). Host to page is
 * typed only: it has one ordered sender. The page names no path, URL, command or setting; a link is the one exception
 * and is checked again by the host.
 */
import * as z from 'zod/mini';
import {
  attachables,
  type ComposerHostMessage,
  type ComposerSettings,
  composerMessageSchemas,
  sendTimes,
} from './composerProtocol.ts';
import type {
  PageComposer,
  PageDraft,
  PageFact,
  PageHeader,
  PageOlder,
  PageRow,
  PageScreen,
  RowPatch,
  UsageContent,
} from './pageModel.ts';
import type { PageStrings } from './pageStrings.ts';
import { type PageFind, readingMessages } from './readingProtocol.ts';

const longText = z.string().check(z.maxLength(4_000_000));
const shortText = z.string().check(z.maxLength(2_000));
const partPath = z.string().check(z.maxLength(40));
const pathText = z.string().check(z.maxLength(300));
const caret = z.number().check(z.int(), z.nonnegative());
/** Of the states of a page's draft, a later one has a greater number; also after the page has loaded again. */
const revision = z.number().check(z.int(), z.nonnegative());

/** What a button on the page may ask for; each is a promised command or a step of the conversation view. */
export const pageActions = [
  'connect',
  'setApiKey',
  'tryDemo',
  'addSession',
  'pickSession',
  'switchService',
  'retry',
  'refresh',
  'copyDetails',
  'showLog',
] as const;
export type PageAction = (typeof pageActions)[number];

/** What can be done with a message that is not known to have arrived. */
export const deliveryActions = ['sendAgain', 'discard', 'edit', 'cancel'] as const;
export type DeliveryAction = (typeof deliveryActions)[number];

export const pageMessageSchema = z.discriminatedUnion('type', [
  /** The page has loaded, or loaded again, and knows nothing. `anchorKey` is the row it showed before. */
  z.strictObject({
    type: z.literal('ready'),
    anchorKey: z.optional(shortText),
    /** The IANA name of the time zone its clock is in: days begin there. */
    timeZone: z.optional(shortText),
  }),
  /** Bodies wanted before the background stream brings them. */
  z.strictObject({ type: z.literal('wantRows'), keys: z.array(shortText).check(z.maxLength(300)) }),
  z.strictObject({ type: z.literal('loadOlder') }),
  z.strictObject({ type: z.literal('cancelLoading') }),
  /** The whole of a message that was cut, as a document. */
  z.strictObject({ type: z.literal('showAll'), key: shortText }),
  /** The answer to `ask`, with the row at the top of the view unless the page is at its end. */
  z.strictObject({ type: z.literal('alive'), anchorKey: z.optional(shortText) }),
  ...readingMessages,
  /** A group of tool messages is opened or closed. */
  z.strictObject({ type: z.literal('toggleGroup'), key: shortText }),
  /** Another message is to be shown, for example the other branch. */
  z.strictObject({ type: z.literal('revealMessage'), messageId: shortText }),
  z.strictObject({ type: z.literal('focused') }),
  // `sessionId` is the conversation the page showed: while the host changes to another one, a message or draft of the
  // earlier one may still be on its way, and must not end in the wrong session.
  z.strictObject({
    type: z.literal('draft'),
    sessionId: z.optional(shortText),
    text: longText,
    selectionStart: caret,
    selectionEnd: caret,
    revision,
  }),
  /** `when` is the person's choice for this message; without it the setting holds. Afterwards the draft is empty. */
  z.strictObject({
    type: z.literal('send'),
    sessionId: z.optional(shortText),
    text: longText,
    revision,
    when: z.optional(z.enum(sendTimes)),
  }),
  z.strictObject({
    type: z.literal('attach'),
    sessionId: z.optional(shortText),
    what: z.enum(attachables),
  }),
  z.strictObject({
    type: z.literal('removeAttachment'),
    sessionId: z.optional(shortText),
    attachmentId: shortText,
  }),
  /** Show exactly what will be sent of an attachment, in an editor. */
  z.strictObject({
    type: z.literal('previewAttachment'),
    sessionId: z.optional(shortText),
    attachmentId: shortText,
  }),
  z.strictObject({ type: z.literal('delivery'), entryId: shortText, action: z.enum(deliveryActions) }),
  z.strictObject({ type: z.literal('openLink'), href: z.string().check(z.maxLength(8_192)) }),
  z.strictObject({ type: z.literal('copy'), text: longText }),
  /** Code of a message goes to the cursor of the editor, or into a new file that is not saved. */
  z.strictObject({ type: z.literal('insertCode'), text: longText }),
  z.strictObject({ type: z.literal('newFile'), text: longText, language: z.optional(shortText) }),
  /** A picture of a message is to be opened, a file of one saved; `path` is the part's place in its message. */
  z.strictObject({ type: z.literal('openPicture'), messageId: shortText, path: partPath }),
  z.strictObject({ type: z.literal('saveFile'), messageId: shortText, path: partPath }),
  /** Which of these paths, as messages write them, are files of the workspace; and one of them is to be opened. */
  z.strictObject({ type: z.literal('findPaths'), paths: z.array(pathText).check(z.maxLength(100)) }),
  z.strictObject({ type: z.literal('openPath'), path: pathText }),
  /** What is there of a row's message beside its content. */
  z.strictObject({ type: z.literal('wantDetails'), key: shortText }),
  z.strictObject({ type: z.literal('act'), action: z.enum(pageActions) }),
  ...composerMessageSchemas,
  /** Something on the page failed; for the log only. */
  z.strictObject({ type: z.literal('failed'), reason: shortText }),
]);
export type PageMessage = z.output<typeof pageMessageSchema>;

/** What the page keeps across a reload: ids and the reading position, never text (R6). */
export const pageStateSchema = z.object({
  origin: z.optional(z.string()),
  sessionId: z.optional(z.string()),
  anchorKey: z.optional(z.string()),
  /** How far the anchor row's top is below the top of the list, in px. */
  anchorOffsetPx: z.optional(z.number()),
  atEnd: z.optional(z.boolean()),
});
export type PageState = z.output<typeof pageStateSchema>;

/** How the person wants chats to be set; absent where the theme's own fonts are meant. */
export interface PageFonts {
  /** A list of families as in CSS. */
  readonly family?: string;
  readonly sizePx?: number;
  readonly codeFamily?: string;
  readonly codeSizePx?: number;
}

/** The first message after `ready`, and again when one of these has changed. */
export interface PageSetup extends ComposerSettings {
  readonly words: PageStrings;
  /** BCP 47, for times. */
  readonly locale: string;
  readonly fonts: PageFonts;
  /** When the time of a message is shown. */
  readonly times: 'inline' | 'hover' | 'never';
}

/** The seeds of a whole conversation, in columns. */
export interface SeedColumns {
  readonly keys: readonly string[];
  /** Of each row, in lines. */
  readonly weights: readonly number[];
  /** Which rows are prompts. */
  readonly promptIndexes: readonly number[];
}

/** A conversation: the header, a seed for each of the last rows, and the bodies of the very last ones. */
export interface PageConversation {
  readonly origin: string;
  readonly sessionId: string;
  readonly header: PageHeader;
  /** {@link SeedColumns} as JSON: on the way to a page every value is copied several times, and a string as a whole. */
  readonly seeds: string;
  /** How many rows there are before those; they follow as `earlier`. */
  readonly earlierCount: number;
  readonly rows: readonly PageRow[];
  readonly older: PageOlder;
  readonly composer: PageComposer;
  readonly draft: PageDraft;
  /** Show this row instead of the remembered position. */
  readonly revealKey?: string;
}

export type HostMessage =
  | ComposerHostMessage
  | ({ readonly type: 'setup' } & PageSetup)
  | { readonly type: 'screen'; readonly screen: PageScreen }
  | { readonly type: 'conversation'; readonly conversation: PageConversation }
  /** {@link SeedColumns}, as JSON, of rows that stand directly before those the page has of its conversation. */
  | { readonly type: 'earlier'; readonly seeds: string }
  /** Bodies of rows that are in the list. */
  | { readonly type: 'rows'; readonly rows: readonly PageRow[] }
  /** `isReread`: the person reads the conversation in another way; nothing has come in. */
  | { readonly type: 'patch'; readonly patches: readonly RowPatch[]; readonly isReread?: boolean }
  | { readonly type: 'header'; readonly header: PageHeader }
  | { readonly type: 'older'; readonly older: PageOlder }
  | { readonly type: 'composer'; readonly composer: PageComposer }
  /** The draft was changed elsewhere than on this page. */
  | { readonly type: 'draft'; readonly draft: PageDraft }
  /** A message could not be taken over: its text comes back in front of what was typed since. */
  | { readonly type: 'sendRefused'; readonly text: string; readonly reason: string }
  | { readonly type: 'paths'; readonly asked: readonly string[]; readonly found: readonly string[] }
  | { readonly type: 'details'; readonly key: string; readonly facts: readonly PageFact[] }
  | { readonly type: 'found'; readonly find: PageFind }
  | { readonly type: 'openFind' }
  /** To the prompt before, or the next one. */
  | { readonly type: 'goToPrompt'; readonly by: 1 | -1 }
  /** The message of this row, or what is selected of it, is to be quoted. */
  | { readonly type: 'quote'; readonly key: string }
  | { readonly type: 'reveal'; readonly key: string }
  | { readonly type: 'focusComposer' }
  /** All that was sent before the page said `ready` has been sent: a page without a state says `ready` again. */
  | { readonly type: 'sentAhead' }
  /** Whether the page is there; it answers `alive`. */
  | { readonly type: 'ask' }
  /** For screen readers, politely. */
  | { readonly type: 'announce'; readonly text: string };

/** What the usage page says to the host. */
export const usagePageMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('exportCsv') }),
  z.object({ type: z.literal('failed'), reason: z.string().check(z.maxLength(500)) }),
]);
export type UsagePageMessage = z.output<typeof usagePageMessageSchema>;

/** What the host says to the usage page: everything it shows, each time. */
export interface UsageHostMessage {
  readonly type: 'usage';
  readonly usage: UsageContent;
}
