import { cutDeepJson, maxDeepTextLength, maxIndentedLength, maxJsonDepth, parseJson, printJson } from './json.ts';
import { isSpace, JsonBytes } from './text/jsonBytes.ts';
import { Pace, type PausableWork } from './slices.ts';
import { cutPoint } from './text/cutPoint.ts';

/** Text with at most this number of bytes is parsed in one step. */
const shortLength = 64_000;
/** Longer arrays and objects are cut to this many members, to save time. The last one says how many are left out. */
const maxItems = 500_000;
const maxFields = 10_000;
/** The approximate length of the pieces of a long text that are parsed (bytes) or printed (characters) in one step. */
const pieceLength = 16_000;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const bracket = 0x5b;
const openings: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closings: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Parses JSON like `parseJson`, with pauses for `inSlices`. Reads at most about 64,000 bytes between two pauses. Parses
 * pieces of about 16,000 bytes, or one name or number of any length, in one step. An array or object longer than a
 * piece and below a depth of 200 is replaced by the start of its text, whose syntax isn't checked. A long object keeps
 * 10,000 fields, and a long array 500,000 items; if it has more, the last of these says how many are left out. Parsing
 * the printed result again doesn't change it.
 */
export function* parsedJson(bytes: Uint8Array): PausableWork<unknown> {
  if (bytes.byteLength <= shortLength) return parseJson(bytes);
  try {
    return yield* new LongJson(new JsonBytes(bytes)).read();
  } catch {
    return undefined;
  }
}

/** An array or object whose end hasn't been read yet. */
class Container {
  readonly start: number;
  /** The index of the last comma between its members; -1 if there is none. */
  comma = -1;
  /** The index from which the text isn't in the value yet. */
  from: number;
  /** Whether the last member is in the value, so that only a comma or the end may follow. */
  isMemberEnd = false;
  /** The text before `from` that isn't in the value yet, if long white space follows it. */
  #text = '';
  readonly #json: JsonBytes;
  readonly #items: unknown[] | undefined;
  readonly #fields: Record<string, unknown> = {};
  #count = 0;
  /** The last member for which there is room. A note takes its place if there are more. */
  #last: readonly [name: string, value: unknown] | undefined;

  constructor(json: JsonBytes, start: number) {
    this.#json = json;
    this.start = start;
    this.from = start + 1;
    this.#items = json.bytes[start] === bracket ? [] : undefined;
  }

