import type { PageScreen } from '../../shared/protocol/pageModel.ts';
import type { PageAction } from '../../shared/protocol/vocabulary.ts';
import { element } from '../dom/element.ts';

/** Shown instead of a conversation: describes what is missing and offers actions, the most important one first. */
export function screenView(screen: PageScreen, act: (action: PageAction) => void): HTMLElement {
  const view = element('main', { class: 'screen' });
  view.append(element('h1', { class: 'screen-title', dir: 'auto' }, screen.title));
  view.append(element('p', { class: 'screen-text', dir: 'auto' }, screen.text));
  for (const [index, { label, action }] of screen.buttons.entries()) {
    const kind = index === 0 ? 'button is-primary' : 'button';
    const button = element('button', { type: 'button', class: kind }, label);
    button.addEventListener('click', () => act(action));
    view.append(button);
  }
  return view;
}
