import type { Token } from 'markdown-it';
import { element } from '../dom/element.ts';

/** Draws a reference to a footnote as a link to it. */
export function footnoteReference(token: Token): HTMLElement {
  return element('sup', {}, linkTo(token, '.footnote > .footnote-link'));
}

/** Draws a footnote, without its text, as a link to its first reference. */
export function footnote(token: Token): HTMLElement {
  return element('div', { class: 'footnote', dir: 'auto' }, linkTo(token, 'sup > .footnote-link'));
}

/** A link to the first one with the same number in the message that a selector matches. */
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
