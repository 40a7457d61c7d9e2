import { svgs, type IconName } from './svgs.ts';

/** All icons are parsed once, because rows have many icons and parsing one takes three times as long as cloning it. */
const templates = parseSvgs();

/**
 * A codicon as an inline SVG that has the color of the surrounding text and is hidden from screen readers.
 * @throws Error if the icon isn't an SVG.
 */
export function icon(name: IconName, className = ''): SVGElement {
  const template = templates.get(name);
  const svg = template && document.importNode(template, true);
  if (!(svg instanceof SVGElement)) throw new Error(`The icon ${name} is not an SVG.`);
  svg.setAttribute('class', className === '' ? 'icon' : `icon ${className}`);
  return svg;
}

function parseSvgs(): ReadonlyMap<string, Element> {
  const all = `<all>${Object.values(svgs).join('')}</all>`;
  const { children } = new DOMParser().parseFromString(all, 'image/svg+xml').documentElement;
  const parsed = new Map<string, Element>();
  for (const [index, name] of Object.keys(svgs).entries()) {
    const svg = children[index];
    if (!svg) continue;
    svg.setAttribute('aria-hidden', 'true');
    svg.setAttribute('focusable', 'false');
    parsed.set(name, svg);
  }
  return parsed;
}
