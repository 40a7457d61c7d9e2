import type { PageMessageHandlers } from '../../shared/protocol/pageMessages.ts';
import type { Translate } from '../../shared/text.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { ConversationPage } from '../../views/conversation/conversationPage.ts';
import type { ConversationFilters } from '../../views/conversation/filters.ts';
import type { ComposerController } from '../composer/composer.ts';
import type { MessageActions } from '../conversation/messageActions.ts';
import { messageIdOf } from '../sessions/links.ts';
import { meantSession } from './meantSession.ts';

export interface ConversationContext {
  readonly store: Store;
  readonly composing: ComposerController;
  readonly messageActions: MessageActions;
  readonly readings: ConversationFilters;
  readonly loadOlder: (key: SessionKey) => Promise<void>;
  readonly stopLoading: (key: SessionKey) => void;
  /** Shows one message as a document. */
  readonly openMessage: (key: SessionKey, messageId: string) => Promise<void>;
  readonly t: Translate;
}

/** Handlers of the messages about a conversation as a whole: its history, its filter, and actions on its messages. */
export function conversationHandlers(context: ConversationContext) {
  const { store, composing, messageActions, readings, loadOlder, stopLoading, openMessage, t } = context;
  return {
    focused(_message, page) {
      if (page.key) store.setCurrent(page.key);
    },
    async loadOlder(_message, page) {
      if (page.key) await loadOlder(page.key);
    },
    cancelLoading(_message, page) {
      if (page.key) stopLoading(page.key);
    },
    async loadRest(_message, page) {
      if (page.key) await loadFullHistory(context, page.key);
    },
    setReading(message, page) {
      const key = meantSession(page, message);
      if (!key) return;
      page.preferRowsAfter(message.anchorKey);
      readings.set(key, { lens: message.lens, hiddenRoles: message.hiddenRoles });
    },
    async messageAction(message, page) {
      const key = meantSession(page, message);
      if (!key) return;
      await messageActions.run(key, message.action, message.key, message.text);
      if (message.action === 'quote') page.focusComposer();
      else page.post({ type: 'announce', text: t('Copied') });
    },
    async delivery({ entryId, action }, page) {
      if (page.key) await composing.deliver(page.key, entryId, action);
    },
    async showAll({ key: rowKey }, page) {
      if (page.key) await openMessage(page.key, messageIdOf(store, page.key, rowKey));
    },
  } satisfies Partial<PageMessageHandlers<ConversationPage>>;
}

/** Loads one chunk of older messages after another, until there are no more, or a request fails or returns nothing. */
async function loadFullHistory({ store, loadOlder }: ConversationContext, key: SessionKey): Promise<void> {
  for (let count = -1; ;) {
    const record = store.record(key);
    if (record?.history.completeness !== 'partial' || record.headers.length === count || record.history.problem) return;
    count = record.headers.length;
    await loadOlder(key);
  }
}
