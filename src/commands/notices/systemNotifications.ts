import { readSettings } from '../../host/settings.ts';
import type { SystemNotification } from '../../host/systemNotifications/notifierCommand.ts';
import { SystemNotifier } from '../../host/systemNotifications/systemNotifier.ts';
import { Batcher } from '../../shared/batcher.ts';
import type { Log } from '../../shared/log.ts';
import type { Translate } from '../../shared/text.ts';

/** Notifications within this time become one. */
const gatherMs = 1_000;
const maxLines = 4;

/**
 * Repeats VS Code's notifications about sessions as notifications of the operating system, if the setting
 * `lineside.notifications.system` is on. Only on the user's own machine: elsewhere, no program is started, because its
 * notification wouldn't reach the user.
 */
export class SystemNotifications {
  readonly #t: Translate;
  readonly #notifier: SystemNotifier | undefined;
  readonly #batches = new Batcher<Omit<SystemNotification, 'title'>>(gatherMs, (all) => this.#showAll(all));

  constructor(isOwnMachine: boolean, log: Log, t: Translate) {
    this.#notifier = isOwnMachine ? new SystemNotifier(log) : undefined;
    this.#t = t;
  }

  /**
   * Shows a sentence that VS Code shows too. `link` opens the session that the sentence is about, if it is about one.
   * The caller decides when to notify, and in which window.
   */
  show(sentence: string, link?: string): void {
    if (this.#notifier && readSettings().usesSystemNotifications) void this.#batches.add({ body: sentence, link });
  }

  async #showAll(all: readonly Omit<SystemNotification, 'title'>[]): Promise<void> {
    const lines = all.slice(0, maxLines).map(({ body }) => body);
    const moreCount = all.length - lines.length;
    if (moreCount > 0) lines.push(this.#t('and {0} more', moreCount));
    const link = all.length === 1 ? all[0]?.link : undefined;
    await this.#notifier?.show({ title: 'Lineside', body: lines.join('\n'), link });
  }
}
