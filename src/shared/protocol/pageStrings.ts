import type { Translate } from '../text.ts';
import type { DetailLevel } from './vocabulary.ts';

/** The names of detail levels, which commands also show. */
type PageLabels = Readonly<Record<DetailLevel, string>>;

/** The strings of the page, in VS Code's display language. The page replaces `{0}`, `{1}`, and so on. */
export type PageStrings = Readonly<ReturnType<typeof pageStrings>>;

/**
 * Returns all strings of the page. {@link PageStrings} is inferred from the result, so a new string is added only to
 * this file.
 */
export function pageStrings(t: Translate, labels: PageLabels) {
  return {
    ...labels,
    ...conversationStrings(t),
    ...contentStrings(t),
    ...actionStrings(t),
    ...findStrings(t),
    ...composerStrings(t),
  };
}

function conversationStrings(t: Translate) {
  return {
    conversation: t('Conversation'),
    message: t('Message'),
    messagePlaceholder: t('Message the agent'),
    send: t('Send'),
    attach: t('Attach'),
    attachments: t('Attachments'),
    removeAttachment: t('Remove {0}'),
    jumpToLatest: t('Jump to Latest'),
    stopFollowing: t('Stop Following'),
    newMessages: t.forms({ other: '{0} new' }),
    messageLabel: t('{0} message, {1}'),
    emptyConversation: t('No messages yet.'),
    refresh: t('Refresh'),
    messageReceived: t('{0} message received'),
    showAll: t('Show All in Editor'),
    notDrawn: t("Couldn't display this message: {0}"),
    answerReceived: t('Answer received'),
    answerReceivedBlocks: t.forms({
      one: 'Answer received, 1 code block',
      other: 'Answer received, {0} code blocks',
    }),
    sendAgain: t('Send Again'),
    changeTime: t('Change Time...'),
    discard: t('Discard'),
    sendOthers: t('Send Remaining Messages'),
    edit: t('Edit'),
    cancel: t('Cancel'),
  };
}

function contentStrings(t: Translate) {
  return {
    plan: t('Plan'),
    lastTurn: t('Last turn'),
    newSince: t('New since {0}'),
    question: t('Question'),
    agentAsks: t('The agent asks'),
    selectSeveral: t('Select one or more.'),
    agentAsksApproval: t('The agent asks you to approve its plan'),
    waitingForAnswer: t('Waiting for your answer'),
    answerIsText: t('Choosing an option adds its text to your message. You can edit the message before you send it.'),
    approvalIsText: t('"Approve" adds text to your message. It grants no permissions.'),
    approve: t('Approve'),
    approvedText: t('I approve this plan.'),
    sendAnswer: t('Send Answer'),
    replyTo: t('Reply...'),
    otherAnswer: t('Other...'),
    openOutput: t('Open Output as Document'),
    stepNotAvailable: t("This step can't be loaded."),
    codeActions: t('Code block actions'),
    copyCode: t('Copy'),
    insertCode: t('Insert at Cursor'),
    openInNewFile: t('Open in New File'),
    compareCode: t('Compare with Active Editor'),
    openPreview: t('Open Preview'),
    wrapLines: t('Wrap Lines'),
    copied: t('Copied'),
    toolResult: t('result: {0}'),
    toolFailed: t('error: {0}'),
    openFile: t('Open {0}'),
    fileNotHere: t("{0} wasn't found in this workspace."),
    openPicture: t('Open Image'),
    saveFile: t('Save {0} As...'),
    showDetails: t('Show Details'),
    details: t('Message details'),
    copyFact: t('Copy: {0}'),
    edited: t('edited {0}'),
    asOf: t('as of {0}'),
    retryingIn: t('Retrying in {0} s.'),
    imageNotShown: t("Can't display this image."),
    image: t('Image'),
    remoteImage: t('Remote image (not loaded): {0}'),
  };
}

