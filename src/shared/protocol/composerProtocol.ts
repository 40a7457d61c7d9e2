/**
 * What the composer and the host say to each other, besides the draft and what is attached by name: a part of
 * `protocol.ts`, by the same rules. Bytes go from the page to the host only, and only those that a person pasted or
 * dropped on the page.
 */
import * as z from 'zod/mini';

/** Bytes pasted or dropped on the page may be this many: they travel in one piece. Larger files are chosen by name. */
export const maxPageBytes = 50_000_000;

const shortText = z.string().check(z.maxLength(2_000));
const sessionId = z.optional(shortText);
const bytes = z
  .union([z.instanceof(ArrayBuffer), z.instanceof(Uint8Array)])
  .check(z.refine((value) => value.byteLength <= maxPageBytes));

/** What a page may ask to attach to a draft. The host asks for whatever else it has to know. */
export const attachables = [
  'file',
  'selection',
  'pick',
  'folder',
  'openEditors',
  'image',
  'problems',
  'diff',
  'notebook',
] as const;
export type AttachmentKind = (typeof attachables)[number];

/** The codicons of attachment sources. The page needs the SVG of each: see `webview/icons/svgs.ts`. */
export type AttachmentIcon =
  'diff' | 'file' | 'file-media' | 'files' | 'folder' | 'go-to-file' | 'list-selection' | 'notebook' | 'warning';

/** One entry of the Attach menu. */
export interface AttachmentMenuItem {
  readonly kind: AttachmentKind;
  readonly label: string;
  readonly icon: AttachmentIcon;
  /** Whether a separator precedes the entry. */
  readonly startsGroup?: boolean;
}

/** When a message goes out while the agent is at work. */
export const sendTimes = ['now', 'whenIdle'] as const;
export type SendTime = (typeof sendTimes)[number];

/** What the composer's menus ask for besides attaching. */
export const composerActions = ['composeInEditor', 'chooseComputer', 'forgetComputer', 'insertSnippet'] as const;
export type ComposerAction = (typeof composerActions)[number];

/** What can be completed while typing: a file after `@`, a snippet after `/` at the start. */
const suggestionKinds = ['file', 'snippet'] as const;
export type SuggestionKind = (typeof suggestionKinds)[number];

/** Page to host. `sessionId` is the conversation the page showed, as in `protocol.ts`. */
export const composerMessageSchemas = [
  /** Something pasted or dropped, by its bytes. The page names it, to find it again among the attachments. */
  z.strictObject({
    type: z.literal('attachBytes'),
    sessionId,
    attachmentId: z.string().check(z.regex(/^[0-9a-f-]{36}$/)),
    name: z.string().check(z.minLength(1), z.maxLength(255)),
    bytes,
  }),
  /** Files dropped by their URIs; which of them may be read is the host's to judge. */
  z.strictObject({
    type: z.literal('attachUris'),
    sessionId,
    uris: z.array(z.string().check(z.maxLength(8_192))).check(z.maxLength(200)),
  }),
  z.strictObject({
    type: z.literal('suggest'),
    requestId: z.number().check(z.int(), z.nonnegative()),
    kind: z.enum(suggestionKinds),
    query: z.string().check(z.maxLength(200)),
  }),
  /** Asks what cannot be attached now; the answer is `hindrances`. */
  z.strictObject({ type: z.literal('wantHindrances') }),
  /** A suggestion was chosen: a file is attached, a snippet comes back as `insertText`. */
  z.strictObject({
    type: z.literal('takeSuggestion'),
    sessionId,
    kind: z.enum(suggestionKinds),
    suggestionId: shortText,
  }),
  /** The person's earlier message before (`older`) or after (`newer`) that one; without `from`, the newest. */
  z.strictObject({
    type: z.literal('wantPrompt'),
    sessionId,
    step: z.enum(['older', 'newer']),
    from: z.optional(shortText),
  }),
  z.strictObject({ type: z.literal('compose'), sessionId, action: z.enum(composerActions) }),
  z.strictObject({ type: z.literal('composerFocus'), isFocused: z.boolean() }),
] as const;

/** One entry of the list under a text that is being completed. */
export interface PageSuggestion {
  readonly suggestionId: string;
  readonly label: string;
  /** Which characters of the label match what was typed. */
  readonly matches: readonly number[];
  /** For example the folder. */
  readonly detail: string;
  /** What takes the place of what was typed. */
  readonly insertion: string;
}

/** Why some kinds can't be attached right now, one sentence each. */
export type UnavailableAttachments = Partial<Readonly<Record<AttachmentKind, string>>>;

/** Host to page. */
export type ComposerHostMessage =
  /** The answer to `suggest`; `note` says why there is nothing. */
  | {
      readonly type: 'suggestions';
      readonly requestId: number;
      readonly suggestions: readonly PageSuggestion[];
      readonly note: string;
    }
  /** The answer to `wantHindrances`. */
  | { readonly type: 'hindrances'; readonly hindrances: UnavailableAttachments }
  /** Goes in where the caret is. */
  | { readonly type: 'insertText'; readonly text: string }
  /** The answer to `wantPrompt`; without a prompt there is none on that side. */
  | {
      readonly type: 'prompt';
      readonly step: 'older' | 'newer';
      readonly prompt?: { readonly promptId: string; readonly text: string };
    }
  /** A key binding of the person's own. */
  | { readonly type: 'composerKey'; readonly press: 'send' | 'newline' };

/**
 * The composer's own words. `{0}` is a name in `preview`, a size in pixels in `attachSmaller` with `{1}` the size of the
 * file, a count in `pastedAsFile`, name, pixels and size in `largePicture`, a name and a size in `tooLargeToPaste`.
 */
export type ComposerWord =
  | 'sendOptions'
  | 'sendNow'
  | 'sendWhenIdle'
  | 'chooseComputer'
  | 'forgetComputer'
  | 'composeInEditor'
  | 'insertSnippet'
  | 'preview'
  | 'suggestedFiles'
  | 'snippets'
  | 'pastedAsFile'
  | 'pasteAsText'
  | 'largePicture'
  | 'attachSmaller'
  | 'attachAsIs'
  | 'dontAttach'
  | 'tooLargeToPaste'
  | 'holdShift'
  | 'dropToAttach'
  | 'dropTip';

/** What the page has to know of the settings. */
export interface ComposerSettings {
  readonly sendKey: 'enter' | 'ctrlEnter';
  /** Pasted text that is longer, in characters, becomes a file; 0: never. */
  readonly pasteAsFileLength: number;
  readonly maxPageBytes: number;
  /** The entries of the Attach menu. */
  readonly attachmentMenu: readonly AttachmentMenuItem[];
}
