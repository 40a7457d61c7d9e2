/** Something that holds a timer, a listener or an observer, and lets go of it. */
export interface Owned {
  dispose(): void;
}

/** Lets go of many things at once, in reverse order. What is added after that is let go of at once. */
export class Disposables implements Owned {
  readonly #items: Owned[] = [];
  #disposed = false;

  own<T extends Owned>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  /** Listens until disposed. */
  listen<K extends keyof GlobalEventHandlersEventMap>(
    target: EventTarget,
    type: K,
    listener: (event: GlobalEventHandlersEventMap[K]) => void,
    options?: AddEventListenerOptions,
  ): void;
  listen(target: EventTarget, type: string, listener: (event: Event) => void, options?: AddEventListenerOptions): void;
  listen(target: EventTarget, type: string, listener: (event: never) => void, options?: AddEventListenerOptions): void {
    const handler: EventListenerObject = {
      handleEvent(event) {
        Reflect.apply(listener, undefined, [event]);
      },
    };
    target.addEventListener(type, handler, options);
    this.own({ dispose: () => target.removeEventListener(type, handler, options) });
  }

  dispose(): void {
    this.#disposed = true;
    while (this.#items.length > 0) this.#items.pop()?.dispose();
  }
}

/** One timer that can be set again before it has gone off; then the earlier one is forgotten. */
export class Timer implements Owned {
  #handle: ReturnType<typeof setTimeout> | undefined;

  get isSet(): boolean {
    return this.#handle !== undefined;
  }

  set(delayMs: number, run: () => void): void {
    this.dispose();
    this.#handle = setTimeout(() => {
      this.#handle = undefined;
      run();
    }, delayMs);
  }

  dispose(): void {
    clearTimeout(this.#handle);
    this.#handle = undefined;
  }
}

/** At most one call per drawn frame, however often it is asked for. */
export class FrameTask implements Owned {
  readonly #run: () => void;
  #handle: number | undefined;

  constructor(run: () => void) {
    this.#run = run;
  }

  request(): void {
    this.#handle ??= requestAnimationFrame(() => {
      this.#handle = undefined;
      this.#run();
    });
  }

  dispose(): void {
    if (this.#handle !== undefined) cancelAnimationFrame(this.#handle);
    this.#handle = undefined;
  }
}
