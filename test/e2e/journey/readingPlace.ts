import type { ConversationPage } from './sessionSteps.ts';

/** The position of the first message that begins in view (0 if none does), and its distance in px from the top edge. */
export function firstInView({ log }: ConversationPage): Promise<{ position: number; offsetPx: number }> {
  return log.evaluate((scroller) => {
    const edge = scroller.getBoundingClientRect().top;
    const articles = [...scroller.querySelectorAll('article[aria-posinset]')];
    const first = articles.find((article) => article.getBoundingClientRect().top >= edge);
    const position = Number(first?.getAttribute('aria-posinset') ?? 0);
    return { position, offsetPx: Math.round((first?.getBoundingClientRect().top ?? 0) - edge) };
  });
}

/** The distance in px from the top edge to the message at this position; NaN if it isn't drawn. */
export function offsetOf({ log }: ConversationPage, position: number): Promise<number> {
  return log.evaluate((scroller, index) => {
    const article = scroller.querySelector(`article[aria-posinset="${index}"]`);
    const edge = scroller.getBoundingClientRect().top;
    return article ? Math.round(article.getBoundingClientRect().top - edge) : NaN;
  }, position);
}

/** Scrolls by `distancePx` and waits until the scroll position and the content stop changing. */
export async function scrollDown({ log }: ConversationPage, distancePx: number): Promise<void> {
  await log.evaluate(async (scroller, px) => {
    scroller.scrollTop += px;
    let before = '';
    for (let stillFrames = 0; stillFrames < 20; stillFrames++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = `${scroller.scrollTop} ${scroller.scrollHeight} ${scroller.textContent.length}`;
      if (now !== before) stillFrames = 0;
      before = now;
    }
  }, distancePx);
}
