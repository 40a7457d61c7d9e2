import { linkSchemes } from '../../shared/protocol/vocabulary.ts';

/** The allowed starts of a URL: a scheme, followed by `//` for web links. Other links stay plain text. */
const prefixes = linkSchemes.map((scheme) => (scheme === 'mailto:' ? scheme : `${scheme}//`));

/** Whether a message may link to this URL. Relative URLs aren't allowed because they have no base. */
export function isAllowedLink(href: string): boolean {
  return hasAllowedPrefix(href) && href.length <= 8_000 && URL.canParse(href);
}

function hasAllowedPrefix(href: string): boolean {
  return prefixes.some((prefix) => href.slice(0, prefix.length).toLowerCase() === prefix);
}
