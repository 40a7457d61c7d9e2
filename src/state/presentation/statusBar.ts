import type { Connection } from '../store/connection.ts';
import { describeAsOf } from './time.ts';
import { describeFailure } from './failure.ts';
import { describeBadge, describeService } from './tree.ts';
import { isNotFound, isStale, sessionTitle, statusLabel } from './session.ts';
import { isWorking, type SessionRecord } from '../store/sessionRecord.ts';
import { type Translate, isolatedLine } from '../../shared/text.ts';

/** The contents of the status bar item. `text` can contain `$(icon)` references, but never text from the service. */
interface StatusBarDescription {
  readonly text: string;
  readonly tooltip: string;
  readonly spoken: string;
  readonly isError: boolean;
}

/**
 * Describes the status bar item; undefined hides it. `current` is the conversation last focused in this window, and
 * `records` contains all sessions in the list.
 */
export function describeStatusBar(
  connection: Connection,
  current: SessionRecord | undefined,
  records: readonly SessionRecord[],
  now: number,
  t: Translate,
): StatusBarDescription | undefined {
  const described = describeSessions(connection, current, records, now, t);
  const service = describeService(connection);
  if (!described || service === '') return described;
  return { ...described, tooltip: `${described.tooltip}\n${t('Service: {0}', service)}` };
}

function describeSessions(
  connection: Connection,
  current: SessionRecord | undefined,
  records: readonly SessionRecord[],
  now: number,
  t: Translate,
): StatusBarDescription | undefined {
  if (connection.kind === 'starting' || connection.kind === 'noService') return undefined;
  if (connection.kind === 'keyRefused') {
    const tooltip = `${t('Your API key was rejected.')}\n${t('Show sessions')}`;
    return line('key', t('Key rejected'), tooltip, true);
  }
  if (connection.kind === 'noKey')
    return line('key', t('No API key'), t('Set an API key to see your sessions.'), false);
  if (records.length === 0) return undefined;
  const running = records.filter((record) => isWorkingNow(record) && record !== current).length;
  const others = running === 0 ? '' : ` +${running}`;
  const attention = describeBadge(records, t).tooltip;
  const othersLine = [othersRunning(running, t), attention]
    .filter((sentence) => sentence !== '')
    .map((sentence) => `\n${sentence}`)
    .join('');
  if (!current || ((current.asOf === undefined || current.isRemembered) && !current.failure)) {
    return line('comment-discussion', `${t('Sessions')}${others}`, `${t('Show sessions')}${othersLine}`, false);
  }
  const described = describeCurrent(connection, current, now, t);
  return line(described.icon, `${described.word}${others}`, `${described.tooltip}${othersLine}`, false);
}

function othersRunning(count: number, t: Translate): string {
  if (count === 0) return '';
  return count === 1 ? t('1 other session running') : t('{0} other sessions running', count);
}

function describeCurrent(connection: Connection, record: SessionRecord, now: number, t: Translate) {
  const status = record.session?.status ?? 'none';
  const title = isolatedLine(sessionTitle(record), 80);
  const age = record.asOf === undefined ? '' : ` (${describeAsOf(record.asOf, now, t)})`;
  if (isStale(record, connection)) {
    const reason = record.failure ? describeFailure(record.failure, t, record.listEntry.computerId) : '';
    const last = t('Last known: {0}', statusLabel(status, t));
    const state = isNotFound(record)
      ? { icon: 'warning', word: t('Not found') }
      : { icon: 'debug-disconnect', word: t('Disconnected') };
    return {
      ...state,
      tooltip: `${title}\n${last}${age}\n${reason}`.trimEnd(),
    };
  }
  const icons = {
    idle: 'comment-discussion',
    pending: 'clockface',
    running: 'sync~spin',
    unknown: 'question',
    none: 'circle-outline',
  };
  return { icon: icons[status], word: statusLabel(status, t), tooltip: `${title}\n${statusLabel(status, t)}${age}` };
}

function isWorkingNow({ session, isRemembered }: SessionRecord): boolean {
  return !isRemembered && isWorking(session);
}

function line(icon: string, word: string, tooltip: string, isError: boolean): StatusBarDescription {
  return { text: `$(${icon}) ${word}`, tooltip, spoken: `Lineside: ${word}`, isError };
}
