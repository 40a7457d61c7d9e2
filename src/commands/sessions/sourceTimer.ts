import { showInfo, showWarning } from '../../host/prompts/notify.ts';
import { settings } from '../../host/settings.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { reasonOf } from '../../shared/log.ts';
import type { CommandContext } from '../context.ts';
import { showCommandError, UserFacingError } from '../commandErrors.ts';
import type { OfferedSessions } from './offeredSessions.ts';
import { type FoundSession, SessionSource } from './sessionSource.ts';

/** The delay of the first run after the start or a change of the setting. */
const firstDelayMs = 30_000;

/**
 * If the user set an interval, runs the command that lists sessions at this interval, in one of the windows. A
 * notification offers new sessions: those that are neither in the list, nor removed from it, nor offered before.
 */
export class SourceTimer implements Disposable {
  readonly #context: CommandContext;
  readonly #offered: OfferedSessions;
  readonly #source: SessionSource;
  readonly #abort = new AbortController();
  readonly #listener: Disposable;
  #timer: NodeJS.Timeout | undefined;
  #hasFailed = false;

  constructor(context: CommandContext, offered: OfferedSessions) {
    this.#context = context;
    this.#offered = offered;
    this.#source = new SessionSource(context);
    this.#listener = settings.sourceMinutes.onDidChange(() => this.#schedule(firstDelayMs));
    this.#schedule(firstDelayMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.#listener.dispose();
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (intervalMs() === 0 || this.#abort.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#tick();
    }, delayMs);
  }

  async #tick(): Promise<void> {
    const interval = intervalMs();
    if (interval === 0) return;
    // All windows count from the same time, so that they claim the same run.
    const now = Date.now();
    const dueAt = now - (now % interval);
    try {
      // A window that may not run the command must not claim the run, because another window may be allowed to run it.
      if (this.#source.mayRun && (await this.#context.sourceRuns.claim(dueAt))) await this.#run();
    } finally {
      // If the setting was changed in the meantime, the next run is already scheduled.
      if (this.#timer === undefined) this.#schedule(dueAt + interval - Date.now());
    }
  }

  /** Never rejects. Of several failures in a row, only the first one is shown. */
  async #run(): Promise<void> {
    try {
      const found = await this.#source.find(this.#abort.signal);
      this.#hasFailed = false;
      if (found) await this.#offer(found);
    } catch (error) {
      this.#context.log.warn(`the command that lists sessions failed: ${reasonOf(error)}`);
      const isShown = this.#hasFailed;
      this.#hasFailed = true;
      if (!isShown && error instanceof UserFacingError) void showWarning(error.shownText);
    }
  }

  async #offer(found: readonly FoundSession[]): Promise<void> {
    const { t } = this.#context;
    const candidates = found.filter(({ state }) => state === 'new');
    const fresh = this.#offered.without(candidates);
    if (fresh.length === 0) return;
    await this.#offered.add(candidates.map(({ key }) => key));
    const message = t(
      { one: 'Your command found 1 new session.', other: 'Your command found {0} new sessions.' },
      fresh.length,
    );
    void showInfo(message, { label: t('Add Sessions...'), run: () => this.#show(fresh) });
  }

  /** Never rejects: a failure is shown to the user. */
  async #show(found: readonly FoundSession[]): Promise<void> {
    try {
      await this.#source.offer(found);
    } catch (error) {
      void showCommandError(error, this.#context, () => this.#show(found));
    }
  }
}

/** 0 if the command runs only on request. */
function intervalMs(): number {
  return settings.sourceMinutes.read() * 60_000;
}
