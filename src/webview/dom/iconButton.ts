import { element } from './element.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/svgs.ts';

/** A button that is only an icon, as in the editor's own toolbars; its name is its tooltip too. */
export function iconButton(name: IconName, label: string, act: () => void): HTMLButtonElement {
  const button = element(
    'button',
    { type: 'button', class: 'icon-button', 'aria-label': label, title: label },
    icon(name),
  );
  button.addEventListener('click', act);
  return button;
}
