import type { PagePlace, PageReading, PageRow } from '../../shared/protocol/pageModel.ts';
import type { PageLens } from '../../shared/protocol/readingProtocol.ts';
import type { ConversationRow, ShownConversation } from '../conversation/rows.ts';
import { describeDuration } from './time.ts';
import type { ConversationFilter } from '../conversation/filter.ts';
import type { ToolGroup } from '../conversation/toolGroups.ts';
import { type Translate, wholeNumber } from '../../shared/text.ts';

/** How a lens is called. */
export function detailLevelLabel(lens: PageLens, t: Translate): string {
  switch (lens) {
    case 'answers':
      return t('Answers Only');
    case 'work':
      return t('Answers and Tool Calls');
    case 'everything':
      return t('Everything');
  }
}

/** Which messages are shown, and in a sentence how many are not. */
export function describeReading(filter: ConversationFilter, shown: ShownConversation, t: Translate): PageReading {
  const { shownCount, totalCount } = shown;
  const { lens, hiddenRoles } = filter;
  if (shownCount === totalCount) return { lens, hiddenRoles };
  const [shownWords, totalWords] = [wholeNumber(shownCount), wholeNumber(totalCount)];
  return {
    lens,
    hiddenRoles,
    summary: t('{0}: {1} of {2} messages', detailLevelLabel(lens, t), shownWords, totalWords),
  };
}

/** The row that stands for messages that only use tools. */
export function describeGroup(key: string, group: ToolGroup, t: Translate): PageRow {
  const { messageIds, errorCount, isOpen, createdAt } = group;
  const count = t('{0} tool messages', wholeNumber(messageIds.length));
  const errors = errorCount === 1 ? t('1 error') : t('{0} errors', wholeNumber(errorCount));
  const label = errorCount === 0 ? count : `${count}, ${errors}`;
  return {
    key,
    role: 'tool',
    roleLabel: label,
    createdAt,
    isError: false,
    badges: [],
    blocks: [],
    group: { label, isOpen, hasErrors: errorCount > 0 },
  };
}

/** What a row says of its place in the conversation; undefined where there is nothing to say. */
export function describeRowPlace(row: ConversationRow, t: Translate): PagePlace | undefined {
  const { startsDay, tookMs, branch } = row;
  if (!startsDay && tookMs === undefined && !branch) return undefined;
  const [previousId, nextId] = branch ? [branch.messageIds[branch.index - 1], branch.messageIds[branch.index + 1]] : [];
  return {
    ...(startsDay ? { startsDay } : {}),
    ...(tookMs === undefined
      ? {}
      : { took: { label: describeDuration(tookMs, t), hint: t('Time from the prompt to the end of the turn') } }),
    ...(branch
      ? {
          branch: {
            label: t('Branch {0} of {1}', branch.index + 1, branch.messageIds.length),
            ...(previousId === undefined ? {} : { previousId }),
            ...(nextId === undefined ? {} : { nextId }),
          },
        }
      : {}),
  };
}
