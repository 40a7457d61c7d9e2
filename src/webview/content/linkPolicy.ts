/** Where a link of a message may lead: the web and mail. Everything else stays the text it was written as. */
const allowedSchemes = /^(?:https?:\/\/|mailto:)/i;

/** Whether a message may have a link to this address. Relative addresses may not: there is nothing they relate to. */
export function isAllowedLink(href: string): boolean {
  return allowedSchemes.test(href) && href.length <= 8_000 && URL.canParse(href);
}
