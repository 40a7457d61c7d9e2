/** The text of the last message in view, and the time of the paint that first showed it, in Unix ms. */
export interface ShownEnd {
  readonly text: string;
  readonly atMs: number;
}

declare global {
  interface Window {
    /** The ends that a page has shown, in order. Only in the outer frame of a webview. */
    shownEnds: ShownEnd[];
  }
}

/**
 * Runs in every frame before the frame's own script, as `playFrame` does, but only records what the end of a page
 * shows. It reads positions when a frame is painted, so that it never forces a layout.
 */
export function recordEnds(): void {
  if (window === window.top || window.parent !== window.top) return;
  const ends: ShownEnd[] = [];
  window.shownEnds = ends;
  const endInView = (): string | undefined => {
    const page = document.querySelector<HTMLIFrameElement>('#active-frame')?.contentWindow;
    const last = [...(page?.document.querySelectorAll('article[data-key]') ?? [])].at(-1);
    if (!page || !last || last.classList.contains('is-waiting')) return undefined;
    const { height, bottom } = last.getBoundingClientRect();
    // A position can be a fraction of a pixel below the view.
    return height > 0 && bottom <= page.innerHeight + 1 ? last.textContent : undefined;
  };
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    const text = endInView();
    if (text !== undefined && text !== ends.at(-1)?.text) ends.push({ text, atMs: Date.now() });
    requestAnimationFrame(afterFrame);
  };
  const afterFrame = () => port2.postMessage(undefined);
  requestAnimationFrame(afterFrame);
}
