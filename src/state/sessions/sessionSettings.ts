import type { SessionSettings, SessionSettingsPatch, Tag } from '../../api/resources/session.ts';
import { parseJson, startOfJson } from '../../shared/json.ts';
import { plainLine } from '../../shared/text.ts';

/** A setting that PATCH accepts (spec 4.2). */
export type SettingName = keyof SessionSettingsPatch;

/** The settings that the user can change, in the order in which they are shown. */
export const editableSettings = [
  'model',
  'specModeModel',
  'compactionModel',
  'compactionThresholdCheckEnabled',
  'runInWorktree',
  'enabledToolIds',
  'disabledToolIds',
  'tags',
  'archivedAt',
] as const satisfies readonly SettingName[];

/**
 * Settings that the service changes on its own. They are shown read-only, and a different value doesn't count as a side
 * effect of a change.
 */
export const managedSettings = [
  'providerLockTimestamp',
  'assistantActiveTimeMs',
  'childInclusiveTokenUsageBySessionId',
] as const satisfies readonly SettingName[];

/** The settings that PATCH accepts. */
export const settingNames = [...editableSettings, ...managedSettings] as const;

const movingNames: ReadonlySet<SettingName> = new Set(managedSettings);

/** The outcome of a settings change, including its side effects. */
export interface SettingsComparison {
  /** The user's change. */
  readonly change: SessionSettingsPatch;
  readonly before: SessionSettings;
  readonly after: SessionSettings;
  /** Changed settings for which the service returned a different value. */
  readonly differing: readonly SettingName[];
  /** Settings that weren't part of the change but were lost or changed, with their previous values. */
  readonly lost: SessionSettingsPatch;
}

/** Compares the settings before and after a change to some of them. */
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

/** Returns the settings in `names` that have a value. */
export function pickSettings(settings: SessionSettings, names: readonly SettingName[]): SessionSettingsPatch {
  return Object.fromEntries(
    names.flatMap((name) => (settings[name] === undefined ? [] : [[name, settings[name]] as const])),
  );
}

/** The names of the changed settings, in display order. */
export function namesOf(change: SessionSettingsPatch): SettingName[] {
  return settingNames.filter((name) => change[name] !== undefined);
}

/** Whether a setting has no value: it is absent, an empty string, or an empty list or object. */
export function isUnset(value: SessionSettings[SettingName]): boolean {
  if (value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function isLost(name: SettingName, before: SessionSettings, after: SessionSettings): boolean {
  if (isUnset(before[name])) return false;
  if (isUnset(after[name])) return true;
  return !movingNames.has(name) && !sameSetting(name, before[name], after[name]);
}

/**
 * Whether two values are equivalent. Ignores the order of lists and the notation of unset values and of `archivedAt`.
 */
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

/** Returns a string that is equal for equivalent values, regardless of the order of fields and items. */
function canonical(value: unknown): string {
  if (value === undefined || value === '') return '""';
  if (Array.isArray(value)) return value.length === 0 ? '""' : `[${value.map(canonical).sort().join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.sort().join()}}`;
}

/** An edit of a session's tags. It refers to tags by name, so that it can be applied to the latest tags. */
export type TagEdit =
  | { readonly kind: 'add'; readonly tag: Tag }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'rename'; readonly name: string; readonly to: string }
  | { readonly kind: 'describe'; readonly name: string; readonly metadata: Readonly<Record<string, unknown>> };

/**
 * Applies an edit. Returns undefined if the tag to edit doesn't exist, if the new tag or name already does, or if the
 * name stays the same. All other tags and all other fields of the edited tag stay unchanged.
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

/** The tags of several lists, sorted by name. If several tags have the same name, only the first is included. */
export function knownTags(lists: Iterable<readonly Tag[]>): Tag[] {
  const byName = new Map<string, Tag>();
  for (const tags of lists) for (const tag of tags) if (!byName.has(tag.name)) byName.set(tag.name, tag);
  return [...byName.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/**
 * Parses tag metadata entered by the user: a JSON object, or an empty string for no metadata. Returns undefined if
 * invalid.
 */
export function readMetadata(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/** Whether `text` is a color in the format `#rgb` or `#rrggbb`. */
export function isTagColor(text: string): boolean {
  return /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text);
}

/** The color in a tag's metadata; undefined if it is missing or not `#rgb` or `#rrggbb`. */
export function tagColor(tag: Tag): string | undefined {
  const { metadata } = tag;
  if (typeof metadata !== 'object' || metadata === null || !('color' in metadata)) return undefined;
  const { color } = metadata;
  return typeof color === 'string' && isTagColor(color) ? color : undefined;
}

const maxMetadataLength = 160;
/** The number of characters of metadata that are read: more than are shown, because white space is collapsed. */
const maxReadMetadata = 4 * maxMetadataLength;

/** A tag's metadata on one line; empty if it has none. */
export function tagMetadata(tag: Tag): string {
  if (tag.metadata === undefined) return '';
  return plainLine(startOfJson(tag.metadata, maxReadMetadata), maxMetadataLength);
}
