import type { SessionSettings, SessionSettingsPatch, Tag } from '../../api/resources/session.ts';
import { plainLine } from '../../shared/text.ts';

/** A setting that PATCH accepts (spec 4.2). */
export type SettingName = keyof SessionSettingsPatch;

/** The settings that PATCH accepts, in the order in which they are shown. */
export const settingNames = [
  'model',
  'specModeModel',
  'compactionModel',
  'compactionThresholdCheckEnabled',
  'runInWorktree',
  'enabledToolIds',
  'disabledToolIds',
  'tags',
  'archivedAt',
  'providerLockTimestamp',
  'assistantActiveTimeMs',
  'childInclusiveTokenUsageBySessionId',
] as const satisfies readonly SettingName[];

/** Those the service changes by itself: another value in an answer says nothing about the change that was made. */
const movingNames: ReadonlySet<SettingName> = new Set([
  'providerLockTimestamp',
  'assistantActiveTimeMs',
  'childInclusiveTokenUsageBySessionId',
]);

/** What became of a change: the settings before and after it, and how they differ beyond what was asked for. */
export interface SettingsComparison {
  /** What the person changed. */
  readonly change: SessionSettingsPatch;
  readonly before: SessionSettings;
  readonly after: SessionSettings;
  /** Changed settings for which the service has another value than the one it was sent. */
  readonly differing: readonly SettingName[];
  /** Settings nobody named that are gone or other than before, with the values they had. */
  readonly lost: SessionSettingsPatch;
}

/** Compares settings before and after a change that named some of them. */
export function compareSettings(
  before: SessionSettings,
  change: SessionSettingsPatch,
  after: SessionSettings,
): SettingsComparison {
  const named = settingNames.filter((name) => change[name] !== undefined);
  const differing = named.filter((name) => !sameSetting(name, change[name], after[name]));
  const lost = settingNames.filter((name) => !named.includes(name) && isLost(name, before, after));
  return { change, before, after, differing, lost: pickSettings(before, lost) };
}

/** The settings of these names, without those that are absent. */
export function pickSettings(settings: SessionSettings, names: readonly SettingName[]): SessionSettingsPatch {
  return Object.fromEntries(
    names.flatMap((name) => (settings[name] === undefined ? [] : [[name, settings[name]] as const])),
  );
}

/** The names of a change in the order in which settings are shown. */
export function namesOf(change: SessionSettingsPatch): SettingName[] {
  return settingNames.filter((name) => change[name] !== undefined);
}

/** Whether a setting stands for nothing: absent, an empty text, an empty list. */
export function isUnset(value: SessionSettings[SettingName]): boolean {
  if (value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function isLost(name: SettingName, before: SessionSettings, after: SessionSettings): boolean {
  if (isUnset(before[name])) return false;
  if (isUnset(after[name])) return true;
  return !movingNames.has(name) && !sameSetting(name, before[name], after[name]);
}

/** Whether two values mean the same: unset in any way, a time written otherwise, a list in another order. */
function sameSetting(
  name: SettingName,
  a: SessionSettings[SettingName] | SessionSettingsPatch[SettingName],
  b: SessionSettings[SettingName],
): boolean {
  if (name === 'archivedAt' && typeof a === 'string' && typeof b === 'string') {
    return a === b || new Date(a).getTime() === new Date(b).getTime();
  }
  return canonical(a) === canonical(b);
}

/** A value as text that is equal exactly where the values are, whatever the order of fields and items. */
function canonical(value: unknown): string {
  if (value === undefined || value === '') return '""';
  if (Array.isArray(value)) return value.length === 0 ? '""' : `[${value.map(canonical).sort().join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.sort().join()}}`;
}

/** One edit of a session's tags. It names tags by their names, so that it fits the tags as they are when it is made. */
export type TagEdit =
  | { readonly kind: 'add'; readonly tag: Tag }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'rename'; readonly name: string; readonly to: string }
  | { readonly kind: 'describe'; readonly name: string; readonly metadata: Readonly<Record<string, unknown>> };

/**
 * The tags after an edit; undefined where it changes nothing. Tags it does not name, and all fields of the one it names
 * but the one edited, stay as they came.
 */
export function editTags(tags: readonly Tag[], edit: TagEdit): readonly Tag[] | undefined {
  const place = tags.findIndex(({ name }) => name === (edit.kind === 'add' ? edit.tag.name : edit.name));
  const found = tags[place];
  if (edit.kind === 'add') return found ? undefined : [...tags, edit.tag];
  if (!found) return undefined;
  switch (edit.kind) {
    case 'remove':
      return tags.toSpliced(place, 1);
    case 'rename':
      return edit.to === edit.name || tags.some(({ name }) => name === edit.to)
        ? undefined
        : tags.with(place, { ...found, name: edit.to });
    case 'describe':
      return tags.with(place, { ...found, metadata: edit.metadata });
  }
}

/** The tags used in several lists, each name once as it was met first, by name. */
export function knownTags(lists: Iterable<readonly Tag[]>): Tag[] {
  const byName = new Map<string, Tag>();
  for (const tags of lists) for (const tag of tags) if (!byName.has(tag.name)) byName.set(tag.name, tag);
  return [...byName.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** Reads metadata as a person typed it: a JSON object, or nothing for an empty one. Undefined where it is neither. */
export function readMetadata(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text is a colour that can be drawn: `#rgb` or `#rrggbb`. */
export function isTagColor(text: string): boolean {
  return /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text);
}

/** The colour a tag carries in its metadata, where it is one that can be drawn: `#rgb` or `#rrggbb`. */
export function tagColor(tag: Tag): string | undefined {
  const { metadata } = tag;
  if (typeof metadata !== 'object' || metadata === null || !('color' in metadata)) return undefined;
  const { color } = metadata;
  return typeof color === 'string' && isTagColor(color) ? color : undefined;
}

/** What a tag carries besides its name, on one line. */
export function tagMetadata(tag: Tag): string {
  if (tag.metadata === undefined) return '';
  return plainLine(JSON.stringify(tag.metadata), 160);
}
