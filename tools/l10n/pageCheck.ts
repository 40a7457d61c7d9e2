/**
 * Runs in a page that is in the pseudo-language. Returns the visible texts, names, and tooltips below `root` with words
 * outside brackets, and Lineside's labels that are cut off or extend beyond the page. `allowed` is a pattern of words
 * that are the same in every language.
 */
export function pageFaults(
  root: Element,
  allowed: string,
): { readonly untranslated: string[]; readonly clipped: string[] } {
  const words = new RegExp(allowed, 'g');
  /** The text outside our brackets and VS Code's, which can be nested. */
  const outside = (text: string): string => {
    const shorter = text.replace(/⟦[^⟦⟧［］]*⟧|［[^⟦⟧［］]*］/g, ' ');
    return shorter === text ? text : outside(shorter);
  };
  const isTranslated = (text: string) =>
    !/\p{L}{2}/u.test(outside(text.replace(/[\u2068\u2069]/g, '')).replace(words, ' '));
  const isShown = (node: Element) => node.checkVisibility({ visibilityProperty: true });
  const untranslated = new Set<string>();
  const clipped = new Set<string>();
  const check = (text: string | null | undefined, place: string) => {
    if (text && !isTranslated(text)) untranslated.add(`${place}: ${text.trim()}`);
  };
  for (const node of root.querySelectorAll<HTMLElement>('*:not(script, style)')) {
    if (!isShown(node)) continue;
    const place = `${node.localName}.${node.getAttribute('class') ?? ''}`;
    for (const name of ['aria-label', 'aria-description', 'aria-roledescription', 'title', 'placeholder', 'alt']) {
      check(node.getAttribute(name), `${place}[${name}]`);
    }
    for (const child of node.childNodes) if (child.nodeType === Node.TEXT_NODE) check(child.textContent, place);
    const isOwn = node.textContent.includes('⟦');
    const style = getComputedStyle(node);
    const isHidden = (of: Element | null): boolean =>
      of !== null && (getComputedStyle(of).clipPath !== 'none' || isHidden(of.parentElement));
    if (!isOwn || style.display === 'inline' || isHidden(node)) continue;
    const cutsOff = style.overflowX === 'hidden' || style.overflowX === 'clip';
    const isCut = cutsOff && node.scrollWidth > node.clientWidth + 1;
    const isOutside = node.getBoundingClientRect().right > innerWidth + 1;
    if (isCut || isOutside) clipped.add(`${place}: ${node.textContent.trim().slice(0, 80)}`);
  }
  return { untranslated: [...untranslated], clipped: [...clipped] };
}
