import { accountCommands, type Demo } from '../commands/account/account.ts';
import { archiveCommands } from '../commands/settings/changeSettings.ts';
import { attachingCommands } from '../commands/attachments/attachCommands.ts';
import { composerCommands } from '../commands/composer/composerCommands.ts';
import type { Composer } from '../commands/composer/createComposer.ts';
import { sessionListCommands, unreadCommands } from '../commands/sessions/manage.ts';
import { documentCommands } from '../commands/conversation/documents.ts';
import { settingsCommands } from '../commands/settings/editSettings.ts';
import { exportCommands } from '../commands/conversation/export.ts';
import { findCommands } from '../commands/sessions/find.ts';
import { linkCommands } from '../commands/sessions/links.ts';
import type { MessageActions } from '../commands/conversation/messageActions.ts';
import { readingCommands } from '../commands/conversation/reading.ts';
import type { CommandTable } from '../commands/register.ts';
import { sendingCommands } from '../commands/composer/send.ts';
import { sessionCommands } from '../commands/sessions/sessions.ts';
import { usageCommands } from '../commands/conversation/usage.ts';
import { supportCommands } from '../commands/notices/support.ts';
import type { SessionKey } from '../state/store/sessionKey.ts';
import type { ConversationDocuments } from '../views/documents/conversationDocuments.ts';
import { documentWords } from '../views/documents/documentStrings.ts';
import type { Views } from '../views/views.ts';
import type { Services } from './services.ts';

/** What commands work on, beside the core. */
export interface CommandSurfaces {
  readonly views: Views;
  readonly documents: ConversationDocuments;
  readonly composer: Composer;
  readonly messageActions: MessageActions;
  readonly startDemo: () => Promise<Demo>;
  readonly openConversation: (key: SessionKey, messageId?: string, focus?: boolean) => Promise<void>;
}

/** Every command there is. */
export function commandTable(core: Services, surfaces: CommandSurfaces): CommandTable {
  const { views, documents, composer, messageActions, startDemo, openConversation } = surfaces;
  const openInEditor = (key: SessionKey, messageId?: string) => views.editors.open(key, messageId);
  return {
    ...accountCommands({ ...core, startDemo }),
    ...sessionCommands({ ...core, ...treeSteps(views), openConversation, openInEditor }),
    ...readingCommands({ ...core, messageActions, openConversation, activePage: () => views.activePage }),
    ...sessionListCommands(core),
    ...findCommands(core),
    ...linkCommands(core),
    ...unreadCommands(core),
    ...attachingCommands({ ...core, openConversation }),
    ...documentCommands({ ...core, documents }),
    ...exportCommands({ ...core, words: documentWords(core.t) }),
    ...sendingCommands({ ...core, openConversation }),
    ...composerCommands({ ...core, ...composer, openConversation }),
    ...settingsCommands(core),
    ...archiveCommands(core),
    ...usageCommands({ ...core, openUsage: (key: SessionKey) => views.usage.open(key) }),
    ...supportCommands(core),
  };
}

/** What rows of the tree do. */
function treeSteps({ sessions }: Views) {
  return {
    showOlder: (key: SessionKey) => sessions.showOlder(key),
    showMoreChildren: (key: SessionKey) => sessions.showMoreChildren(key),
  };
}
