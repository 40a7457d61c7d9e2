import { pictures, type IconName } from './pictures.ts';

/** A codicon as an inline picture that takes the colour of the text around it and is silent to screen readers. */
export function icon(name: IconName, className = ''): SVGElement {
  const parsed = new DOMParser().parseFromString(pictures[name], 'image/svg+xml').documentElement;
  const picture = document.importNode(parsed, true);
  if (!(picture instanceof SVGElement)) throw new Error(`The icon ${name} is not a picture.`);
  picture.setAttribute('aria-hidden', 'true');
  picture.setAttribute('focusable', 'false');
  picture.setAttribute('class', className === '' ? 'icon' : `icon ${className}`);
  return picture;
}
