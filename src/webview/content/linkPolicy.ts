/** The schemes of links in messages: web and mail. Other links stay plain text. */
const allowedSchemes = /^(?:https?:\/\/|mailto:)/i;

/** Whether a message may link to this URL. Relative URLs aren't allowed because they have no base. */
export function isAllowedLink(href: string): boolean {
  return allowedSchemes.test(href) && href.length <= 8_000 && URL.canParse(href);
}
