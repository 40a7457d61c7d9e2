import { parseJson } from '../../shared/json.ts';

/**
 * The value of the first string field with this name in the text of a damaged JSON file; undefined if there is none.
 * The value may be cut off.
 */
export function rescueString(content: string, field: string): string | undefined {
  const raw = new RegExp(`"${field}":"([^"\\\\]*(?:\\\\.[^"\\\\]*)*)`, 's').exec(content)?.[1];
  if (raw === undefined) return undefined;
  const text = raw.replace(/\\u[0-9a-f]{0,3}$/i, '');
  const parsed = parseJson(`"${text}"`);
  return typeof parsed === 'string' ? parsed : text;
}

/** Like {@link rescueString}, for a field with a whole number. */
export function rescueNumber(content: string, field: string): number | undefined {
  const digits = new RegExp(`"${field}":(\\d+)`).exec(content)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
