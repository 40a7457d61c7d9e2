import { defined } from '../../shared/defined.ts';
import type { PageFilter } from '../../shared/protocol/pageModel.ts';
import type { PagePlace } from '../../shared/protocol/rowTypes.ts';
import type { DetailLevel } from '../../shared/protocol/vocabulary.ts';
import type { ConversationRow } from '../conversation/row.ts';
import type { ShownConversation } from '../conversation/turnRows.ts';
import { describeTurnChanges } from './describeSteps.ts';
import { describeTurnTime } from './describeTime.ts';
import { type ConversationFilter, defaultFilter } from '../conversation/filter.ts';
import { type Translate } from '../../shared/text.ts';

/** The display name of a detail level. */
export function detailLevelLabel(detailLevel: DetailLevel, t: Translate): string {
  switch (detailLevel) {
    case 'answers':
      return t('Answers Only');
    case 'work':
      return t('Answers and Tool Calls');
    case 'everything':
      return t('Everything');
  }
}

/**
 * Describes the filter for the page, with a summary if it isn't the default and hides messages, or if it hides all of
 * them. `messageCount` is the number of messages that the service reports, which can be more than are loaded. It is
 * undefined while more messages are about to be read; the summary then has no numbers.
 */
export function describeFilter(
  filter: ConversationFilter,
  shown: ShownConversation,
  messageCount: number | undefined,
  t: Translate,
): PageFilter {
  const { shownCount, totalCount } = shown;
  const { detailLevel } = filter;
  const isDefault = detailLevel === defaultFilter.detailLevel;
  if (shownCount === totalCount || (isDefault && shownCount > 0)) return { detailLevel };
  if (messageCount === undefined) return { detailLevel, summary: detailLevelLabel(detailLevel, t) };
  return { detailLevel, summary: filterSummary(filter, shownCount, Math.max(totalCount, messageCount), t) };
}

/** Describes a filter by its detail level and the number of messages that it shows. */
export function filterSummary({ detailLevel }: ConversationFilter, shown: number, total: number, t: Translate): string {
  return t('{0}: {1} of {2} messages', detailLevelLabel(detailLevel, t), shown, total);
}

/**
 * What a row shows because of its place: the day separator, divider, actions, and branch, and the duration and changes
 * of the turn that ends with it. Undefined if it has none of them.
 */
export function describeRowPlace(row: ConversationRow, t: Translate): PagePlace | undefined {
  const { startsDay, newSince, branch, isAnswer } = row;
  const took = row.tookMs === undefined ? undefined : describeTurnTime(row.tookMs, t);
  const changes = row.endedTurn && describeTurnChanges(row.endedTurn.changes, t);
  if (!startsDay && newSince === undefined && took === undefined && !branch && !isAnswer) return undefined;
  const [previousId, nextId] = branch ? [branch.messageIds[branch.index - 1], branch.messageIds[branch.index + 1]] : [];
  return {
    ...(startsDay ? { startsDay } : {}),
    ...defined({ newSince }),
    ...(isAnswer ? { isAnswer } : {}),
    ...defined({ took, changes }),
    ...(branch
      ? {
          branch: {
            label: t('Branch {0} of {1}', branch.index + 1, branch.messageIds.length),
            ...defined({ previousId, nextId }),
          },
        }
      : {}),
  };
}
