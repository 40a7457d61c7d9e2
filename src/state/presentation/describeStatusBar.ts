import { type Connection, serviceOf } from '../store/connection.ts';
import { describeAsOf, describeDelay } from './describeTime.ts';
import { describeFailure } from './describeFailure.ts';
import { describeBadge, describeOwnService, describeService } from './describeTree.ts';
import { isNotFound, isStale, statusIcon, statusLabel } from './describeSession.ts';
import { sessionTitle } from '../store/sessionFacts.ts';
import { needsYou, unsentCount } from '../sessions/attention.ts';
import { isWorking, type SessionRecord } from '../store/sessionRecord.ts';
import { type Translate, isolatedLine } from '../../shared/text.ts';

/** The contents of the status bar item. `text` can contain `$(icon)` references, but never text from the service. */
interface StatusBarDescription {
  readonly text: string;
  readonly tooltip: string;
  readonly spoken: string;
  /** Draws the item in the theme's color for errors or warnings. */
  readonly severity?: 'error' | 'warning';
  /** What a click does, as a command of this extension. */
  readonly command: 'pickSession' | 'setApiKey' | 'retry' | 'nextNeedsMe';
  /** The origin of the service that `setApiKey` is for, if there are several; otherwise absent. */
  readonly service?: string;
}

/**
 * Describes the status bar item; undefined hides it. `current` is the current session of this window, and `records`
 * contains all sessions in the list. `others` are the connections to services other than the current one. `now` is in
 * Unix ms.
 */
export function describeStatusBar(
  connection: Connection,
  current: SessionRecord | undefined,
  records: readonly SessionRecord[],
  now: number,
  t: Translate,
  others: readonly Connection[] = [],
): StatusBarDescription | undefined {
  const connections = [connection, ...others];
  const described = describeSessions(connections, current, records, now, t);
  const service = describeService(connection);
  if (!described || service === '') return described;
  const line = others.length > 0 ? t('Current service: {0}', service) : t('Service: {0}', service);
  return { ...described, tooltip: `${described.tooltip}\n${line}` };
}

function describeSessions(
  connections: readonly Connection[],
  current: SessionRecord | undefined,
  records: readonly SessionRecord[],
  now: number,
  t: Translate,
): StatusBarDescription | undefined {
  const locked =
    connections.find(({ kind }) => kind === 'keyRejected') ?? connections.find(({ kind }) => kind === 'noKey');
  const isIdle = ({ kind }: Connection) => kind === 'starting' || kind === 'noService';
  if (connections.every(isIdle) || (records.length === 0 && !locked)) return undefined;
  // Without a key for the only service, it isn't known what the agents are doing.
  const running = locked && connections.length === 1 ? 0 : records.filter(isWorkingNow).length;
  const needing = records.filter(needsYou).length;
  const unsent = records.some((record) => unsentCount(record) > 0);
  const summary = describeBadge(records, t).tooltip;
  const isShown = current && ((current.asOf !== undefined && !current.isRemembered) || current.failure);
  const state = isShown
    ? describeCurrent(connectionOf(connections, current), current, now, t)
    : {
        icon: 'comment-discussion',
        word: t('Sessions'),
        isQuiet: true,
        tooltip: t('Show sessions'),
        command: 'pickSession' as const,
      };
  const lines = [state.tooltip, describeRunning(running, t), summary].filter((sentence) => sentence !== '');
  const tooltip = lines.join('\n');
  // The number of running sessions includes the current one, and is shown only if another session is running.
  const isRunning = current !== undefined && isWorkingNow(current);
  const others = countWords(running > (isRunning ? 1 : 0) ? running : 0, needing, t);
  if (locked) return describeLocked(locked, countWords(running, needing, t), [describeRunning(running, t), summary], t);
  const isCounted = isRunning && running > 1;
  const words = isCounted || (state.isQuiet && others.length > 0) ? others : [state.word, ...others];
  const command = needing === 0 ? state.command : 'nextNeedsMe';
  const item = line(unsent ? 'warning' : state.icon, words.join(' · '), tooltip, command);
  return unsent ? { ...item, severity: 'warning' } : item;
}

