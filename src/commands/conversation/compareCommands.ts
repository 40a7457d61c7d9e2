import { pickRow } from '../../host/prompts/picker.ts';
import { plainLine } from '../../shared/text.ts';
import type { CommandContext } from '../context.ts';
import type { CommandHandlers, MessageArgument } from '../commandArguments.ts';
import { type GivenMessage, givenMessage } from './givenMessage.ts';

/** The commands that compare messages in the diff editor. They change nothing. */
export function compareCommands(context: CommandContext) {
  const { comparisons } = context;
  const on = (run: (message: GivenMessage) => void | Promise<void>) => async (argument: MessageArgument) =>
    run(await givenMessage(context, argument));
  return {
    selectForCompare: on((message) => comparisons.select(message)),
    compareWithSelected: on((message) => comparisons.withSelected(message)),
    compareWithClipboard: on((message) => comparisons.withClipboard(message)),
    compareBranches: on((message) => compareBranches(context, message)),
  } satisfies Partial<CommandHandlers>;
}

/**
 * Compares the branch that begins with a message and another branch at the same place, if there is one. If there are
 * several others, the user selects one.
 */
async function compareBranches({ comparisons, store, t }: CommandContext, message: GivenMessage): Promise<void> {
  const { key } = message;
  const place = comparisons.branchesAt(message);
  if (!place) return;
  const { index, messageIds } = place;
  const items = messageIds.flatMap((messageId, at) => {
    const label = t('Branch {0} of {1}', at + 1, messageIds.length);
    const detail = plainLine(store.header(key, messageId)?.firstLine ?? '');
    return at === index ? [] : [{ label, detail, at }];
  });
  const other = items.length === 1 ? items[0] : await pickRow(items);
  if (other) await comparisons.branches(key, messageIds, [index, other.at]);
}
