import { element } from './element.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/svgs.ts';

/** A button with only an icon, as in VS Code's toolbars. Its label is also its tooltip. */
export function iconButton(name: IconName, label: string, onClick: () => void): HTMLButtonElement {
  const button = element(
    'button',
    { type: 'button', class: 'icon-button', 'aria-label': label, title: label },
    icon(name),
  );
  button.addEventListener('click', onClick);
  return button;
}