function connectionOf(connections: readonly Connection[], { listEntry }: SessionRecord): Connection {
  const isOwn = (connection: Connection) => serviceOf(connection)?.origin === listEntry.key.origin;
  return connections.find(isOwn) ?? { kind: 'noService' };
}

/** Describes a service whose key is missing or rejected, with the counts of the sessions of all services, if any. */
function describeLocked(
  connection: Connection,
  counts: readonly string[],
  lines: readonly string[],
  t: Translate,
): StatusBarDescription {
  const service = serviceOf(connection);
  const isRejected = connection.kind === 'keyRejected';
  const name = describeOwnService(connection);
  const failure = isRejected ? t('Your API key was rejected.') : t('Set an API key to see your sessions.');
  const hint = isRejected ? [t('Select to enter a new key')] : [];
  const tooltip = [name === '' ? failure : `${name}: ${failure}`, ...hint, ...lines.filter((text) => text !== '')];
  const words = [isRejected ? t('Key rejected') : t('No API key'), ...counts];
  return {
    ...line('key', words.join(' · '), tooltip.join('\n'), 'setApiKey'),
    ...(isRejected && { severity: 'error' }),
    ...(name !== '' && service && { service: service.origin }),
  };
}

/** The number of sessions of a service, and of those that are running or need the user; empty if there are none. */
export function describeCounts(records: readonly SessionRecord[], t: Translate): string {
  if (records.length === 0) return '';
  const [running, needing] = [records.filter(isWorkingNow).length, records.filter(needsYou).length];
  const count = t({ one: '1 session', other: '{0} sessions' }, records.length);
  return [count, ...countWords(running, needing, t)].join(' · ');
}

function countWords(running: number, needing: number, t: Translate): string[] {
  return [
    ...(running === 0 ? [] : [t({ other: '{0} running' }, running)]),
    ...(needing === 0 ? [] : [t({ one: '1 needs you', other: '{0} need you' }, needing)]),
  ];
}

function describeRunning(count: number, t: Translate): string {
  return count === 0 ? '' : t({ one: '1 session running', other: '{0} sessions running' }, count);
}

/** The state of the current session, or what is shown if there is none. */
interface StateDescription {
  readonly icon: string;
  readonly word: string;
  /** Whether the word is left out if there is something to say about other sessions. */
  readonly isQuiet: boolean;
  readonly tooltip: string;
  readonly command: 'pickSession' | 'retry';
}

function describeCurrent(connection: Connection, record: SessionRecord, now: number, t: Translate): StateDescription {
  const status = record.session?.status ?? 'none';
  const title = isolatedLine(sessionTitle(record), 80);
  if (isStale(record, connection)) {
    const reason = record.failure ? describeFailure(record.failure, t, record.listEntry.computerId) : '';
    const age = record.asOf === undefined ? '' : ` (${describeAsOf(record.asOf, now, t)})`;
    const last = t('Last known: {0}', statusLabel(status, t));
    const state = isNotFound(record)
      ? { icon: 'warning', word: t('Not found'), command: 'pickSession' as const }
      : { icon: 'debug-disconnect', word: t('Disconnected'), command: 'retry' as const };
    return {
      ...state,
      isQuiet: false,
      tooltip: `${title}\n${last}${age}\n${reason}`.trimEnd(),
    };
  }
  const word = statusLabel(status, t);
  const isQuiet = status === 'idle';
  return {
    icon: statusIcon(status),
    word,
    isQuiet,
    tooltip: `${title}\n${word}${describeDelay(record.asOf, now, t)}`,
    command: 'pickSession',
  };
}

function isWorkingNow({ session, isRemembered }: SessionRecord): boolean {
  return !isRemembered && isWorking(session);
}

function line(
  icon: string,
  word: string,
  tooltip: string,
  command: StatusBarDescription['command'],
): StatusBarDescription {
  return { text: `$(${icon}) ${word}`, tooltip, spoken: `Lineside: ${word}`, command };
}
