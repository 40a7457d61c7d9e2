import type { MathRenderer } from '../math/mathRenderer.ts';

/** Fetches the renderer of formulas when the first one is drawn, from beside the page's own script. */
export class MathLoader {
  #waiting: ((renderer: MathRenderer) => void)[] = [];
  #renderer: MathRenderer | undefined;
  #isAsked = false;

  /** Hands over the renderer: now, or when it is there; never, where it cannot be fetched. */
  use(draw: (renderer: MathRenderer) => void): void {
    if (this.#renderer) {
      draw(this.#renderer);
      return;
    }
    this.#waiting.push(draw);
    if (!this.#isAsked) this.#load();
    this.#isAsked = true;
  }

  #load(): void {
    const own = document.querySelector('script[nonce]');
    if (!(own instanceof HTMLScriptElement)) return;
    const script = document.createElement('script');
    // The content policy lets in what carries the page's own nonce.
    script.nonce = own.nonce;
    script.src = new URL('math.js', own.src).href;
    const done = () => {
      script.remove();
      this.#renderer = window.sessionDeckMath;
      delete window.sessionDeckMath;
      const waiting = this.#waiting.splice(0);
      if (this.#renderer) for (const draw of waiting) draw(this.#renderer);
    };
    script.addEventListener('load', done);
    script.addEventListener('error', done);
    document.body.append(script);
  }
}
