import { parser, tokenizer } from '@ansi-tools/parser';

/** A color of a terminal: an index from 0 to 255, of which the first 16 are the theme's, or `#rrggbb`. */
export type TerminalColor = number | string;

/** How a terminal draws text. Concealed text is drawn like other text, so that nothing is hidden. */
export interface TerminalStyle {
  readonly foreground?: TerminalColor | undefined;
  readonly background?: TerminalColor | undefined;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
  readonly isItalic?: boolean;
  readonly isUnderlined?: boolean;
  readonly isStruck?: boolean;
  /** Whether the two colors are exchanged. */
  readonly isInverse?: boolean;
}

/** Text in one style. */
export interface TerminalRun {
  readonly text: string;
  readonly style: TerminalStyle;
}

const plain: TerminalStyle = {};
const codes = /[^\P{Cc}\t\n\r]|\r(?!\n)|\p{Cs}/u;

/** Whether a text has anything that a terminal doesn't draw as it is. */
export function hasTerminalCodes(text: string): boolean {
  return codes.test(text);
}

/**
 * The lines of a terminal's output as a person saw them at the end, one at a time. Text that was overwritten after a
 * carriage return or a backspace is left out, and so are titles, the addresses of links, and sequences that move the
 * cursor to other lines. A NUL and half of a surrogate pair become visible.
 */
export function* terminalLines(output: string): Generator<readonly TerminalRun[]> {
  const line = new Line(Math.max(output.length, 10_000));
  for (const { type, raw, command } of partsOf(output)) {
    const text = type === 'TEXT' ? raw : restOf(raw, type);
    // A sequence that is cut off has no effect.
    if (type === 'CSI' && text === '') {
      if (command === 'm') line.style = styledBy(raw, line.style);
      else if (command === 'K') line.erase(raw);
      else line.move(raw, command);
    }
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) yield line.end();
      line.write(part);
    }
  }
  yield line.end();
}

/** The text of {@link terminalLines}, without spaces at the ends of lines. */
export function plainTerminalText(output: string): string {
  const lines: string[] = [];
  for (const runs of terminalLines(output)) lines.push(textOfRuns(runs).trimEnd());
  return lines.join('\n');
}

/** The text of a line of {@link terminalLines}. */
export function textOfRuns(runs: readonly TerminalRun[]): string {
  return runs.map(({ text }) => text).join('');
}

interface OutputPart {
  readonly type: string;
  readonly raw: string;
  readonly command?: string;
}

function partsOf(output: string): Iterable<OutputPart> {
  return parser(tokenizer(output));
}

/**
 * The end of `raw` that doesn't belong to the sequence, and so must not be hidden; empty if there is none. A sequence
 * ends at the end of its line, or after a BEL, which some programs write instead of the specified end. A sequence that
 * isn't a title or another string also ends before a character that can't be in one. Other control characters in a
 * sequence draw nothing.
 */
function restOf(raw: string, type: string): string {
  const isString = type === 'OSC' || type === 'DCS' || type === 'STRING';
  // oxlint-disable-next-line no-control-regex -- the patterns are meant to match control characters
  const at = raw.search(isString ? /[\n\u0007]/ : /[\n\u0007\u00a0-\uffff]/);
  if (at < 0) return '';
  return raw.slice(raw[at] === '\u0007' ? at + 1 : at);
}

/**
 * A sequence moves the cursor at most to this column or, if that is later, to the end of the text, because the gap is
 * filled with spaces.
 */
const maxColumn = 120;

/** Characters that may not take exactly one column, such as East Asian ones, emoji, and those that combine. */
const uneven =
  /[\t\0\p{M}\p{Cf}\p{Emoji_Presentation}\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\ufe10-\uffef\u{10000}-\u{10ffff}]/u;

/** One line while it is written. */
class Line {
  style: TerminalStyle = plain;
  #characters: string[] = [];
  #styles: TerminalStyle[] = [];
  /** For each character, the number of erasures before it was written. */
  #times: number[] = [];
  /** Erasures of the characters up to a column. Each has a smaller column than the ones before it. */
  #erasures: { readonly column: number; readonly time: number }[] = [];
  #erasureCount = 0;
  #column = 0;
  #isUneven = false;
  #spacesLeft: number;

  /** `maxSpaces` is the maximum number of spaces that fill gaps, in all lines together. */
  constructor(maxSpaces: number) {
    this.#spacesLeft = maxSpaces;
  }

  write(text: string): void {
    for (const character of text) {
      if (character === '\r') this.#column = 0;
      else if (character === '\b') this.#column = Math.max(0, this.#column - 1);
      else {
        this.#isUneven ||= uneven.test(character);
        this.#put(shownCharacter(character));
      }
    }
  }

