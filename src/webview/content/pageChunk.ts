/** A script of its own beside the page's, fetched when the first thing is on the page that needs it. */
export class PageChunk<T> {
  readonly #file: string;
  readonly #take: () => T | undefined;
  #waiting: ((content: T) => void)[] = [];
  #content: T | undefined;
  #isAsked = false;

  /** @param take takes what the script has left on the window. */
  constructor(file: string, take: () => T | undefined) {
    this.#file = file;
    this.#take = take;
  }

  /** Hands over what is in it: now, or when it is there; never, where it cannot be fetched. */
  use(act: (content: T) => void): void {
    if (this.#content) {
      act(this.#content);
      return;
    }
    this.#waiting.push(act);
    if (!this.#isAsked) this.#load();
    this.#isAsked = true;
  }

  #load(): void {
    const own = document.querySelector('script[nonce][src]');
    if (!(own instanceof HTMLScriptElement)) return;
    const script = document.createElement('script');
    // The content policy lets in what carries the page's own nonce.
    script.nonce = own.nonce;
    script.src = new URL(this.#file, own.src).href;
    const done = () => {
      script.remove();
      this.#content = this.#take();
      const waiting = this.#waiting.splice(0);
      if (this.#content) for (const act of waiting) act(this.#content);
    };
    script.addEventListener('load', done);
    script.addEventListener('error', done);
    document.body.append(script);
  }
}
