import type { CommandContext } from '../context.ts';
import type { CommandHandlers } from '../commandArguments.ts';
import { activeOrTarget } from '../sessions/pick.ts';

/** Commands about token usage. */
export function usageCommands(context: CommandContext) {
  return {
    showUsage: async (argument) => {
      const key = await activeOrTarget(context, argument, context.t('Show Token Usage'));
      if (key) context.navigation.openUsage(key);
    },
  } satisfies Partial<CommandHandlers>;
}
