import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { SessionRow } from '../../state/sessions/sessionTree.ts';
import type { SessionSubscriber } from '../ports.ts';

/** Number of sessions that are watched immediately. The rest follow one at a time, to avoid a burst of requests. */
const atOnce = 20;
const stepMs = 200;

/** While the tree is visible, watches every session, and the messages and children of expanded rows. */
export class TreeSubscriptions implements Disposable {
  readonly #subscriber: Pick<SessionSubscriber, 'watch'>;
  readonly #sessions = new Map<string, Disposable>();
  readonly #open = new Map<string, { readonly row: SessionRow; readonly children: readonly SessionRow[] }>();
  readonly #watchers = new Map<string, Disposable>();
  #waiting: SessionKey[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isVisible = false;

  constructor(subscriber: Pick<SessionSubscriber, 'watch'>) {
    this.#subscriber = subscriber;
  }

  /** Call this when a row is expanded or its children change. */
  open(row: SessionRow, children: readonly SessionRow[]): void {
    this.#open.set(row.rowId, { row, children });
    if (this.#isVisible) this.#watchRow(row, children);
  }

  close(row: SessionRow): void {
    this.#open.delete(row.rowId);
    this.#watchers.get(row.rowId)?.dispose();
    this.#watchers.delete(row.rowId);
  }

  isOpen(row: SessionRow): boolean {
    return this.#open.has(row.rowId);
  }

  /** The expanded rows, with the child sessions shown below them. */
  get openRows(): Iterable<{ readonly row: SessionRow; readonly children: readonly SessionRow[] }> {
    return this.#open.values();
  }

  /** Sets the sessions to watch, in this order, and whether the tree is visible. */
  follow(keys: readonly SessionKey[], isVisible: boolean): void {
    const shown = new Map((isVisible ? keys : []).map((key) => [keyText(key), key]));
    for (const [text, watcher] of this.#sessions) {
      if (shown.has(text)) continue;
      watcher.dispose();
      this.#sessions.delete(text);
    }
    this.#waiting = [...shown].filter(([text]) => !this.#sessions.has(text)).map(([, key]) => key);
    this.#watchSome(Math.max(0, atOnce - this.#sessions.size));
    if (isVisible && !this.#isVisible)
      for (const { row, children } of this.#open.values()) this.#watchRow(row, children);
    if (!isVisible) this.#dropWatchers();
    this.#isVisible = isVisible;
  }

  dispose(): void {
    this.follow([], false);
  }

  #watchSome(count: number): void {
    for (const key of this.#waiting.splice(0, count))
      this.#sessions.set(keyText(key), this.#subscriber.watch(key, false));
    if (this.#waiting.length > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#watchSome(1);
      }, stepMs);
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Subscribes before unsubscribing, so that shared sessions aren't refreshed again. */
  #watchRow(row: SessionRow, children: readonly SessionRow[]): void {
    const watchers = new Disposables();
    watchers.add(this.#subscriber.watch(row.key, true));
    for (const { key } of children) watchers.add(this.#subscriber.watch(key, false));
    this.#watchers.get(row.rowId)?.dispose();
    this.#watchers.set(row.rowId, watchers);
  }

  #dropWatchers(): void {
    for (const watcher of this.#watchers.values()) watcher.dispose();
    this.#watchers.clear();
  }
}
