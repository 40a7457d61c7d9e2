import { type PausableWork, withoutPause } from './slices.ts';
import { startOfText } from './text/cutPoint.ts';

/** The maximum nesting depth of parsed JSON. Whatever is deeper is replaced by the start of its JSON text (R41). */
export const maxJsonDepth = 200;
/** The maximum length of the texts that replace deeper values, all together, in UTF-16 code units without ellipses. */
export const maxDeepTextLength = 20_000;

/**
 * Parses JSON text or UTF-8 bytes. Arrays and objects below a depth of 200 are replaced by the start of their JSON
 * text, up to 20,000 code units for all of them, so that nothing that walks the value can overflow the stack. Returns
 * undefined if the input is not valid JSON or not valid UTF-8; never throws, because the error's message would quote
 * the input.
 */
export function parseJson(input: string | Uint8Array): unknown {
  try {
    const text = typeof input === 'string' ? input : new TextDecoder('utf-8', { fatal: true }).decode(input);
    const value: unknown = JSON.parse(text);
    if (isTooDeep(text)) withoutPause(cutDeepJson(value));
    return value;
  } catch {
    return undefined;
  }
}

/** Whether arrays and objects in JSON text are nested too deeply. Reading the text is faster than walking the value. */
function isTooDeep(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === 0x22) at = endOfJsonString(json, at);
    else if (code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x5d || code === 0x7d) depth -= 1;
    if (depth > maxJsonDepth) return true;
  }
  return false;
}

/**
 * The index of the quote that ends the string that begins at `start`.
 * @throws SyntaxError if there is none.
 */
function endOfJsonString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json.charCodeAt(before) === 0x5c) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  throw new SyntaxError();
}

/** The number of members after which the work pauses. */
const membersPerStep = 20_000;

/**
 * Replaces every array and object below {@link maxJsonDepth} with the start of its JSON text, in place. Has pauses for
 * `inSlices`.
 */
export function* cutDeepJson(root: unknown): PausableWork<void> {
  let level = isContainer(root) ? [root] : [];
  let textLeft = maxDeepTextLength;
  let count = 0;
  for (let depth = 1; level.length > 0; depth += 1) {
    const next: object[] = [];
    for (const container of level) {
      for (const [name, child] of membersOf(container)) {
        count += 1;
        if (count % membersPerStep === 0) yield;
        if (!isContainer(child)) continue;
        if (depth < maxJsonDepth) next.push(child);
        else {
          const value = startOfJson(child, textLeft);
          textLeft = Math.max(0, textLeft - value.length);
          Object.defineProperty(container, name, { value });
        }
      }
    }
    level = next;
  }
}

function membersOf(container: object): Iterable<readonly [PropertyKey, unknown]> {
  return Array.isArray(container) ? container.entries() : Object.entries(container);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The JSON text, on one line, of a value of any depth; truncated to `maxLength` code units and an ellipsis. */
export function startOfJson(value: unknown, maxLength: number): string {
  let text = '';
  /** The parts that are left to write, in reverse order: literal text, or values in wrapper objects. */
  const rest: (string | { readonly value: unknown })[] = [{ value }];
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (text.length >= maxLength) return `${startOfText(text, maxLength)}…`;
    if (typeof part === 'string') text += part;
    else if (typeof part.value === 'string')
      text += JSON.stringify(startOfText(part.value, maxLength - text.length + 2));
    else if (!isContainer(part.value)) text += JSON.stringify(part.value);
    else for (const inner of partsOf(part.value, maxLength - text.length).reverse()) rest.push(inner);
  }
  return text.length > maxLength ? `${startOfText(text, maxLength)}…` : text;
}

/** The parts of an array or object, as far as they can fit into `maxLength` code units. */
function partsOf(container: object, maxLength: number): (string | { readonly value: unknown })[] {
  const isArray = Array.isArray(container);
  const entries = Array.isArray(container)
    ? Object.entries(container.slice(0, maxLength))
    : Object.entries(container).slice(0, maxLength);
  const inner = entries.flatMap(([name, value], index): (string | { readonly value: unknown })[] => [
    `${index === 0 ? '' : ','}${isArray ? '' : `${JSON.stringify(name)}:`}`,
    { value },
  ]);
  return isArray ? ['[', ...inner, ']'] : ['{', ...inner, '}'];
}

/** JSON that is nested deeper than this is printed on one line. */
const maxIndentedDepth = 20;
/** JSON with more code units than this on one line isn't indented. */
export const maxIndentedLength = 100_000;

/** Prints a parsed value as JSON: indented only if it is small, because indentation can multiply the length (R41). */
export function printJson(value: unknown): string {
  const line = JSON.stringify(value ?? null);
  const isSmall = line.length <= maxIndentedLength && !isDeeperThan(value, maxIndentedDepth);
  return isSmall ? JSON.stringify(value ?? null, undefined, 2) : line;
}

/**
 * Prints a parsed value like {@link printJson} if it has at most `maxLength` code units on one line; indentation can
 * make the result longer. Otherwise, prints the first `maxLength` code units of that line and an ellipsis. The work is
 * bounded by `maxLength` and the number of members of an object.
 */
export function printJsonStart(value: unknown, maxLength: number): string {
  const start = startOfJson(value ?? null, maxLength);
  // JSON itself can't end with an ellipsis.
  return start.endsWith('…') ? start : printJson(value);
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (!isContainer(value)) return false;
  return depth === 0 || Object.values(value).some((child) => isDeeperThan(child, depth - 1));
}
