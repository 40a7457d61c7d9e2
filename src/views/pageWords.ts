import type { PageWords } from '../pageWords.ts';
import type { Translate } from '../state/words.ts';
import { composerWords } from './composerWords.ts';

/** The page's own words, in the editor's language. */
export function pageWords(t: Translate): PageWords {
  return {
    ...contentWords(t),
    conversation: t('Conversation'),
    message: t('Message'),
    messagePlaceholder: t('Message the agent'),
    send: t('Send'),
    attach: t('Attach'),
    attachFile: t('Current File'),
    attachSelection: t('Selection'),
    attachPick: t('Choose Files...'),
    attachments: t('Attachments'),
    removeAttachment: t('Remove {0}'),
    jumpToLatest: t('Jump to latest'),
    stopFollowing: t('Stop following'),
    newMessages: t('{0} new'),
    messageLabel: t('{0} message, {1}'),
    emptyConversation: t('There are no messages yet.'),
    refresh: t('Refresh'),
    messageReceived: t('{0} message received'),
    showAll: t('Show All in Editor'),
    notDrawn: t('This message could not be drawn: {0}'),
    answerReceived: t('Answer received'),
    answerReceivedOneBlock: t('Answer received, 1 code block'),
    answerReceivedBlocks: t('Answer received, {0} code blocks'),
    sendAgain: t('Send Again'),
    discard: t('Discard'),
    edit: t('Edit'),
    cancel: t('Cancel'),
    ...composerWords(t),
  };
}

/** The words about what is in a message. */
function contentWords(t: Translate): Pick<PageWords, ContentWord> {
  return {
    codeActions: t('Code actions'),
    copyCode: t('Copy'),
    insertCode: t('Insert at Cursor'),
    openInNewFile: t('Open in New File'),
    openInEditor: t('Open in Editor'),
    wrapLines: t('Wrap Lines'),
    copied: t('Copied'),
    toolResult: t('result: {0}'),
    toolFailed: t('error: {0}'),
    openFile: t('Open {0}'),
    openPicture: t('Open Image'),
    saveFile: t('Save {0} As...'),
    showDetails: t('Show Details'),
    details: t('Details of the message'),
    copyFact: t('Copy: {0}'),
    edited: t('edited {0}'),
    asOf: t('as of {0}'),
    imageNotShown: t('This image cannot be shown.'),
    image: t('Image'),
    remoteImage: t('Image, not loaded: {0}'),
  };
}

type ContentWord =
  | 'codeActions'
  | 'copyCode'
  | 'insertCode'
  | 'openInNewFile'
  | 'openInEditor'
  | 'wrapLines'
  | 'copied'
  | 'toolResult'
  | 'toolFailed'
  | 'openFile'
  | 'openPicture'
  | 'saveFile'
  | 'showDetails'
  | 'details'
  | 'copyFact'
  | 'edited'
  | 'asOf'
  | 'imageNotShown'
  | 'image'
  | 'remoteImage';
