import type { Tag } from '../../api/resources/session.ts';
import { plainLine } from '../../shared/text.ts';

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
