import { accountCommands } from '../commands/account.ts';
import { archiveCommands } from '../commands/archiving.ts';
import { attachingCommands } from '../commands/attaching.ts';
import { composerCommands } from '../commands/composerCommands.ts';
import type { Composer } from '../commands/composerOf.ts';
import { deckEntryCommands } from '../commands/deckEntries.ts';
import { documentCommands } from '../commands/documents.ts';
import { settingsCommands } from '../commands/editSettings.ts';
import { exportCommands } from '../commands/exportConversation.ts';
import { findCommands } from '../commands/findSessions.ts';
import { linkCommands } from '../commands/links.ts';
import type { MessageActions } from '../commands/messageActions.ts';
import { readingCommands } from '../commands/reading.ts';
import type { CommandTable } from '../commands/register.ts';
import { sendingCommands } from '../commands/sending.ts';
import { sessionCommands } from '../commands/sessions.ts';
import { usageCommands } from '../commands/showUsage.ts';
import { supportCommands } from '../commands/support.ts';
import { unreadCommands } from '../commands/unread.ts';
import type { Demo } from '../commands/account.ts';
import type { SessionKey } from '../state/sessionKey.ts';
import type { ConversationDocuments } from '../views/conversationDocuments.ts';
import { documentWords } from '../views/documentWords.ts';
import type { Views } from '../views/views.ts';
import type { Core } from './core.ts';

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
export function commandTable(core: Core, surfaces: CommandSurfaces): CommandTable {
  const { views, documents, composer, messageActions, startDemo, openConversation } = surfaces;
  const openInEditor = (key: SessionKey, messageId?: string) => views.editors.open(key, messageId);
  return {
    ...accountCommands({ ...core, startDemo }),
    ...sessionCommands({ ...core, ...treeSteps(views), openConversation, openInEditor }),
    ...readingCommands({ ...core, messageActions, openConversation, activePage: () => views.activePage }),
    ...deckEntryCommands(core),
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
