/** Maximum length of an image that is drawn, in base64 characters; about 7.5 MB. */
const maxBase64Length = 10_000_000;

/** The supported formats. `isStartOf` gets the first 12 bytes of an image, as text with one character per byte. */
const signatures: readonly { readonly mediaType: string; readonly isStartOf: (bytes: string) => boolean }[] = [
  { mediaType: 'image/png', isStartOf: (bytes) => bytes.startsWith('\x89PNG\r\n\x1a\n') },
  { mediaType: 'image/jpeg', isStartOf: (bytes) => bytes.startsWith('\xff\xd8\xff') },
  { mediaType: 'image/gif', isStartOf: (bytes) => bytes.startsWith('GIF87a') || bytes.startsWith('GIF89a') },
  { mediaType: 'image/webp', isStartOf: (bytes) => bytes.startsWith('RIFF') && bytes.endsWith('WEBP') },
];

/**
 * The `data:` URL of an image; undefined if it isn't a PNG, JPEG, GIF, or WebP, or if it is too large. Only its first
 * bytes decide, not its declared type, so an SVG never passes.
 */
export function imageUrl(base64: string): string | undefined {
  if (base64.length > maxBase64Length || !/^[A-Za-z0-9+/]{16}/.test(base64)) return undefined;
  const start = atob(base64.slice(0, 16));
  const match = signatures.find((signature) => signature.isStartOf(start));
  return match && /^[A-Za-z0-9+/]*={0,2}$/.test(base64) ? `data:${match.mediaType};base64,${base64}` : undefined;
}

/** The base64 part of the `data:` URL of an image; undefined for other URLs. */
export function base64Of(url: string): string | undefined {
  return /^data:image\/[a-z]+;base64,/i.test(url) ? url.slice(url.indexOf(',') + 1) : undefined;
}
