import { Pace, type PausableWork } from '../../shared/slices.ts';

/**
 * The minimum number of characters in a telling text, without white space, or in a telling line. Shorter texts occur in
 * almost any file.
 */
const minTelling = 12;

/** The maximum number of characters of a text or line that are read. */
const maxRead = 2_000;

/** Whether a text is so long that it is unlikely to be in another file by accident. */
export function isTellingText(text: string): boolean {
  return text.trim().slice(0, maxRead).replaceAll(/\s/g, '').length >= minTelling;
}

/** Whether a line has a word and is so long that it is unlikely to be in another file by accident. */
export function isTellingLine(line: string): boolean {
  const own = line.trim().slice(0, maxRead);
  return own.length >= minTelling && /\w{3}/.test(own);
}

/** The number of characters between pauses. */
const pauseLength = 50_000;

/** Finds the passage of a text that corresponds to other lines, by the telling lines that both contain. */
export class Passages {
  readonly #lines: readonly string[];
  /** The index of each telling line; undefined if the line occurs more than once. */
  readonly #places: ReadonlyMap<string, number | undefined>;

  private constructor(lines: readonly string[], places: ReadonlyMap<string, number | undefined>) {
    this.#lines = lines;
    this.#places = places;
  }

  /** Reads the lines of a text. Has pauses. */
  static *of(lines: readonly string[]): PausableWork<Passages> {
    const places = new Map<string, number | undefined>();
    const pace = new Pace(pauseLength);
    for (const [index, line] of lines.entries()) {
      if (pace.isOver(line.length + 1)) yield;
      const own = line.trim();
      if (isTellingLine(own)) places.set(own, places.has(own) ? undefined : index);
    }
    return new Passages(lines, places);
  }

  /**
   * The passage that has the most telling lines in common with `lines`, disregarding lines that the text contains more
   * than once. It begins and ends where these lines would if only lines between the common ones were added or removed.
   * Empty if there is no common line. Has pauses.
   */
  *find(lines: readonly string[]): PausableWork<string> {
    const shared = new Map<number, number>();
    const pace = new Pace(pauseLength);
    for (const [index, line] of lines.entries()) {
      if (pace.isOver(line.length + 1)) yield;
      const place = this.#places.get(line.trim());
      if (place !== undefined) shared.set(place, index);
    }
    const [first, last] = densest(
      [...shared.keys()].toSorted((a, b) => a - b),
      lines.length,
    );
    if (first === undefined || last === undefined) return '';
    const start = Math.max(0, first - (shared.get(first) ?? 0));
    const end = last + lines.length - (shared.get(last) ?? 0);
    return this.#lines.slice(start, end).join('\n');
  }
}

/** The first and the last of the places, given in order, of which most are within `length` lines. */
function densest(places: readonly number[], length: number): readonly (number | undefined)[] {
  let best = { start: 0, end: 0 };
  let start = 0;
  for (const [index, place] of places.entries()) {
    while (place - (places[start] ?? 0) >= length) start += 1;
    if (index + 1 - start > best.end - best.start) best = { start, end: index + 1 };
  }
  return [places[best.start], places[best.end - 1]];
}
