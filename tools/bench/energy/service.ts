import type { SeededSession } from '../../../src/demoService/sessionStore.ts';
import { type SilentService, startSilentService } from '../../../test/fakes/silentService.ts';

const growIntervalMs = 1_000;
const words = 'A line of the answer, as an agent writes it while the person reads. ';

/** The service of the energy benchmark: one session that is read, and others that are only in the list. */
export class EnergyService {
  /** The session whose conversation is open. */
  readonly openId = 'open';
  readonly otherIds: readonly string[];
  readonly service: SilentService;
  #growing: NodeJS.Timeout | undefined;

  constructor(service: SilentService, otherIds: readonly string[]) {
    this.service = service;
    this.otherIds = otherIds;
  }

  /** `sessionCount` includes the open session. */
  static async start(sessionCount: number): Promise<EnergyService> {
    const startAtMs = Date.now() - 3_600_000;
    const otherIds = Array.from({ length: sessionCount - 1 }, (_, place) => `other-${place}`);
    const seeds = ['open', ...otherIds].map((id, place) => seedOf(id, startAtMs + place));
    return new EnergyService(await startSilentService(seeds, 'the-key-of-the-benchmark'), otherIds);
  }

  /**
   * Sets the first `others` of the other sessions and, if `isOpenRunning`, the open one to running, and the rest to
   * idle.
   */
  setRunning(isOpenRunning: boolean, others: number): void {
    const { store } = this.service;
    const running = new Set([...(isOpenRunning ? [this.openId] : []), ...this.otherIds.slice(0, others)]);
    for (const id of [this.openId, ...this.otherIds]) {
      const status = running.has(id) ? 'running' : 'idle';
      if (store.session(id)?.status !== status) store.setStatus(id, status);
    }
  }

  /** Adds an answer to the open session, and lets it grow by one sentence a second until {@link stopGrowing}. */
  startGrowing(): void {
    const { store } = this.service;
    const message = store.append(this.openId, { role: 'assistant', content: [{ type: 'text', text: words }] });
    let text = words;
    this.#growing = setInterval(() => {
      text += words;
      store.revise(this.openId, message.id, { content: [{ type: 'text', text }] });
    }, growIntervalMs);
  }

  stopGrowing(): void {
    clearInterval(this.#growing);
  }

  async dispose(): Promise<void> {
    this.stopGrowing();
    await this.service.dispose();
  }
}

/** A session with 20 prompts, each with an answer. */
function seedOf(sessionId: string, startAtMs: number): SeededSession {
  const messages = Array.from({ length: 40 }, (_, place) => ({
    id: `${sessionId}-${place}`,
    role: place % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: [{ type: 'text' as const, text: `Part ${place}. ${words}` }],
    createdAt: startAtMs + place * 1_000,
    updatedAt: startAtMs + place * 1_000,
  }));
  const updatedAt = startAtMs + 40_000;
  const session = { sessionId, status: 'idle' as const, messageCount: 40, createdAt: startAtMs, updatedAt };
  return { session: { ...session, title: `Session ${sessionId}` }, messages };
}
