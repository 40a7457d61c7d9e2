import type { PageMessageHandlers } from '../../shared/protocol/pageMessages.ts';
import type { ConversationPage } from '../../views/conversation/conversationPage.ts';
import { argumentOf } from '../commandArguments.ts';
import type { PageServices } from '../context.ts';
import { loadMessage } from '../conversation/givenMessage.ts';
import { messageIdOf } from '../sessions/messageLinks.ts';
import { meantSession } from './meantSession.ts';

/** Handlers for the messages about a conversation as a whole: its history, its filter, and actions on its messages. */
export function conversationHandlers(services: PageServices) {
  const { store, sessions, messageActions, filters, documents, t } = services;
  const { controller, pageFocus } = services.composer;
  return {
    focused({ isFocused }, page) {
      pageFocus.take(page, isFocused);
      if (isFocused && page.key) store.setCurrent(page.key);
    },
    async loadOlder(_message, page) {
      if (page.key) await sessions.loadOlder(page.key);
    },
    cancelLoading(_message, page) {
      if (page.key) sessions.stopLoading(page.key);
    },
    async loadRest(_message, page) {
      if (page.key) await sessions.loadRest(page.key);
    },
    setFilter(message, page) {
      const key = meantSession(page, message);
      if (!key) return;
      page.preferRowsAfter(message.anchorKey);
      filters.set(key, { detailLevel: message.detailLevel, hiddenRoles: message.hiddenRoles });
    },
    async messageAction(message, page) {
      const key = meantSession(page, message);
      if (!key) return;
      const { action } = message;
      if (action === 'openAsDocument' || action === 'toggleBookmark' || action === 'editBookmarkNote') {
        const command = action === 'openAsDocument' ? 'openMessageAsDocument' : action;
        await services.commands.run(command, { ...argumentOf(key), messageId: message.key });
        return;
      }
      await messageActions.run(key, action, message.key, message.text);
      if (action === 'quote') page.focusComposer(true);
      else page.post({ type: 'announce', text: t('Copied') });
    },
    async revealMessage({ messageId }, page) {
      page.revealMessage(messageId);
      if (page.key) await loadMessage(services, page.key, messageId);
    },
    async delivery({ entryId, action }, page) {
      await controller.deliver(entryId, action, page);
    },
    async showAll({ key: rowKey, index }, page) {
      if (!page.key) return;
      const messageId = messageIdOf(store, page.key, rowKey);
      await documents.openContent(page.key, index === undefined ? { messageId } : { messageId, outputOf: index });
    },
  } satisfies Partial<PageMessageHandlers<ConversationPage>>;
}
