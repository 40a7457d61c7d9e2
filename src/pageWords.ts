import type { ComposerWord } from './composerProtocol.ts';
import type { DeliveryAction } from './protocol.ts';

/**
 * The page's own words, translated by the host. `{0}` and `{1}` are filled in by the page: a name in
 * `removeAttachment`, `saveFile` and `copyFact`, a path in `openFile`, a number in `newMessages` and
 * `answerReceivedBlocks`, role and time in `messageLabel`, a time in `asOf` and `edited`, a URL in `remoteImage`, a role
 * in `messageReceived`, a reason in `notDrawn`.
 */
export type PageWord =
  | 'conversation'
  | 'message'
  | 'messagePlaceholder'
  | 'send'
  | 'attach'
  | 'attachFile'
  | 'attachSelection'
  | 'attachPick'
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
export type PageWords = Readonly<Record<PageWord, string>>;
