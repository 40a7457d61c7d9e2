/** Pictures above this are not drawn; about 7.5 MB of bytes. */
const maxBase64Length = 10_000_000;

/** How the bytes of each kind begin, as text of one character a byte. */
const signatures: readonly { readonly mediaType: string; readonly isStartOf: (bytes: string) => boolean }[] = [
  { mediaType: 'image/png', isStartOf: (bytes) => bytes.startsWith('\x89PNG\r\n\x1a\n') },
  { mediaType: 'image/jpeg', isStartOf: (bytes) => bytes.startsWith('\xff\xd8\xff') },
  { mediaType: 'image/gif', isStartOf: (bytes) => bytes.startsWith('GIF87a') || bytes.startsWith('GIF89a') },
  { mediaType: 'image/webp', isStartOf: (bytes) => bytes.startsWith('RIFF') && bytes.slice(8, 12) === 'WEBP' },
];

/**
 * The address to draw a picture by, from its bytes in base64: only if it is a PNG, JPEG, GIF or WebP of bearable size.
 * What it calls itself does not count; what its first bytes say does, so an SVG is never let through.
 */
export function pictureAddress(base64: string): string | undefined {
  if (base64.length > maxBase64Length || !/^[A-Za-z0-9+/]{16}/.test(base64)) return undefined;
  const start = atob(base64.slice(0, 16));
  const match = signatures.find((signature) => signature.isStartOf(start));
  return match && /^[A-Za-z0-9+/]*={0,2}$/.test(base64) ? `data:${match.mediaType};base64,${base64}` : undefined;
}

/** The base64 part of a `data:` address, if it is one. */
export function base64Of(address: string): string | undefined {
  return /^data:image\/[a-z]+;base64,/i.test(address) ? address.slice(address.indexOf(',') + 1) : undefined;
}
