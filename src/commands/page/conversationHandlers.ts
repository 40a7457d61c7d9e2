import type { PageMessageHandlers } from '../../shared/protocol/pageMessages.ts';
import { namedSession, sameSession } from '../../state/store/sessionKey.ts';
import type { ConversationPage } from '../../views/conversation/conversationPage.ts';
import { argumentOf } from '../commandArguments.ts';
import type { PageServices } from '../context.ts';
import { loadMessage } from '../conversation/givenMessage.ts';
import { messageIdOf } from '../sessions/messageLinks.ts';

/** Handlers for the messages about a conversation as a whole: its history, its filter, and actions on its messages. */
export function conversationHandlers(services: PageServices) {
  const { store, sessions, messageActions, filters, documents, t } = services;
  const { controller } = services.composer;
  return {
    focused: ({ isFocused }, page) => services.activeConversation.setFocused(page, isFocused),
    loadOlder: (message) => sessions.loadOlder(namedSession(message)),
    cancelLoading: (message) => sessions.stopLoading(namedSession(message)),
    loadRest(message, page) {
      const loading = sessions.loadRest(namedSession(message));
      page.find.awaitMatch(loading);
      return loading;
    },
    setFilter(message, page) {
      const key = namedSession(message);
      if (sameSession(page.key, key)) page.preferRowsAfter(message.anchorKey);
      filters.set(key, { detailLevel: message.detailLevel });
    },
    async messageAction(message, page) {
      const key = namedSession(message);
      const { action } = message;
      switch (action) {
        case 'quote':
          await messageActions.run(key, action, message.key, message.text);
          page.focusComposer(true);
          break;
        case 'copy':
        case 'copyPlain':
        case 'copyLink':
          await messageActions.run(key, action, message.key);
          page.post({ type: 'announce', text: t('Copied') });
          break;
        default: {
          const command = action === 'openAsDocument' ? 'openMessageAsDocument' : action;
          await services.commands.run(command, { ...argumentOf(key), messageId: message.key });
        }
      }
    },
    async revealMessage(message, page) {
      const key = namedSession(message);
      if (!sameSession(page.key, key)) return;
      page.revealMessage(message.messageId);
      await loadMessage(services, key, message.messageId);
    },
    async delivery({ entryId, action }, page) {
      await controller.deliver(entryId, action, page);
    },
    async showAll(message) {
      const key = namedSession(message);
      const { index } = message;
      const messageId = messageIdOf(store, key, message.key);
      await documents.openContent(key, index === undefined ? { messageId } : { messageId, outputOf: index });
    },
  } satisfies Partial<PageMessageHandlers<ConversationPage>>;
}
