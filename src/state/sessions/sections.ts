import { once } from '../../shared/lazy.ts';
import { plainLine } from '../../shared/text.ts';
import { sessionTitle } from '../store/sessionFacts.ts';
import { ageSection, type DayStarts, dayStarts } from './ages.ts';
import { keyText } from '../store/sessionKey.ts';
import { childSessionIds, isWorking, type SessionRecord } from '../store/sessionRecord.ts';
import type { Store } from '../store/store.ts';
import { attentionOf, attentionRank, needsYou } from './attention.ts';
import { isArchived } from '../store/sessionFacts.ts';

/** The grouping of the sessions in the tree. */
type GroupBy = 'age' | 'status' | 'tag' | 'service';
/** The order within a section. `attention` also creates a section for the unread sessions that don't need the user. */
type SortBy = 'updated' | 'created' | 'name' | 'attention';

/** The filter of the Sessions tree. */
export interface TreeFilter {
  /** The words to search for. A session must contain all of them; empty text matches every session. */
  readonly text: string;
  /** A session must be in one of these states; if there are none, in any. */
  readonly states: readonly FilterState[];
  /** A session must have one of these tags, by their names; if there are none, tags don't matter. */
  readonly tags: readonly string[];
}

/** The states that a filter can select. */
export const filterStates = ['needsYou', 'running', 'unread'] as const;
export type FilterState = (typeof filterStates)[number];

/** The grouping, order, and filter of the Sessions tree. */
export interface TreeOptions {
  readonly groupBy: GroupBy;
  readonly sortBy: SortBy;
  readonly filter: TreeFilter;
}

export const defaultTreeOptions: TreeOptions = {
  groupBy: 'age',
  sortBy: 'updated',
  filter: { text: '', states: [], tags: [] },
};

/** Whether a filter can hide sessions. */
export function isFiltering({ text, states, tags }: TreeFilter): boolean {
  return text.trim() !== '' || states.length > 0 || tags.length > 0;
}

const sectionOrder = [
  'needsYou',
  'unread',
  'pinned',
  'running',
  'pending',
  'idle',
  'unknown',
  'none',
  'today',
  'yesterday',
  'lastWeek',
  'older',
  'tag',
  'untagged',
  'service',
  'archived',
] as const;
type SectionKind = (typeof sectionOrder)[number];

const byWords = once(() => new Intl.Collator());

interface SectionService {
  readonly origin: string;
  readonly name: string;
}

/** The section that a session belongs to. */
interface SectionPlace {
  readonly kind: SectionKind;
  readonly tag?: string;
  readonly service?: SectionService;
}

/** A section of the tree with its sessions in order. */
export interface SessionSection {
  readonly sectionId: string;
  readonly kind: SectionKind;
  /** The tag's name, if the section belongs to a tag. */
  readonly tag?: string;
  /** The service, if the section belongs to one. */
  readonly service?: SectionService;
  readonly records: readonly SessionRecord[];
}

/**
 * Groups sessions into non-empty sections. A session appears once or, when grouped by tag, once for each tag. Sessions
 * that need the user come first, always in the order of {@link byUrgency}. As in VS Code's own sessions view, pinned
 * sessions come before the groups and archived ones after them. `now` is in Unix ms. `serviceNames` are the names of
 * services by origin.
 */
export function sectionsOf(
  records: readonly SessionRecord[],
  groupBy: GroupBy,
  sortBy: SortBy,
  now: number,
  serviceNames: ReadonlyMap<string, string> = new Map(),
): SessionSection[] {
  const sections = new Map<string, SectionPlace & { readonly records: SessionRecord[] }>();
  const days = dayStarts(now);
  for (const record of [...records].sort(comparing(records, sortBy))) {
    for (const place of placesOf(record, groupBy, sortBy, days, serviceNames)) {
      const { kind, tag, service } = place;
      const sectionId = `${kind} ${service ? `${service.origin} ${service.name}` : (tag ?? '')}`;
      const section = sections.get(sectionId) ?? { ...place, records: [] };
      section.records.push(record);
      sections.set(sectionId, section);
    }
  }
  return [...sections]
    .map(([sectionId, section]) => ({
      sectionId,
      ...section,
      ...(section.kind === 'needsYou' && { records: section.records.sort(byUrgency) }),
    }))
    .sort(
      (a, b) =>
        sectionOrder.indexOf(a.kind) - sectionOrder.indexOf(b.kind) ||
        byWords().compare(sectionName(a), sectionName(b)),
    );
}

