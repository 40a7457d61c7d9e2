/** State that the benchmark stores in each webview. Times are in Unix ms, durations in ms. */
interface FramePlay {
  /** Time of the first paint with content; 0 or -1 until then. */
  firstPaintAtMs: number;
  /** Duration of the page's longest task since the webview was created. */
  longestTaskMs: number;
  /** The number of the page's tasks longer than 50 ms since the webview was created. */
  longTasks: number;
  /** Time at which the last message from the host was received. */
  lastHeardAtMs: number;
  /**
   * Starts recording keys and messages. Call this when the page is ready, because opening the page removes all
   * listeners.
   */
  begin(): void;
  /** Times from key press to the next paint, for all key presses since the last call. */
  takeKeys(): number[];
  /** Times between frames, for all frames since the last call. */
  takeFrames(): number[];
  /** Drags the scrollbar from the end to the beginning, and then scrolls to the end again. */
  drag(steps: number): Promise<{ stepMs: number[]; blankShare: number }>;
  /** Resolves to the time of the paint that shows the text at the end of the conversation. */
  paintedAtMs(text: string): Promise<number>;
}

declare global {
  interface Window {
    framePlay: FramePlay;
  }
}

/**
 * Runs in every frame before the frame's own script. It is injected as text, so it can't use anything outside its body.
 * It only takes effect in the outer frame of a webview, and observes the page in the inner frame from there. VS Code
 * rewrites the inner frame, which ends anything that was started in it.
 */
export function playFrame(): void {
  if (window === window.top || window.parent !== window.top) return;
  const keys: number[] = [];
  const frames: number[] = [];
  let lastFrameAt = 0;
  const page = () => document.querySelector<HTMLIFrameElement>('#active-frame')?.contentWindow ?? window;
  const find = (selector: string) => page().document.querySelector(selector);
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  /** Resolves after the current frame is painted. Call this within an animation frame. */
  const painted = () =>
    new Promise<void>((resolve) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve();
      channel.port2.postMessage(undefined);
    });
  const isBlank = (): boolean => {
    const view = find('.rows')?.getBoundingClientRect();
    if (!view) return true;
    return [0.1, 0.5, 0.9].some((share) => {
      const row = page().document.elementFromPoint(view.left + view.width / 2, view.top + view.height * share);
      const article = row?.closest('article');
      // The canvas between two rows doesn't count as blank, because the next row is only a few pixels away.
      return article ? article.classList.contains('is-waiting') : row === null || row.matches('.rows');
    });
  };
  const play: FramePlay = {
    firstPaintAtMs: 0,
    longestTaskMs: 0,
    longTasks: 0,
    lastHeardAtMs: 0,
    begin() {
      const inner = page();
      inner.addEventListener('message', () => (play.lastHeardAtMs = Date.now()));
      inner.addEventListener('keydown', (event) => {
        void nextFrame()
          .then(painted)
          .then(() => keys.push(inner.performance.now() - event.timeStamp));
      });
      play.lastHeardAtMs = Date.now();
    },
    takeKeys: () => keys.splice(0),
    takeFrames: () => frames.splice(0),
    async drag(steps) {
      const view = find('.rows');
      const stepMs: number[] = [];
      let blank = 0;
      if (!view) return { stepMs, blankShare: 0 };
      let last = performance.now();
      for (let step = steps; step >= 0; step -= 1) {
        view.scrollTop = ((view.scrollHeight - view.clientHeight) * step) / steps;
        await nextFrame();
        const now = performance.now();
        stepMs.push(now - last);
        last = now;
        if (isBlank()) blank += 1;
      }
      view.scrollTop = view.scrollHeight;
      await nextFrame();
      return { stepMs: stepMs.slice(1), blankShare: blank / (steps + 1) };
    },
    async paintedAtMs(text) {
      const isThere = () =>
        [...page().document.querySelectorAll('article[data-key]')].at(-1)?.textContent.includes(text);
      do await nextFrame();
      while (!isThere());
      await painted();
      return Date.now();
    },
  };
  window.framePlay = play;
  const look = (now: number) => {
    if (lastFrameAt > 0) frames.push(now - lastFrameAt);
    lastFrameAt = now;
    if (play.firstPaintAtMs === 0 && find('article[data-key]:not(.is-waiting)')) {
      play.firstPaintAtMs = -1;
      void painted().then(() => (play.firstPaintAtMs = Date.now()));
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) {
      if (!/^self$|descendant/.test(name)) continue;
      play.longestTaskMs = Math.max(play.longestTaskMs, duration);
      play.longTasks += 1;
    }
  }).observe({ type: 'longtask', buffered: true });
}
