/** What a transcript says about the result of a call: `unknown` if nothing. */
export type KnownOutcome = 'failed' | 'done' | 'unknown';

/** Who wrote a message of the user, as far as a transcript says so. */
export type Author = 'person' | 'tooling' | 'unknown';

/** A session of an agent as the messages of a service, and what else its transcript says about them. */
export interface Transcript {
  readonly agent: string;
  /** Messages in the form of the Sessions API, in order. */
  readonly messages: readonly WireMessage[];
  /** By the ID of the call. */
  readonly outcomes: ReadonlyMap<string, KnownOutcome>;
  /** The messages of the user that the transcript assigns to the tooling; undefined if it doesn't distinguish them. */
  readonly toolingIds: ReadonlySet<string> | undefined;
  /** The messages that the transcript also contains as text that the person typed. */
  readonly typedIds: ReadonlySet<string>;
}

/** A message as a service sends it. */
export interface WireMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'tool';
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly content: readonly unknown[];
}

/** Reads a session in one format. Undefined if the records have another format. */
export type TranscriptFormat = (records: readonly Fields[]) => Transcript | undefined;

/** An object of unknown JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/** Collects the messages of a session. */
export class TranscriptBuilder {
  readonly #messages: WireMessage[] = [];
  readonly #outcomes = new Map<string, KnownOutcome>();
  #toolingIds: Set<string> | undefined;
  readonly #typedIds = new Set<string>();
  #timeMs: number | undefined;
  #author: Author = 'unknown';

  /** Sets what the transcript says about the messages that follow: their time, and who wrote them. */
  begin(time: unknown, author: Author): void {
    const timeMs = Date.parse(textOf(time));
    this.#timeMs = Number.isNaN(timeMs) ? undefined : timeMs;
    this.#author = author;
    this.#toolingIds ??= new Set();
  }

  /** Adds a message. Messages without a time are a minute apart, so that none seem to belong together. */
  add(role: WireMessage['role'], content: readonly unknown[]): void {
    if (content.length === 0) return;
    const place = this.#messages.length + 1;
    const createdAt = this.#timeMs ?? 60_000 * place;
    if (role === 'user' && this.#author === 'tooling') this.#toolingIds?.add(`m${place}`);
    if (role === 'user' && this.#author === 'person') this.#typedIds.add(`m${place}`);
    this.#messages.push({ id: `m${place}`, role, createdAt, updatedAt: createdAt, content });
  }

  text(role: 'user' | 'assistant', text: string): void {
    if (text.trim() !== '') this.add(role, [{ type: 'text', text }]);
  }

  call(id: string, name: string, input: unknown): void {
    this.add('assistant', [{ type: 'tool_use', id, name, input }]);
  }

  /** Adds the result of a call. `isError` is the flag that a service would send. */
  result(id: string, content: unknown, outcome: KnownOutcome, isError = outcome === 'failed'): void {
    this.add('tool', [{ type: 'tool_result', toolUseId: id, isError, content }]);
    this.#outcomes.set(id, outcome);
  }

  /** Notes what an event says about a result. */
  know(id: string, outcome: KnownOutcome): void {
    this.#outcomes.set(id, outcome);
  }

  build(agent: string): Transcript {
    return {
      ...{ agent, messages: this.#messages, outcomes: this.#outcomes },
      ...{ toolingIds: this.#toolingIds, typedIds: this.#typedIds },
    };
  }
}

/** The fields of a value; empty if it isn't an object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A string as it is, and any other value as JSON; empty for undefined and null. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
