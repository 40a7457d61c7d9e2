import type { Message } from '../../src/api/resources/message.ts';
import type { SessionStatus } from '../../src/api/resources/session.ts';
import { pageOf } from './paging.ts';
import type { ScheduleChecks } from './scheduleChecks.ts';
import type { ParentReply, WindowCall } from './windows/playedApi.ts';

/** The statuses in which a session isn't known to be idle. */
const busyStatuses: readonly SessionStatus[] = ['running', 'pending', 'unknown'];

export interface PlayedServiceOptions {
  readonly checks: ScheduleChecks;
  readonly random: () => number;
  /** The clock of the windows, in Unix ms. */
  readonly now: () => number;
  /** The service's clock minus the clock of the windows, in ms. */
  readonly skewMs: number;
  readonly changeText: (text: string) => string;
}

/** A simulated service that outlives every window. Some calls fail before or after processing. */
export class PlayedService {
  readonly created = new Map<string, Message[]>();
  isWell = false;
  faultCount = 0;
  readonly #options: PlayedServiceOptions;
  #lastCreatedAt = 0;

  constructor(options: PlayedServiceOptions) {
    this.#options = options;
  }

  /** The text and attachment of every message. */
  get contents(): { text: string; file: string }[] {
    return [...this.created.values()].flat().map(({ content }) => {
      const [text, file] = content.map((block) => ('text' in block && block.text ? block.text : ''));
      return { text: text ?? '', file: file ?? '' };
    });
  }

  take(call: WindowCall): ParentReply {
    const { callId } = call;
    if (call.call === 'has') return { callId, has: this.contents.some(({ text }) => text === this.#stored(call.text)) };
    if (call.call === 'status') return this.#status(callId);
    if (call.call === 'add') this.#options.checks.arrived(call.text.trim());
    const chance = this.isWell ? 1 : this.#options.random();
    if (chance < 0.4) this.faultCount++;
    if (chance < 0.08) return { callId, fails: call.call === 'add' ? 'refused' : 'reset' };
    if (chance < 0.14) return { callId, fails: call.call === 'add' ? 'rejected' : 'reset' };
    if (chance < 0.18) return { callId, fails: 'busy' };
    if (chance < 0.26) return { callId, fails: 'reset' };
    if (call.call === 'list') return { callId, page: this.#page(call) };
    const added = this.#create(call.sessionId, [call.text, ...call.files]);
    return chance < 0.4 ? { callId, fails: 'reset' } : { callId, added };
  }

  #status(callId: number): ParentReply {
    const { random, checks } = this.#options;
    const status = this.isWell || random() < 0.3 ? 'idle' : busyStatuses[Math.floor(random() * 3)];
    if (status === 'idle') checks.sawIdle();
    return { callId, status: status ?? 'unknown' };
  }

  /** A page of the messages of a session, newest first. */
  #page(call: Extract<WindowCall, { call: 'list' }>) {
    const { items, ...rest } = pageOf((this.created.get(call.sessionId) ?? []).toReversed(), call);
    const serverTimeMs = Math.floor(this.#now() / 1000) * 1000;
    return { messages: items, listed: items, skippedCount: 0, ...rest, serverTimeMs };
  }

  #create(sessionId: string, texts: readonly string[]) {
    const createdAt = Math.max(this.#lastCreatedAt + 1, this.#now());
    this.#lastCreatedAt = createdAt;
    const content = texts.map((text) => ({ type: 'text', text: this.#stored(text) }) as const);
    const message: Message = { id: `m${createdAt}`, role: 'user', createdAt, updatedAt: createdAt, content };
    this.created.set(sessionId, [...(this.created.get(sessionId) ?? []), message]);
    return { messageId: message.id, status: 'running' } as const;
  }

  #stored(text: string): string {
    return this.#options.changeText(text);
  }

  #now(): number {
    return this.#options.now() + this.#options.skewMs;
  }
}