function sectionName({ tag, service }: SectionPlace): string {
  return service?.name ?? tag ?? '';
}

/**
 * The sessions at the top level. A child session is shown below its parent, unless it is pinned or needs the user, or
 * its parent is gone or no longer lists it.
 */
export function topRecords(store: Pick<Store, 'records' | 'record'>): readonly SessionRecord[] {
  return store.records.filter((record) => {
    const { listEntry } = record;
    if (listEntry.parentId === undefined || listEntry.isPinned || needsYou(record)) return true;
    const parent = store.record({ origin: listEntry.key.origin, sessionId: listEntry.parentId });
    return !parent || !childSessionIds(parent).includes(listEntry.key.sessionId);
  });
}

/**
 * The time of a session's last change or, if it was never loaded, the time when it was added to the list. In Unix ms.
 */
export function lastTouched({ session, listEntry }: SessionRecord): number {
  return session?.updatedAt ?? listEntry.addedAt;
}

/** Returns the sessions sorted by {@link lastTouched}, the most recent first. */
export function recentFirst(records: readonly SessionRecord[]): SessionRecord[] {
  return [...records].sort((a, b) => lastTouched(b) - lastTouched(a));
}

/**
 * The time by which sessions are sorted, in Unix ms: the start of the last turn, so that rows don't move while an agent
 * is working; if that start isn't known, the last change.
 */
function orderTime(record: SessionRecord): number {
  return record.turnStartedAt ?? lastTouched(record);
}

function placesOf(
  record: SessionRecord,
  groupBy: GroupBy,
  sortBy: SortBy,
  days: DayStarts,
  serviceNames: ReadonlyMap<string, string>,
): readonly SectionPlace[] {
  if (needsYou(record)) return [{ kind: 'needsYou' }];
  if (sortBy === 'attention' && attentionOf(record)) return [{ kind: 'unread' }];
  if (isArchived(record)) return [{ kind: 'archived' }];
  if (record.listEntry.isPinned) return [{ kind: 'pinned' }];
  switch (groupBy) {
    case 'age':
      return [{ kind: ageSection(lastTouched(record), days) }];
    case 'status':
      return [{ kind: record.session?.status ?? 'none' }];
    case 'service': {
      const { origin } = record.listEntry.key;
      return [{ kind: 'service', service: { origin, name: serviceNames.get(origin) ?? origin } }];
    }
    case 'tag': {
      const tags = tagNames(record);
      return tags.length === 0 ? [{ kind: 'untagged' }] : tags.map((tag) => ({ kind: 'tag', tag }));
    }
  }
}

/** The distinct names of a session's tags, safe to show on one line. */
function tagNames({ session }: SessionRecord): string[] {
  const names = (session?.sessionSettings?.tags ?? []).map(({ name }) => plainLine(name, 60));
  return [...new Set(names)].filter((name) => name !== '');
}

function comparing(records: readonly SessionRecord[], sortBy: SortBy): (a: SessionRecord, b: SessionRecord) => number {
  switch (sortBy) {
    case 'updated':
      return byTime;
    case 'created':
      return (a, b) => createdAt(b) - createdAt(a) || byTime(a, b);
    case 'name': {
      const titles = new Map(records.map((record) => [record, sessionTitle(record)]));
      return (a, b) => byWords().compare(titles.get(a) ?? '', titles.get(b) ?? '') || byTime(a, b);
    }
    case 'attention':
      return byUrgency;
  }
}

/**
 * Compares sessions by their reason for attention, most urgent first; among equals, running and pending sessions come
 * first, then those whose last turn started last. The order is total, so it doesn't depend on the order of the list.
 */
export function byUrgency(a: SessionRecord, b: SessionRecord): number {
  return (
    attentionRank(a) - attentionRank(b) || Number(isWorking(b.session)) - Number(isWorking(a.session)) || byTime(a, b)
  );
}

function byTime(a: SessionRecord, b: SessionRecord): number {
  return orderTime(b) - orderTime(a) || b.listEntry.addedAt - a.listEntry.addedAt || byKey(a, b);
}

function byKey(a: SessionRecord, b: SessionRecord): number {
  const [textA, textB] = [keyText(a.listEntry.key), keyText(b.listEntry.key)];
  return textA === textB ? 0 : textA < textB ? -1 : 1;
}

function createdAt({ session, listEntry }: SessionRecord): number {
  return session?.createdAt ?? listEntry.addedAt;
}
