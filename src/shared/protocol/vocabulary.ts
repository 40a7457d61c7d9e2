/**
 * The closed lists of the page channel. Each list is declared here once; schemas, menus and handlers are built from it.
 * This file has no imports, so that every room may use its values, the page included.
 */

/** The roles of messages. `unknown` stands for roles that the service added later. */
const pageRoles = ['user', 'assistant', 'tool', 'system', 'unknown'] as const;
export type PageRole = (typeof pageRoles)[number];

/** The roles that a person can hide. */
export const filterRoles = ['user', 'assistant', 'tool', 'system'] as const;
export type FilterRole = (typeof filterRoles)[number];

/** How much of a conversation is shown, from least to most: answers only, tool calls too, or everything. */
export const detailLevels = ['answers', 'work', 'everything'] as const;
export type DetailLevel = (typeof detailLevels)[number];

/** What a page may ask to attach. The host asks the person for everything else it needs to know. */
export const attachmentKinds = [
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
export type AttachmentKind = (typeof attachmentKinds)[number];

/** When a message is sent if the agent is running. */
export const sendTimes = ['now', 'whenIdle'] as const;
export type SendTime = (typeof sendTimes)[number];

/** Actions of the composer's menus, other than attaching and sending. */
export const composerActions = ['composeInEditor', 'chooseComputer', 'forgetComputer', 'insertSnippet'] as const;
export type ComposerAction = (typeof composerActions)[number];

/** What can be completed while typing: a file after `@`, or a snippet after `/` at the start. */
export const suggestionKinds = ['file', 'snippet'] as const;
export type SuggestionKind = (typeof suggestionKinds)[number];

/** Directions in the person's own earlier prompts. */
export const promptSteps = ['older', 'newer'] as const;
export type PromptStep = (typeof promptSteps)[number];

/** What a button on the page may ask for: a promised command, or a step of the conversation view. */
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

/** What can be done with a message that isn't known to have arrived. */
export const deliveryActions = ['sendAgain', 'discard', 'edit', 'cancel'] as const;
export type DeliveryAction = (typeof deliveryActions)[number];

/** What can be done with a message, or with its conversation. */
export const messageActions = ['copy', 'copyPlain', 'copyAnswer', 'copyConversation', 'copyLink', 'quote'] as const;
export type MessageAction = (typeof messageActions)[number];

/** URL schemes that a link in a message may have. The host opens no others. */
export const linkSchemes = ['http:', 'https:', 'mailto:'] as const;
