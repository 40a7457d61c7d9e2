/**
 * Parses JSON text or UTF-8 bytes. Returns undefined if the input is not valid JSON or not valid UTF-8; never throws,
 * because the error's message would quote the input.
 */
export function parseJson(input: string | Uint8Array): unknown {
  try {
    const text = typeof input === 'string' ? input : new TextDecoder('utf-8', { fatal: true }).decode(input);
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
