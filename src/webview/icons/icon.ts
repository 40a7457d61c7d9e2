import { pictures, type IconName } from './svgs.ts';

/** Read all at once: rows have many icons, and to read one costs three times as much as to copy it. */
const templates = readPictures();

/** A codicon as an inline picture that takes the colour of the text around it and is silent to screen readers. */
export function icon(name: IconName, className = ''): SVGElement {
  const template = templates.get(name);
  const picture = template && document.importNode(template, true);
  if (!(picture instanceof SVGElement)) throw new Error(`The icon ${name} is not a picture.`);
  picture.setAttribute('class', className === '' ? 'icon' : `icon ${className}`);
  return picture;
}

function readPictures(): ReadonlyMap<string, Element> {
  const all = `<all>${Object.values(pictures).join('')}</all>`;
  const { children } = new DOMParser().parseFromString(all, 'image/svg+xml').documentElement;
  const read = new Map<string, Element>();
  for (const [index, name] of Object.keys(pictures).entries()) {
    const picture = children[index];
    if (!picture) continue;
    picture.setAttribute('aria-hidden', 'true');
    picture.setAttribute('focusable', 'false');
    read.set(name, picture);
  }
  return read;
}
