import { answerTurn, longTurn, type Script, type Turn } from './script.ts';
import { isQuestion } from './replies.ts';
import { isComputerOnline } from '../demoComputers.ts';
import { seededRandom } from './random.ts';
import type { Message, TokenUsage } from '../resources.ts';
import type { SessionStore } from '../sessionStore.ts';

interface AgentOptions {
  /** The delay in ms between two steps. An answer takes about 20 steps. */
  readonly stepDelayMs: number;
  /** With the same seed, the same messages get the same answers. */
  readonly seed: number;
  /** About one in `failOneIn` answers fails, but never the first one of a session. 0 disables these failures. */
  readonly failOneIn: number;
}

/** The agent's state in one session: queued messages and the running script. */
interface Work {
  readonly sessionId: string;
  readonly waiting: Message[];
  /** Messages for a computer that is turned off. They keep the session `pending`. */
  readonly held: Message[];
  turnsTaken: number;
  script: Script | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * An agent that follows scripts. In each session, it answers one message at a time, in the order in which they were
 * sent. During each answer, the session's status changes from pending to running to idle, or back to pending if more
 * messages are queued.
 */
export class ScriptedAgent {
  readonly #store: SessionStore;
  readonly #options: AgentOptions;
  readonly #workBySessionId = new Map<string, Work>();
  #disposed = false;

  constructor(store: SessionStore, options: AgentOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Queues a user message. If its computer is turned off, it stays queued, and the session stays pending. */
  submit(sessionId: string, message: Message, computerId: string | undefined): void {
    const work = this.#work(sessionId);
    if (!work.script) this.#store.setStatus(sessionId, 'pending');
    if (!isComputerOnline(computerId)) {
      work.held.push(message);
      return;
    }
    work.waiting.push(message);
    if (!work.timer) this.#schedule(work, 2);
  }

  /** Continues a session that is already running, with a long task. */
  resume(sessionId: string, message: Message): void {
    const work = this.#work(sessionId);
    work.script = longTurn(this.#turn(work, message));
    this.#schedule(work, 1);
  }

  dispose(): void {
    this.#disposed = true;
    for (const work of this.#workBySessionId.values()) clearTimeout(work.timer);
    this.#workBySessionId.clear();
  }

  #work(sessionId: string): Work {
    const known = this.#workBySessionId.get(sessionId);
    if (known) return known;
    const work: Work = { sessionId, waiting: [], held: [], turnsTaken: 0, script: undefined, timer: undefined };
    this.#workBySessionId.set(sessionId, work);
    return work;
  }

  #schedule(work: Work, steps: number): void {
    if (this.#disposed) return;
    const delayMs = steps * this.#options.stepDelayMs;
    work.timer = setTimeout(() => {
      work.timer = undefined;
      if (work.script) this.#store.spend(work.sessionId, {}, delayMs);
      this.#advance(work);
    }, delayMs);
  }

  #advance(work: Work): void {
    if (!work.script) {
      const message = work.waiting.shift();
      if (!message) return;
      work.script = answerTurn(this.#turn(work, message));
      this.#store.setStatus(work.sessionId, 'running');
    }
    const step = work.script.next();
    if (!step.done) this.#schedule(work, step.value);
    else this.#finishTurn(work);
  }

  #finishTurn(work: Work): void {
    work.script = undefined;
    const hasNext = work.waiting.length > 0;
    this.#store.setStatus(work.sessionId, hasNext || work.held.length > 0 ? 'pending' : 'idle');
    if (hasNext) this.#schedule(work, 1);
  }

  #turn(work: Work, message: Message): Turn {
    const { sessionId } = work;
    const { seed, failOneIn } = this.#options;
    const turnNumber = work.turnsTaken++;
    const random = seededRandom(seed, `${sessionId} ${turnNumber}`);
    const failsBySeed = random() < (failOneIn > 0 ? 1 / failOneIn : 0) && turnNumber > 0;
    const before = this.#store.messages(sessionId).findLast(({ role }) => role === 'assistant');
    return {
      message,
      isFirst: turnNumber === 0,
      asked: before !== undefined && isQuestion(before),
      random,
      fails: failsBySeed || asksToFail(message),
      nextToolUseId: () =>
        `toolu_${Math.floor(random() * 2 ** 40)
          .toString(36)
          .padStart(8, '0')}`,
      append: (draft) => this.#store.append(sessionId, draft).id,
      revise: (messageId, change) => this.#store.revise(sessionId, messageId, change),
      spend: (tokens: Partial<TokenUsage>) => this.#store.spend(sessionId, tokens, 0),
    };
  }
}

function asksToFail(message: Message): boolean {
  return message.content.some((block) => block.type === 'text' && /\bfail\b/i.test(block.text));
}
