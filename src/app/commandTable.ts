import { accountCommands } from '../commands/account/account.ts';
import { attachingCommands } from '../commands/attachments/attachCommands.ts';
import { composerCommands } from '../commands/composer/composerCommands.ts';
import { sendingCommands } from '../commands/composer/send.ts';
import type { CommandHandlers } from '../commands/commandArguments.ts';
import type { CommandContext } from '../commands/context.ts';
import { bookmarkCommands } from '../commands/conversation/bookmarks.ts';
import { commentCommands } from '../commands/conversation/comments.ts';
import { compareCommands } from '../commands/conversation/compare.ts';
import { documentCommands } from '../commands/conversation/documents.ts';
import { exportCommands } from '../commands/conversation/export.ts';
import { readingCommands } from '../commands/conversation/reading.ts';
import { usageCommands } from '../commands/conversation/usage.ts';
import { supportCommands } from '../commands/notices/support.ts';
import { elsewhereCommands } from '../commands/sessions/elsewhere.ts';
import { filterCommands } from '../commands/sessions/filterSessions.ts';
import { findCommands } from '../commands/sessions/find.ts';
import { linkCommands } from '../commands/sessions/links.ts';
import { sessionListCommands, unreadCommands } from '../commands/sessions/manage.ts';
import { sessionCommands } from '../commands/sessions/sessions.ts';
import { sourceCommands } from '../commands/sessions/sessionSource.ts';
import { triageCommands } from '../commands/sessions/triage.ts';
import { changeCommands } from '../commands/work/changes.ts';
import { linkedFileCommands } from '../commands/work/linkedFiles.ts';
import { markCommands } from '../commands/work/markCommands.ts';
import { mappingCommands } from '../commands/work/mapAgentFolder.ts';
import { fileSessionCommands } from '../commands/work/fileSessions.ts';
import { stepCommands } from '../commands/work/steps.ts';
import { archiveCommands } from '../commands/settings/changeSettings.ts';
import { settingsCommands } from '../commands/settings/editSettings.ts';

/** The handlers of all commands. */
export function commandTable(context: CommandContext): CommandHandlers {
  return {
    ...accountCommands(context),
    ...sessionCommands(context),
    ...sourceCommands(context),
    ...sessionListCommands(context),
    ...unreadCommands(context),
    ...triageCommands(context),
    ...filterCommands(context),
    ...findCommands(context),
    ...linkCommands(context),
    ...elsewhereCommands(context),
    ...readingCommands(context),
    ...bookmarkCommands(context),
    ...commentCommands(context),
    ...documentCommands(context),
    ...compareCommands(context),
    ...exportCommands(context),
    ...changeCommands(context),
    ...stepCommands(context),
    ...fileSessionCommands(context),
    ...markCommands(context),
    ...mappingCommands(context),
    ...linkedFileCommands(context),
    ...usageCommands(context),
    ...composerCommands(context),
    ...attachingCommands(context),
    ...sendingCommands(context),
    ...settingsCommands(context),
    ...archiveCommands(context),
    ...supportCommands(context),
  };
}