function actionStrings(t: Translate) {
  return {
    today: t('Today'),
    yesterday: t('Yesterday'),
    filterMessages: t('Filter Messages'),
    currentPrompt: t('Current prompt: {0}'),
    codeBlock: t('Code block: {0}'),
    heading: t('Heading: {0}'),
    step: t('Step: {0}'),
    error: t('Error: {0}'),
    bookmark: t('Bookmark: {0}'),
    bookmarked: t('Bookmark'),
    markError: t('Error'),
    markMatch: t('Match'),
    markPrompt: t('Prompt'),
    helpHint: t('For accessibility help, press Alt+F1 or run Open Accessibility Help.'),
    noTarget: t('Nothing more in this direction.'),
    moreActions: t('More Actions...'),
    copyMessage: t('Copy'),
    copyPlain: t('Copy as Plain Text'),
    copyLink: t('Copy Link'),
    quote: t('Reply with Quote'),
    compare: t('Compare'),
    selectForCompare: t('Select for Compare'),
    compareWithSelected: t('Compare with Selected'),
    compareWithClipboard: t('Compare with Clipboard'),
    compareBranches: t('Compare Branches'),
    addComment: t('Add Comment'),
    nothingToComment: t('Select text in a message first.'),
    openAsDocument: t('Open as Document'),
    toggleBookmark: t('Toggle Bookmark'),
    editBookmarkNote: t('Edit Bookmark Note...'),
    selectMessage: t('Select a message first.'),
    previousBranch: t('Previous Branch'),
    nextBranch: t('Next Branch'),
  };
}

function findStrings(t: Translate) {
  return {
    find: t('Find'),
    findInConversation: t('Find in Conversation'),
    matchCase: t('Match Case'),
    matchWholeWord: t('Match Whole Word'),
    useRegex: t('Use Regular Expression'),
    noResults: t('No results'),
    matchOf: t('{0} of {1}'),
    matchOfMore: t('{0} of {1}+'),
    searching: t('Searching...'),
    previousMatch: t('Previous Match'),
    nextMatch: t('Next Match'),
    close: t('Close'),
    olderNotSearched: t("Older messages aren't loaded and weren't searched."),
    loadRest: t('Load All Messages'),
    matchNotShown: t('This match is in a hidden part of the message.'),
    matchInNote: t('This match is in the note of the bookmark.'),
  };
}

function composerStrings(t: Translate) {
  return {
    model: t('Model: {0}'),
    sendOptions: t('More Ways to Send'),
    sendNow: t('Send Now'),
    sendWhenIdle: t('Send When Idle'),
    sendLater: t('Send Later...'),
    nothingToSend: t('Enter a message first.'),
    chooseComputer: t('Choose Target Computer...'),
    forgetComputer: t("Use the Session's Computer"),
    composeInEditor: t('Compose in Editor'),
    insertSnippet: t('Insert Snippet...'),
    preview: t('Preview {0}'),
    suggestedFiles: t('Files'),
    snippets: t('Snippets and commands'),
    pastedAsFile: t('Attached the pasted text as a file.'),
    pasteAsText: t('Paste as Text'),
    hiddenCharacters: t.forms({
      one: 'The text contains 1 hidden character.',
      other: 'The text contains {0} hidden characters.',
    }),
    removeHidden: t('Remove'),
    showHidden: t('Show as Codes'),
    keepHidden: t('Keep'),
    largePicture: t('{0} is large: {1} px, {2}.'),
    attachSmaller: t('Resize and Attach ({0} px, {1})'),
    attachAsIs: t('Attach As Is'),
    dontAttach: t("Don't Attach"),
    tooLargeToPaste: t('{0} is too large to paste or drop ({1}). Use Attach instead.'),
    cantReadFile: t('Couldn\'t read "{0}".'),
    holdShift: t('Hold Shift to attach'),
    dropToAttach: t('Drop to attach'),
    dropTip: t('Hold Shift to drop files here.'),
    comments: t('Comments'),
    commentCount: t.forms({ one: '1 comment', other: '{0} comments' }),
    commentOn: t('Comment on "{0}"'),
    commentPlaceholder: t('Write a comment to send with your next message'),
    removeComment: t('Remove Comment on "{0}"'),
    messageChanged: t('The message has changed.'),
  };
}
