/** The allowed starts of an address. No other addresses are opened. */
const prefixes = ['https://', 'http://', 'mailto:'] as const;

/** The maximum length of an address, in UTF-16 code units. A longer one is only shown as text. */
const maxLength = 8_000;

/**
 * Characters that the URL standard leaves unencoded in parts of an address, but that would end the address in text or
 * be read as a slash.
 */
const unusable = /[^\x21-\x7e]|[<>\\]/g;

/**
 * The form in which an address is both shown and opened: printable ASCII characters, with other characters as Punycode
 * in the host name and percent-encoded elsewhere, so that it can't look like another address. Undefined if the address
 * must not be opened. Relative addresses aren't allowed because they have no base.
 */
export function externalAddress(address: string): string | undefined {
  const isAllowed = prefixes.some((prefix) => address.slice(0, prefix.length).toLowerCase() === prefix);
  if (!isAllowed || address.length > maxLength || !URL.canParse(address)) return undefined;
  const shown = new URL(address).href.replace(unusable, encodeURIComponent);
  return shown.length > maxLength ? undefined : shown;
}

/**
 * Whether an address may be opened as it is: it has an allowed start, is valid, and contains only characters that
 * {@link externalAddress} leaves unencoded.
 */
export function isExternalAddress(address: string): boolean {
  const isComplete = prefixes.some((prefix) => address.startsWith(prefix)) && URL.canParse(address);
  return isComplete && address.search(unusable) < 0;
}

/** Characters that can't be seen, and the letters of right-to-left scripts, which reorder what follows them. */
const misleading =
  /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * The text of a link that has no other text: the address as written or, if that could look like another address, in the
 * form of {@link externalAddress}. An address that must not be opened stays as written.
 */
export function addressText(address: string): string {
  const [origin = ''] = /^(?:[a-z]+:\/\/)?[^/?#]*/i.exec(address) ?? [];
  const isClear = /^[\x21-\x7e]*$/.test(origin) && !misleading.test(address);
  return isClear ? address : (externalAddress(address) ?? address);
}