  /** Returns the value. Must be called once, after the last member. */
  finish(): unknown {
    const others = this.#count - this.#most + 1;
    if (others > 1) this.#keep('…', this.#items ? `… ${others} more items` : `${others} more fields`);
    else if (this.#last) this.#keep(...this.#last);
    return this.#items ?? this.#fields;
  }

  /** Adds the members up to `end`, where a comma or the end of the container is. */
  take(end: number): void {
    const text = this.#textTo(end);
    this.from = end + 1;
    if (this.isMemberEnd) {
      this.isMemberEnd = false;
      if (text !== '') throw new SyntaxError();
    } else if (text !== '') this.#addAll(text);
    // Only a container without members can be blank.
    else if (this.comma >= 0 || this.#json.bytes[end] === comma) throw new SyntaxError();
  }

  /** Adds the members before the last comma, unless they are in the value already. */
  takeToComma(): void {
    if (this.comma >= this.from) this.take(this.comma);
  }

  /** Adds a member that was read on its own, from `start` to `end`. */
  put(value: unknown, start: number, end: number): void {
    this.takeToComma();
    const text = this.#textTo(start);
    if (this.isMemberEnd || (this.#items && text !== '')) throw new SyntaxError();
    if (this.#items) this.#add('', value);
    else for (const name of Object.keys(object(`${text}[]`))) this.#add(name, value);
    this.isMemberEnd = true;
    this.from = end;
  }

  /** Keeps only the first byte of long white space, because reading all of it in one step takes long. */
  shorten(start: number, end: number): void {
    this.takeToComma();
    this.#text = this.#textTo(start + 1);
    this.from = end;
  }

  /** The text up to `end` that isn't in the value yet; empty if it is blank. */
  #textTo(end: number): string {
    const isBlank = this.#json.endOfSpacePiece(this.from, end - this.from) === end;
    const text = this.#text + (isBlank ? '' : this.#json.text(this.from, end));
    this.#text = '';
    return text;
  }

  #addAll(text: string): void {
    if (this.#items) for (const item of array(text)) this.#add('', item);
    else for (const [name, value] of Object.entries(object(text))) this.#add(name, value);
  }

  #add(name: string, value: unknown): void {
    this.#count += 1;
    if (this.#count < this.#most) this.#keep(name, value);
    else if (this.#count === this.#most) this.#last = [name, value];
  }

  #keep(name: string, value: unknown): void {
    if (this.#items) this.#items.push(value);
    else setField(this.#fields, name, value);
  }

  get #most(): number {
    return this.#items ? maxItems : maxFields;
  }
}

/** Reads a long text in one pass. Containers longer than a piece are parsed piece by piece, all others as a whole. */
class LongJson {
  readonly #json: JsonBytes;
  readonly #open: Container[] = [];
  /** The number of open containers, from the outermost one, that are already longer than a piece. */
  #longCount = 0;
  /** The number of open containers below the maximum depth, and where the outermost of them starts. */
  #deepCount = 0;
  #deepStart = 0;
  #deepTextLeft = maxDeepTextLength;
  #isTooDeep = false;

  constructor(json: JsonBytes) {
    this.#json = json;
  }

  *read(): PausableWork<unknown> {
    const { bytes } = this.#json;
    const pace = new Pace(4 * pieceLength);
    const start = yield* this.#json.afterSpace(this.#json.start, pieceLength);
    if (bytes[start] === quote) {
      const { text, end } = yield* this.#readString(start);
      return yield* this.#finish(text, end);
    }
    if (!openings.has(bytes[start] ?? 0)) return parsedAtOnce(this.#json.text(start, bytes.length));
    for (let at = start; at < bytes.length; at += 1) {
      const from = at;
      const code = bytes[at] ?? 0;
      if (isSpace(code)) {
        const end = this.#json.endOfSpacePiece(at, pieceLength);
        at = (end < at + pieceLength ? end : yield* this.#shortenSpace(at)) - 1;
      } else if (code === quote) {
        const end = this.#json.endOfStringPiece(at + 1, pieceLength);
        at = bytes[end] === quote ? end : yield* this.#addLongString(at);
      } else if (openings.has(code)) this.#begin(at);
      else if (code === comma) this.#separate(at);
      else if (closings.has(code)) {
        const root = this.#end(at);
        if (root !== undefined) return yield* this.#finish(root, at);
      }
      this.#findLong(at);
      if (pace.isOver(at - from)) yield;
    }
    throw new SyntaxError();
  }

  #begin(at: number): void {
    if (this.#open.length < maxJsonDepth) this.#open.push(new Container(this.#json, at));
    else {
      if (this.#deepCount === 0) this.#deepStart = at;
      this.#deepCount += 1;
      this.#isTooDeep = true;
    }
  }

  #separate(at: number): void {
    const container = this.#open.at(-1);
    if (!container || this.#deepCount > 0) return;
    const isDue = container.isMemberEnd || at - container.from >= pieceLength;
    if (this.#isLong(container) && isDue) container.take(at);
    container.comma = at;
  }

  /** Ends the innermost container. Returns its value if it is also the outermost one. */
  #end(at: number): unknown {
    if (this.#deepCount > 0) {
      this.#deepCount -= 1;
      if (this.#deepCount === 0 && at - this.#deepStart > pieceLength) this.#putDeep(at + 1);
      return undefined;
    }
    const container = this.#open.at(-1);
    const isLong = container !== undefined && this.#isLong(container);
    if (!container || (!isLong && this.#open.length === 1))
      return container && parsedAtOnce(this.#json.text(container.start, at + 1));
    this.#open.pop();
    if (!isLong) return undefined;
    // The closing brackets follow the opening ones in ASCII, with one character in between.
    if ((this.#json.bytes[container.start] ?? 0) + 2 !== this.#json.bytes[at]) throw new SyntaxError();
    container.take(at);
    this.#longCount -= 1;
    const parent = this.#open.at(-1);
    if (!parent) return container.finish();
    parent.put(container.finish(), container.start, at + 1);
    return undefined;
  }

  #isLong(container: Container): boolean {
    return this.#open[this.#longCount - 1] === container;
  }

  /** Marks the containers that have become longer than a piece. Adds the members before each one to its parent. */
  #findLong(at: number): void {
    for (;;) {
      const container = this.#open[this.#longCount];
      if (!container || at - container.start <= pieceLength) return;
      this.#open[this.#longCount - 1]?.takeToComma();
      this.#longCount += 1;
    }
  }

  /** Adds the start of the text of a long value below the maximum depth. All containers around it are long. */
  #putDeep(end: number): void {
    const start = this.#json.textStart(this.#deepStart, this.#deepTextLeft);
    this.#deepTextLeft -= start.length;
    this.#open.at(-1)?.put(`${start}…`, this.#deepStart, end);
  }

  /** Skips white space that is at least as long as a piece. Returns its end. */
  *#shortenSpace(start: number): PausableWork<number> {
    const end = yield* this.#json.afterSpace(start, pieceLength);
    this.#findLong(end);
    if (this.#deepCount === 0) this.#open.at(-1)?.shorten(start, end);
    return end;
  }

  /** Adds a string longer than a piece, unless it is a name or too deep. Returns the index of its last quote. */
  *#addLongString(start: number): PausableWork<number> {
    const { text, end } = yield* this.#readString(start);
    const next = yield* this.#json.afterSpace(end + 1, pieceLength);
    if (this.#deepCount > 0 || this.#json.bytes[next] === colon) return end;
    this.#findLong(end);
    this.#open.at(-1)?.put(text, start, end + 1);
    return end;
  }

  /** Reads the string that begins at `start`, and finds the index of its last quote. */
  *#readString(start: number): PausableWork<{ readonly text: string; readonly end: number }> {
    let text = '';
    let end = start + 1;
    do {
      const from = end;
      end = this.#json.endOfStringPiece(from, pieceLength);
      if (this.#deepCount === 0) text += String(parsedAtOnce(`"${this.#json.text(from, end)}"`));
      yield;
    } while (this.#json.bytes[end] !== quote);
    return { text, end };
  }

  *#finish(root: unknown, at: number): PausableWork<unknown> {
    const end = yield* this.#json.afterSpace(at + 1, pieceLength);
    if (end < this.#json.bytes.length) throw new SyntaxError();
    if (this.#isTooDeep) yield* cutDeepJson(root);
    return root;
  }
}

function parsedAtOnce(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return value;
}

function array(members: string): readonly unknown[] {
  const value: unknown = JSON.parse(`[${members}]`);
  return Array.isArray(value) ? value : [];
}

function object(members: string): object {
  const value: unknown = JSON.parse(`{${members}}`);
  return typeof value === 'object' && value !== null ? value : {};
}

/** Sets a field. As with `JSON.parse`, `__proto__` becomes an ordinary field and doesn't set the prototype. */
function setField(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') fields[name] = value;
  else Object.defineProperty(fields, name, { value, configurable: true, enumerable: true, writable: true });
}

/**
 * Prints a parsed value like `printJson`, with a pause for `inSlices` about every 16,000 characters. A value with up to
 * 100,000 characters is then printed once more without a pause, because it may be indented.
 */
export function* printedJson(value: unknown): PausableWork<string> {
  const line = yield* jsonLine(value);
  return line.length <= maxIndentedLength ? printJson(value) : line;
}

/** Like `JSON.stringify`, for values without functions and class instances. Pauses about every 16,000 characters. */
export function* jsonLine(value: unknown): PausableWork<string> {
  return (yield* jsonPieces(value)).join('');
}

/** Like {@link jsonLine}, but returns pieces of about 16,000 characters, which never end inside a character. */
export function* jsonPieces(value: unknown): PausableWork<readonly string[]> {
  const printed = new PrintedText();
  const open: OpenContainer[] = [];
  let part: unknown = value ?? null;
  for (;;) {
    const pieces = typeof part === 'string' ? stringPieces(part) : [printedStart(part)];
    for (const piece of pieces) if (printed.add(piece)) yield;
    if (typeof part === 'object' && part !== null) open.push(openContainer(part));
    let next = open.at(-1)?.members.next();
    while (next?.done === true) {
      if (printed.add(open.pop()?.end ?? '')) yield;
      next = open.at(-1)?.members.next();
    }
    if (!next) return printed.finish();
    const [start, member] = next.value;
    part = member;
    if (printed.add(start)) yield;
  }
}

/** A text in pieces, because a string that grows with each part takes long to read and to garbage-collect. */
class PrintedText {
  readonly #pieces: string[] = [];
  readonly #pace = new Pace(pieceLength);
  #parts: string[] = [];

  /** Adds a part. Returns whether it ends a piece, so that a pause is due. */
  add(part: string): boolean {
    this.#parts.push(part);
    if (!this.#pace.isOver(part.length)) return false;
    this.finish();
    return true;
  }

  finish(): readonly string[] {
    this.#pieces.push(this.#parts.join(''));
    this.#parts = [];
    return this.#pieces;
  }
}

/** The opening bracket of a container, or all of another value. */
function printedStart(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[' : '{';
  return JSON.stringify(value ?? null);
}

/** A container that is being printed: the members that aren't printed yet, and its closing bracket. */
interface OpenContainer {
  readonly members: Iterator<readonly [start: string, value: unknown], undefined>;
  readonly end: string;
}

function openContainer(value: object): OpenContainer {
  return Array.isArray(value) ? { members: itemsOf(value), end: ']' } : { members: fieldsOf(value), end: '}' };
}

function* itemsOf(items: readonly unknown[]): Generator<readonly [string, unknown], undefined> {
  for (const [index, item] of items.entries()) yield [index === 0 ? '' : ',', item];
}

function* fieldsOf(fields: object): Generator<readonly [string, unknown], undefined> {
  let separator = '';
  // The list is created in one step, which takes far less time for the names alone than for names and values.
  for (const name of Object.keys(fields)) {
    const value: unknown = Reflect.get(fields, name);
    if (value === undefined) continue;
    yield [`${separator}${JSON.stringify(name)}:`, value];
    separator = ',';
  }
}

/** Prints a string as JSON in pieces. Half of a surrogate pair would become an escape, so pairs aren't cut. */
function* stringPieces(value: string): Generator<string, undefined> {
  if (value.length <= pieceLength) yield JSON.stringify(value);
  else {
    yield '"';
    for (let from = 0; from < value.length;) {
      const end = Math.min(value.length, from + cutPoint(value.slice(from, from + pieceLength), pieceLength));
      yield JSON.stringify(value.slice(from, end)).slice(1, -1);
      from = end;
    }
    yield '"';
  }
}
