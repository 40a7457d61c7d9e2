import type { ComposerWord } from './composerProtocol.ts';
import type { DeliveryAction } from './pageMessages.ts';
import type { PageLens, filterRoles } from './readingProtocol.ts';

/**
 * The page's own words, translated by the host. `{0}` and `{1}` are filled in by the page: a name in
 * `removeAttachment`, `saveFile` and `copyFact`, a path in `openFile`, a number in `newMessages` and
 * `answerReceivedBlocks`, two in `matchOf`, role and time in `messageLabel`, a time in `asOf` and `edited`, a URL in
 * `remoteImage`, a role in `messageReceived`, a reason in `notDrawn`.
 */
export type PageWord =
  | 'conversation'
  | 'message'
  | 'messagePlaceholder'
  | 'send'
  | 'attach'
  | 'attachments'
  | 'removeAttachment'
  | 'jumpToLatest'
  | 'stopFollowing'
  | 'newMessages'
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
  | 'messageLabel'
  | 'edited'
  | 'asOf'
  | 'emptyConversation'
  | 'today'
  | 'yesterday'
  | 'filterMessages'
  | PageLens
  | (typeof filterRoles)[number]
  | 'find'
  | 'findInConversation'
  | 'matchCase'
  | 'matchWholeWord'
  | 'useRegex'
  | 'noResults'
  | 'matchOf'
  | 'matchOfMore'
  | 'searching'
  | 'previousMatch'
  | 'nextMatch'
  | 'close'
  | 'olderNotSearched'
  | 'matchNotShown'
  | 'loadRest'
  | 'currentPrompt'
  | 'moreActions'
  | 'copyMessage'
  | 'copyPlain'
  | 'copyAnswer'
  | 'copyConversation'
  | 'copyLink'
  | 'quote'
  | 'previousBranch'
  | 'nextBranch'
  | 'imageNotShown'
  | 'image'
  | 'remoteImage'
  | 'refresh'
  | 'messageReceived'
  | 'showAll'
  | 'notDrawn'
  | 'answerReceived'
  | 'answerReceivedOneBlock'
  | 'answerReceivedBlocks'
  | DeliveryAction
  | ComposerWord;
export type PageStrings = Readonly<Record<PageWord, string>>;
