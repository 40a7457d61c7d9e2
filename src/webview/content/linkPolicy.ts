import { linkSchemes } from '../../shared/protocol/vocabulary.ts';

/** How an allowed address begins: with the scheme, and for the web with an authority. Other links stay plain text. */
const prefixes = linkSchemes.map((scheme) => (scheme === 'mailto:' ? scheme : `${scheme}//`));

/** Whether a message may have a link to this address. Relative addresses may not: there is nothing they relate to. */
export function isAllowedLink(href: string): boolean {
  return hasAllowedPrefix(href) && href.length <= 8_000 && URL.canParse(href);
}

function hasAllowedPrefix(href: string): boolean {
  return prefixes.some((prefix) => href.slice(0, prefix.length).toLowerCase() === prefix);
}
