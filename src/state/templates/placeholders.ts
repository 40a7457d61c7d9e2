const placeholderNames = ['sessionId', 'messageId', 'computerId'] as const;
export type PlaceholderName = (typeof placeholderNames)[number];

/**
 * The IDs that replace the placeholders `${sessionId}`, `${messageId}`, and `${computerId}`. Unknown IDs are absent.
 */
export type TemplateIds = Readonly<Partial<Record<PlaceholderName, string>>>;

/** The reason why a template is invalid, or can't be filled in with the given IDs. */
export type TemplateFailure =
  | { readonly kind: 'notAUrl' | 'scheme' | 'credentials' | 'placeholderInHost' }
  | { readonly kind: 'noProgram' | 'placeholderInProgram' | 'relativeProgram' | 'controlCharacter' }
  /** `text` is the unknown placeholder as written in the template. */
  | { readonly kind: 'unknownPlaceholder'; readonly text: string }
  | { readonly kind: 'missingId' | 'unsafeId'; readonly name: PlaceholderName };

const placeholder = /\$\{([^}]*)\}/g;

/** The placeholders in a text, without `${` and `}`; they may be unknown. */
function placeholdersIn(text: string): string[] {
  return [...text.matchAll(placeholder)].map(([, name = '']) => name);
}

/** Whether a text contains a placeholder, known or not. */
export function hasPlaceholder(text: string): boolean {
  return placeholdersIn(text).length > 0;
}

/** A failure that names the first unknown placeholder in a text; undefined if there is none. */
export function unknownPlaceholderIn(text: string): TemplateFailure | undefined {
  const unknown = placeholdersIn(text).find((name) => !placeholderNames.some((known) => known === name));
  return unknown === undefined ? undefined : { kind: 'unknownPlaceholder', text: `\${${unknown}}` };
}

/**
 * The maximum length of an ID in characters, the same as in links to sessions. The specification doesn't define one.
 */
const longestId = 1_000;

/**
 * Checks the IDs of the known placeholders in a text. Returns a failure for the first one that is missing, too long, or
 * doesn't match `safe`; undefined if there is none.
 */
export function failureOfIds(text: string, ids: TemplateIds, safe: RegExp): TemplateFailure | undefined {
  const needed = new Set(placeholdersIn(text));
  for (const name of placeholderNames.filter((known) => needed.has(known))) {
    const id = ids[name];
    if (id === undefined || id === '') return { kind: 'missingId', name };
    if (id.length > longestId || !safe.test(id)) return { kind: 'unsafeId', name };
  }
  return undefined;
}

/**
 * Replaces each placeholder with its ID, encoded by `encode`. A placeholder without a known ID is replaced with
 * nothing.
 */
export function replacePlaceholders(text: string, ids: TemplateIds, encode: (id: string) => string): string {
  const known = new Map<string, string | undefined>(Object.entries(ids));
  return text.replace(placeholder, (_, name: string) => encode(known.get(name) ?? ''));
}
