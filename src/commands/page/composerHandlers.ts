import { defined } from '../../shared/defined.ts';
import type { PageMessageHandlers } from '../../shared/protocol/pageMessages.ts';
import type { ComposerAction } from '../../shared/protocol/vocabulary.ts';
import { type SessionKey, namedSession, sameSession } from '../../state/store/sessionKey.ts';
import { isTyped } from '../../sync/drafts/draftEdits.ts';
import type { ConversationPage } from '../../views/conversation/conversationPage.ts';
import { argumentOf } from '../commandArguments.ts';
import { findPrompt } from '../composer/findPrompt.ts';
import { configureSnippets, pickSnippet } from '../composer/suggestions.ts';
import type { PageServices } from '../context.ts';
import { tooManyComments } from '../conversation/commentCommands.ts';
import { messageIdOf } from '../sessions/messageLinks.ts';

/** Handlers for the messages that a composer sends. If a handler rejects, its error is shown below the composer. */
export function composerHandlers(services: PageServices) {
  const { store, drafts } = services;
  const { controller, composerFocus, suggestions } = services.composer;
  return {
    ...attachmentHandlers(services),
    ...commentHandlers(services),
    draft(message, page) {
      const key = begin(services, message, page);
      drafts.setText(key, { ...message, addedId: message.addedId ?? 0 }, page);
      page.acknowledgeDraft(message.revision);
    },
    async send(message, page) {
      const key = begin(services, message, page);
      const typed = { ...message, addedId: message.addedId ?? 0, selectionStart: 0, selectionEnd: 0 };
      const isCurrent = message.hasWaited !== true || isTyped(drafts.get(key), typed);
      const sending = isCurrent ? controller.send(key, typed, page) : undefined;
      // The draft no longer contains the text that the page sent, or is newer than that text.
      page.acknowledgeDraft(message.revision);
      await sending;
      // The page cleared its input field on sending, so send it the draft, which may have been changed elsewhere.
      page.refreshComposer('draft');
    },
    async chooseSendTime(message, page) {
      const key = begin(services, message, page);
      return defined({ after: await controller.chooseSendTime(key) });
    },
    suggest: (message) => suggestions.suggest(message.kind, message.query, namedSession(message)),
    async takeSuggestion(message, page) {
      const key = begin(services, message, page);
      if (message.kind === 'file') {
        await controller.attachFile(key, () => suggestions.fileOf(message.suggestionId));
        return;
      }
      const text = suggestions.snippetOf(message.suggestionId);
      if (text !== undefined) insertText(services, key, text, page);
      await runSlashCommand(services, key, message.suggestionId, page);
    },
    async getPrompt(message, page) {
      const key = begin(services, message, page);
      return { prompt: await findPrompt(store, key, message.step, message.from) };
    },
    async compose(message, page) {
      const key = begin(services, message, page);
      await compose(services, key, message.action, page);
    },
    composerFocus({ isFocused }, page) {
      composerFocus.take(page, isFocused);
    },
  } satisfies Partial<PageMessageHandlers<ConversationPage>>;
}

function attachmentHandlers(services: PageServices) {
  const { attachmentPreview } = services;
  const { controller } = services.composer;
  return {
    async attach(message, page) {
      const key = begin(services, message, page);
      try {
        await controller.attach(key, message.what);
      } finally {
        // When a picker closes, VS Code moves the focus to the editor, and the user would go on typing in a file.
        page.focusComposer(true);
      }
    },
    async attachBytes(message, page) {
      const key = proceed(services, message, page);
      await controller.pasted.add(key, message.attachmentId, message.name, new Uint8Array(message.bytes));
    },
    async attachUris(message, page) {
      const key = proceed(services, message, page);
      await controller.attachUris(key, message.uris);
    },
    removeAttachment(message, page) {
      const key = begin(services, message, page);
      controller.pasted.remove(key, message.attachmentId);
    },
    async previewAttachment(message, page) {
      begin(services, message, page);
      await attachmentPreview.show(message.attachmentId);
    },
    getUnavailableAttachments: () => controller.unavailableAttachments(),
  } satisfies Partial<PageMessageHandlers<ConversationPage>>;
}

/** Handlers for the messages about comments. The host owns the comments; the page only sends changes to single ones. */
function commentHandlers(services: PageServices) {
  const { store, drafts, t } = services;
  return {
    addComment(message, page) {
      const key = proceed(services, message, page);
      page.acknowledgeComments(message.revision);
      const { commentId, quote, offset } = message;
      const messageId = messageIdOf(store, key, message.key);
      if (!drafts.addComment(key, { commentId, messageId, quote, offset, text: '' }, page)) {
        throw tooManyComments(t);
      }
    },
    changeComment(message, page) {
      const key = proceed(services, message, page);
      page.acknowledgeComments(message.revision);
      drafts.changeComment(key, message.commentId, message.text, page);
    },
    removeComment(message, page) {
      const key = proceed(services, message, page);
      page.acknowledgeComments(message.revision);
      drafts.changeComment(key, message.commentId, undefined, page);
    },
  } satisfies Partial<PageMessageHandlers<ConversationPage>>;
}

/** Returns the session that a message is about, and clears the error of the previous action. */
function begin({ composer: { controller } }: PageServices, message: SessionKey, page: ConversationPage): SessionKey {
  const key = namedSession(message);
  if (controller.failures.forget(key)) page.refreshComposer();
  return key;
}

/**
 * Like `begin`, but keeps what is shown about rejected attachments. The user may not have read it yet, because messages
 * about attachments and comments can follow one another quickly, for example one for each of several files.
 */
function proceed({ composer: { controller } }: PageServices, message: SessionKey, page: ConversationPage): SessionKey {
  const key = namedSession(message);
  if (controller.failures.forgetUnlessRejected(key)) page.refreshComposer();
  return key;
}

/** Runs the command of a suggestion; does nothing for other suggestions. */
async function runSlashCommand(services: PageServices, key: SessionKey, suggestionId: string, page: ConversationPage) {
  switch (services.composer.suggestions.commandOf(suggestionId)) {
    case 'attach':
      await services.commands.run('attach', argumentOf(key));
      page.focusComposer(true);
      return;
    case 'model':
      await services.commands.run('editSettings', { ...argumentOf(key), setting: 'model' });
      page.focusComposer(true);
      return;
    case 'computer':
      await compose(services, key, 'chooseComputer', page);
      return;
    case 'editor':
      await compose(services, key, 'composeInEditor', page);
      return;
    case 'snippets':
      await configureSnippets();
      return;
    case undefined:
  }
}

/** Inserts a text at the caret or, if the page shows another session by now, adds it to the draft. */
function insertText({ drafts }: PageServices, key: SessionKey, text: string, page: ConversationPage): void {
  if (sameSession(page.key, key)) page.post({ type: 'insertText', ...key, text });
  else drafts.addText(key, text);
}

async function compose(
  services: PageServices,
  key: SessionKey,
  action: ComposerAction,
  page: ConversationPage,
): Promise<void> {
  const { controller, composeEditors } = services.composer;
  switch (action) {
    case 'composeInEditor':
      await composeEditors.open(key);
      return;
    case 'chooseComputer':
      await controller.chooseComputer(key);
      page.focusComposer(true);
      return;
    case 'forgetComputer':
      controller.setComputer(key, undefined);
      return;
    case 'insertSnippet': {
      const text = await pickSnippet(services.t);
      page.focusComposer(true);
      if (text !== undefined) insertText(services, key, text, page);
    }
  }
}
