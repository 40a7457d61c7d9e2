/** The ones that are written most, without a parser. */
const common = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
]);

/**
 * What the name of a character stands for, such as `&rarr;`; one that there is not comes back as it is. Stands in for
 * the same function of the package `entities`, which markdown-it imports: the browser knows the 2,231 names as well.
 */
export function decodeHTMLStrict(entity: string): string {
  const known = common.get(entity);
  if (known !== undefined) return known;
  if (!/^&[a-z][a-z0-9]*;$/i.test(entity)) return entity;
  const decoded = new DOMParser().parseFromString(entity, 'text/html').body.textContent;
  // Some names count without their semicolon, too: of a longer name that there is not, it is left over.
  return decoded.length > 1 && decoded.endsWith(';') ? entity : decoded;
}
