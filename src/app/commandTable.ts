import { accountCommands } from '../commands/account/accountCommands.ts';
import { attachingCommands } from '../commands/attachments/attachCommands.ts';
import { composerCommands } from '../commands/composer/composerCommands.ts';
import { sendingCommands } from '../commands/composer/sendingCommands.ts';
import type { CommandHandlers } from '../commands/commandArguments.ts';
import type { CommandContext } from '../commands/context.ts';
import { bookmarkCommands } from '../commands/conversation/bookmarkCommands.ts';
import { commentCommands } from '../commands/conversation/commentCommands.ts';
import { compareCommands } from '../commands/conversation/compareCommands.ts';
import { documentCommands } from '../commands/conversation/documentCommands.ts';
import { exportCommands } from '../commands/conversation/exportCommands.ts';
import { readingCommands } from '../commands/conversation/readingCommands.ts';
import { usageCommands } from '../commands/conversation/usageCommands.ts';
import { supportCommands } from '../commands/notices/supportCommands.ts';
import { elsewhereCommands } from '../commands/sessions/elsewhereCommands.ts';
import { filterCommands } from '../commands/sessions/filterCommands.ts';
import { findCommands } from '../commands/sessions/findCommands.ts';
import { linkCommands } from '../commands/sessions/linkCommands.ts';
import { sessionListCommands, unreadCommands } from '../commands/sessions/sessionListCommands.ts';
import { sessionCommands } from '../commands/sessions/sessionCommands.ts';
import { sourceCommands } from '../commands/sessions/sessionSource.ts';
import { triageCommands } from '../commands/sessions/triageCommands.ts';
import { changeCommands } from '../commands/work/changeCommands.ts';
import { linkedFileCommands } from '../commands/work/linkedFileCommands.ts';
import { markCommands } from '../commands/work/markCommands.ts';
import { mappingCommands } from '../commands/work/mappingCommands.ts';
import { fileSessionCommands } from '../commands/work/fileSessionCommands.ts';
import { stepCommands } from '../commands/work/stepCommands.ts';
import { archiveCommands } from '../commands/settings/changeSettings.ts';
import { settingsCommands } from '../commands/settings/settingsCommands.ts';

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
