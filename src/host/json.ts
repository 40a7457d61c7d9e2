/** The value of a JSON text, or undefined where it is not JSON; never an error, whose message would quote the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
