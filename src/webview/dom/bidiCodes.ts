/** Runs of bidirectional control characters that begin or end an override, an embedding, or an isolate. */
const controls = /([\u202a-\u202e\u2066-\u2069]+)/;
/** Maximum number of codes for a run of characters. An ellipsis replaces the others. */
const mostCodes = 8;

/** Whether a text contains bidirectional control characters. */
export function hasBidiControls(text: string): boolean {
  return controls.test(text);
}

/** The parts of a text: those at odd indexes are runs of bidirectional control characters; the others can be empty. */
export function bidiParts(text: string): readonly string[] {
  return text.split(controls);
}

/** The codes of a run of bidirectional control characters, such as `[U+202E]`. */
export function bidiCodes(run: string): string {
  const codes = Array.from(run.slice(0, mostCodes), (character) => {
    return `[U+${character.charCodeAt(0).toString(16).toUpperCase()}]`;
  });
  return codes.join('') + (run.length > mostCodes ? '…' : '');
}

/** An isolated text without other bidirectional control characters, or a run of such characters. */
const isolatedOrControls = /(\u2068[^\u202a-\u202e\u2066-\u2069]+\u2069)|[\u202a-\u202e\u2066-\u2069]+/g;

/**
 * A text with codes instead of bidirectional control characters, for tooltips, which have no elements. Text that is
 * only isolated, as `isolatedLine` returns it, stays as it is, because isolation doesn't reorder the text around it.
 */
export function withBidiCodes(text: string): string {
  return text.replace(
    isolatedOrControls,
    (found: string, isolated: string | undefined) => isolated ?? bidiCodes(found),
  );
}
