/**
 * The fixed sets of values in messages between the host and the page. Each set is declared only here; schemas, menus,
 * and handlers are derived from it. This file imports only from `shared`, so that all rooms, including the page, can
 * use its values.
 */
import { keysOf } from '../keysOf.ts';

/** The roles of messages. `unknown` represents any other role that the service may send. */
export type PageRole = 'user' | 'assistant' | 'tool' | 'system' | 'unknown';

/** Detail levels of a conversation, from least to most. `isShown` in `state` says which messages each level shows. */
export const detailLevels = ['answers', 'work', 'everything'] as const;
export type DetailLevel = (typeof detailLevels)[number];

/**
 * The kinds of attachments that a page can request, with their codicons. The host prompts for any further details, and
 * the page needs the SVG of each icon (`webview/icons/svgs.ts`).
 */
export const attachmentIcons = {
  file: 'file',
  selection: 'list-selection',
  symbol: 'symbol-field',
  pick: 'go-to-file',
  folder: 'folder',
  openEditors: 'files',
  image: 'file-media',
  problems: 'warning',
  diff: 'diff',
  notebook: 'notebook',
  terminal: 'terminal',
} as const;
export type AttachmentKind = keyof typeof attachmentIcons;
export type AttachmentIcon = (typeof attachmentIcons)[AttachmentKind];
export const attachmentKinds = keysOf(attachmentIcons);

/** When to send a message if the agent is running. */
export const sendTimes = ['now', 'whenIdle'] as const;
export type SendTime = (typeof sendTimes)[number];

/**
 * What a scheduled message waits for: a time by this machine's clock, in Unix ms, or another session whose agent must
 * be idle.
 */
export type SendCondition =
  | { readonly kind: 'time'; readonly at: number }
  | { readonly kind: 'sessionIdle'; readonly key: { readonly origin: string; readonly sessionId: string } };

/** What a user can jump to in a conversation. */
export type JumpTarget = 'prompt' | 'codeBlock' | 'heading' | 'step' | 'error' | 'bookmark';

/** Used in place of a block index for a match in a bookmark's note. */
export const noteBlock = -1;

/** Actions of the composer's menus, other than attaching and sending. */
export const composerActions = ['composeInEditor', 'chooseComputer', 'forgetComputer', 'insertSnippet'] as const;
export type ComposerAction = (typeof composerActions)[number];

/** The kinds of suggestions shown while typing: files after `@`, and snippets and commands after `/` at the start. */
export const suggestionKinds = ['file', 'snippet'] as const;
export type SuggestionKind = (typeof suggestionKinds)[number];

/** The directions for navigating the user's own earlier prompts. */
export const promptSteps = ['older', 'newer'] as const;
export type PromptStep = (typeof promptSteps)[number];

/** Actions of the buttons on the page. Most have the name of the command that they run. */
export const pageActions = [
  'connect',
  'setApiKey',
  'tryDemo',
  'addSession',
  'pickSession',
  'openConversationInEditor',
  'moveConversationToSideBar',
  'switchService',
  'retry',
  'refresh',
  'changeModel',
  'removeSession',
  'copyDetails',
  'showLog',
] as const;
export type PageAction = (typeof pageActions)[number];

/** Actions for a message whose delivery isn't confirmed. `changeTime` changes what a scheduled message waits for. */
export const deliveryActions = [
  'sendAgain',
  'sendNow',
  'changeTime',
  'discard',
  'edit',
  'cancel',
  'sendOthers',
] as const;
export type DeliveryAction = (typeof deliveryActions)[number];

/** Maximum length of a search text, in characters. Longer regular expressions are slow, or overflow the stack. */
export const maxFindLength = 2_000;

/** Maximum length of the quote in a comment, in characters. */
export const maxQuoteLength = 2_000;

/** Actions for a message or its conversation. */
export const messageActions = [
  'copy',
  'copyPlain',
  'copyLink',
  'quote',
  'selectForCompare',
  'compareWithSelected',
  'compareWithClipboard',
  'compareBranches',
  'openAsDocument',
  'toggleBookmark',
  'editBookmarkNote',
] as const;
export type MessageAction = (typeof messageActions)[number];

/** The kinds of steps: what a tool call does, a thought, or a result whose call isn't known. */
export type StepKind =
  | 'write'
  | 'read'
  | 'list'
  | 'search'
  | 'execute'
  | 'fetch'
  | 'plan'
  | 'question'
  | 'agent'
  | 'skill'
  | 'other'
  | 'thinking'
  | 'result';

/** The maximum number of URIs in one message about dropped files. */
export const maxUris = 200;
