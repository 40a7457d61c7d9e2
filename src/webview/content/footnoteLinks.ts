import type { Token } from 'markdown-it';
import { element } from '../dom/element.ts';

/** Draws a reference to a footnote as a link to it. */
export function footnoteReference(token: Token): HTMLElement {
  return element('sup', {}, linkTo(token, '.footnote > .footnote-link'));
}

/** Creates the element of a footnote, with a link to the first reference. The caller adds the text. */
export function footnote(token: Token): HTMLElement {
  return element('div', { class: 'footnote', dir: 'auto' }, linkTo(token, 'sup > .footnote-link'));
}

/**
 * A link that focuses the first element in the same text that matches `selector` and has the number of the footnote.
 */
function linkTo(token: Token, selector: string): HTMLElement {
  const number = token.info;
  const link = element(
    'a',
    { class: 'footnote-link', role: 'link', tabindex: 0, 'data-footnote': number },
    token.content,
  );
  const follow = () => {
    const all = link.closest('.markdown')?.querySelectorAll<HTMLElement>(selector) ?? [];
    [...all].find((one) => one.dataset['footnote'] === number)?.focus();
  };
  link.addEventListener('click', follow);
  link.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') follow();
  });
  return link;
}
