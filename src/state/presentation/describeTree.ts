import { type Attention, attentionOf, unsentCount } from '../sessions/attention.ts';
import { type Connection, isOffline, isUnreachable, isWithoutSessions, serviceOf } from '../store/connection.ts';
import type { SessionRecord } from '../store/sessionRecord.ts';
import { isFiltering, type SessionSection, type TreeFilter } from '../sessions/sections.ts';
import { type Translate, isolatedLine, plainLine } from '../../shared/text.ts';

/** The label of a section. The age labels match those of VS Code's own sessions view. */
export function sectionLabel(
  { kind, tag, service }: Omit<SessionSection, 'records' | 'sectionId'>,
  t: Translate,
): string {
  switch (kind) {
    case 'needsYou':
      return t('Needs You');
    case 'unread':
      return t('Unread');
    case 'pinned':
      return t('Pinned');
    case 'running':
      return t('Running');
    case 'pending':
      return t('Pending');
    case 'idle':
      return t('Idle');
    case 'unknown':
      return t('Unknown Status');
    case 'none':
      return t('Not Loaded Yet');
    case 'today':
      return t('Today');
    case 'yesterday':
      return t('Yesterday');
    case 'lastWeek':
      return t('Last 7 Days');
    case 'older':
      return t('Older');
    case 'tag':
      return tag ?? '';
    case 'untagged':
      return t('No Tags');
    case 'service':
      return plainLine(service?.name ?? '', 60);
    case 'archived':
      return t('Archived');
  }
}

/**
 * The view's badge: the number of sessions that need attention. The tooltip counts each kind and is empty if there are
 * no such sessions.
 */
export function describeBadge(
  records: readonly SessionRecord[],
  t: Translate,
): { readonly value: number; readonly tooltip: string } {
  const counts = new Map<Attention, number>();
  const countOf = (reason: Attention) => counts.get(reason) ?? 0;
  let [value, unsent] = [0, 0];
  for (const record of records) {
    const reason = attentionOf(record);
    if (reason === undefined) continue;
    value += 1;
    counts.set(reason, countOf(reason) + 1);
    unsent += unsentCount(record);
  }
  const [failed, waiting] = [countOf('failed'), countOf('waiting')];
  const [finished, unread] = [countOf('finished'), countOf('unread')];
  const kinds = [
    unsent > 0 ? t({ one: '1 message not sent', other: '{0} messages not sent' }, unsent) : '',
    failed > 0 ? t({ one: '1 failed', other: '{0} failed' }, failed) : '',
    waiting > 0 ? t({ other: '{0} may be waiting for you' }, waiting) : '',
    finished > 0 ? t({ other: '{0} finished' }, finished) : '',
    unread > 0 ? t({ other: '{0} unread' }, unread) : '',
  ];
  return { value, tooltip: t.formats.list(kinds.filter((kind) => kind !== '')) };
}

/** The maximum number of tags that the summary of a filter names. */
const maxNamedTags = 5;

/** A summary of a filter's result; empty if no filter is active or no session matches. */
export function describeFilter(filter: TreeFilter, shown: number, all: number, t: Translate): string {
  if (!isFiltering(filter) || shown === 0) return '';
  const text = filter.text.trim();
  const hiddenCount = filter.tags.length - maxNamedTags;
  const conditions = [
    ...filter.states.map((kind) => sectionLabel({ kind }, t)),
    ...filter.tags.slice(0, maxNamedTags).map((tag) => isolatedLine(tag, 40)),
    ...(hiddenCount > 0 ? [t('and {0} more', hiddenCount)] : []),
    ...(text === '' ? [] : [t('"{0}"', isolatedLine(text, 60))]),
  ];
  return t('Filtered by {0}: {1}', t.formats.list(conditions), t('{0} of {1}', shown, all));
}

/** The name of a service, on one line; empty if it has none, or if no other service is known. */
export function describeService(connection: Connection): string {
  const name = serviceOf(connection)?.name;
  return name === undefined ? '' : plainLine(name, 40);
}

/**
 * The name of a session's service, for its row and header; empty unless sessions of several services are in the list.
 */
export function describeOwnService(connection: Connection): string {
  const service = serviceOf(connection);
  return service?.isAmongSeveral ? plainLine(service.name ?? service.origin, 20) : '';
}

/**
 * The message above the session list, about all of its sessions; empty if there is nothing to report. `others` are the
 * connections to services other than the current one.
 */
export function describeTree(
  connection: Connection,
  records: readonly SessionRecord[],
  t: Translate,
  others: readonly Connection[] = [],
): string {
  if (records.length === 0) return '';
  // VS Code doesn't show the description of the only view in a container, so the message names the service.
  const service = describeService(connection);
  if (others.length > 0) {
    const all = [connection, ...others].filter(serviceOf);
    if (isWithoutSessions(all, (origin) => recordsOf(origin, records))) return '';
    const failures = all.flatMap((one) => {
      const own = recordsOf(serviceOf(one)?.origin, records);
      const failure = own.length === 0 ? '' : describeConnection(one, own, t);
      return failure === '' ? [] : [`${describeOwnService(one)}: ${failure}`];
    });
    return [...failures, ...(service === '' ? [] : [t('Current service: {0}', service)])].join(' ');
  }
  // If nothing was ever loaded, a welcome view says so. VS Code shows it only if there is no message.
  const failure = isUnreachable(connection, records) ? '' : describeConnection(connection, records, t);
  if (failure !== '' || connection.kind !== 'ready') return failure;
  if (connection.service.isTemporary) {
    return t('Demo mode: a scripted agent runs in this window. Demo sessions are deleted when you close it.');
  }
  return service === '' ? '' : t('Service: {0}', service);
}

/** Why the sessions of a service can be out of date; empty if they aren't. `records` are those of the service. */
function describeConnection(connection: Connection, records: readonly SessionRecord[], t: Translate): string {
  switch (connection.kind) {
    case 'keyRejected':
      return t('Your API key was rejected. Showing the last known state.');
    case 'noKey':
      return t('No API key for this service. Showing the last known state.');
    case 'ready':
      return isOffline(records) ? t("Can't reach the service. Showing the last known state.") : '';
    case 'starting':
    case 'noService':
      return '';
  }
}

function recordsOf(origin: string | undefined, records: readonly SessionRecord[]): readonly SessionRecord[] {
  return records.filter(({ listEntry }) => listEntry.key.origin === origin);
}