  /** Erases the line from the cursor on, or up to it, or all of it, depending on the number in the sequence. */
  erase(sequence: string): void {
    const which = Number(/\d/.exec(sequence)?.[0] ?? 0);
    if (which === 0 || (which === 2 && this.#column === 0)) {
      this.#cut(this.#column);
      return;
    }
    const column = which === 2 ? Infinity : this.#column;
    while ((this.#erasures.at(-1)?.column ?? Infinity) <= column && this.#erasures.length > 0) this.#erasures.pop();
    this.#erasureCount += 1;
    this.#erasures.push({ column, time: this.#erasureCount });
  }

  /**
   * Moves the cursor within the line, by the number of columns or to the column in the sequence. In a line with
   * characters that may not take exactly one column, only moves to the start have an effect.
   */
  move(sequence: string, command: string | undefined): void {
    const [, digits] = /^\D{1,2}(\d{0,9})[CDG`]$/.exec(sequence) ?? [];
    if (digits === undefined) return;
    const count = Math.max(1, Number(digits));
    const column = command === 'C' ? this.#column + count : command === 'D' ? this.#column - count : count - 1;
    if (this.#isUneven && (column > 0 || command === 'D')) return;
    this.#column = Math.max(0, Math.min(column, Math.max(maxColumn, this.#characters.length)));
  }

  end(): readonly TerminalRun[] {
    this.#blankErased();
    const runs: { text: string; style: TerminalStyle }[] = [];
    for (const [index, character] of this.#characters.entries()) {
      const style = this.#styles[index] ?? plain;
      const last = runs.at(-1);
      if (last?.style === style) last.text += character;
      else runs.push({ text: character, style });
    }
    this.#cut(0);
    this.#column = 0;
    return runs;
  }

  #put(character: string): void {
    if (character === '') return;
    const gap = Math.max(0, this.#column - this.#characters.length);
    if (gap > this.#spacesLeft) this.#column = this.#characters.length;
    else this.#spacesLeft -= gap;
    while (this.#characters.length < this.#column) this.#set(this.#characters.length, ' ', plain);
    this.#set(this.#column, character, this.style);
    this.#column++;
  }

  #set(at: number, character: string, style: TerminalStyle): void {
    this.#characters[at] = character;
    this.#styles[at] = style;
    this.#times[at] = this.#erasureCount;
  }

  /** Puts spaces in place of the characters that were erased after they had been written. */
  #blankErased(): void {
    let newest = 0;
    let next = 0;
    for (let at = this.#erasures.length === 0 ? -1 : this.#characters.length - 1; at >= 0; at--) {
      while ((this.#erasures[next]?.column ?? -1) >= at) newest = this.#erasures[next++]?.time ?? 0;
      if (newest > (this.#times[at] ?? 0)) this.#set(at, ' ', plain);
    }
  }

  #cut(length: number): void {
    this.#characters.length = Math.min(this.#characters.length, length);
    if (length > 0) return;
    this.#erasures = [];
    this.#erasureCount = 0;
    this.#isUneven = false;
  }
}

/** A character as it is drawn; empty if a terminal draws nothing. */
function shownCharacter(character: string): string {
  if (character === '\0') return '\u2400';
  if (/\p{Cs}/u.test(character)) return '\ufffd';
  return character !== '\t' && /\p{Cc}/u.test(character) ? '' : character;
}

/** The style after a sequence that selects one, such as `ESC [ 1 ; 31 m`. */
function styledBy(sequence: string, before: TerminalStyle): TerminalStyle {
  let style = before;
  const values = sequence.slice(sequence.startsWith('\u009b') ? 1 : 2, -1).split(';');
  for (let index = 0; index < values.length; index++) {
    const [code = 0, ...details] = (values[index] ?? '').split(':').map(Number);
    if (code !== 38 && code !== 48 && code !== 58) {
      style = code === 4 && details[0] === 0 ? { ...style, isUnderlined: false } : changed(style, code);
      continue;
    }
    // Either `38:2::r:g:b` in one parameter, or `38;2;r;g;b` in five.
    const isOne = details.length > 0;
    const rest = isOne ? details : values.slice(index + 1, index + 5).map(Number);
    // The color of an underline isn't drawn.
    if (code !== 58) style = { ...style, [code === 38 ? 'foreground' : 'background']: extendedColor(rest, isOne) };
    if (!isOne) index += rest[0] === 2 ? 4 : 2;
  }
  return style;
}

function extendedColor([kind, ...values]: readonly number[], isOne: boolean): TerminalColor | undefined {
  // Parameters have no sign.
  const isByte = (value: number) => Number.isInteger(value) && value <= 255;
  if (kind === 5) return isByte(values[0] ?? Number.NaN) ? values[0] : undefined;
  const rgb = isOne && values.length > 3 ? values.slice(1, 4) : values.slice(0, 3);
  if (kind !== 2 || rgb.length < 3 || !rgb.every(isByte)) return undefined;
  return `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

const changes: Readonly<Record<number, TerminalStyle>> = {
  1: { isBold: true },
  2: { isDim: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  7: { isInverse: true },
  9: { isStruck: true },
  21: { isUnderlined: true },
  22: { isBold: false, isDim: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  27: { isInverse: false },
  29: { isStruck: false },
  39: { foreground: undefined },
  49: { background: undefined },
};

function changed(style: TerminalStyle, code: number): TerminalStyle {
  if (code === 0) return plain;
  if (code >= 30 && code <= 37) return { ...style, foreground: code - 30 };
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 };
  if (code >= 90 && code <= 97) return { ...style, foreground: code - 82 };
  if (code >= 100 && code <= 107) return { ...style, background: code - 92 };
  return { ...style, ...changes[code] };
}
