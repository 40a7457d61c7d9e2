/**
 * Control sequences by ECMA-48, each with its introducer of one or of two characters: strings such as window titles,
 * sequences with parameters such as colors, and others.
 */
const sequences = new RegExp(
  [
    '(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x1b\\x9c]*(?:\\x07|\\x1b\\\\|\\x9c)?',
    '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]?',
    '\\x1b[ -/]*[0-~]?',
  ].join('|'),
  'g',
);
const otherControls = /[^\P{Cc}\t\n]/gu;

/**
 * The text of a terminal's output as a person saw it at the end: without control sequences, and with lines that a
 * carriage return or a backspace overwrote. Sequences that move the cursor elsewhere are removed without effect.
 */
export function plainTerminalText(output: string): string {
  return output
    .replace(sequences, '')
    .split('\n')
    .map((line) => withoutBackspaces(overwritten(line)).replace(otherControls, '').trimEnd())
    .join('\n');
}

/** Applies carriage returns: each part overwrites the beginning of what was in the line before. */
function overwritten(line: string): string {
  let shown = '';
  for (const part of line.split('\r').reverse()) shown += part.slice(shown.length);
  return shown;
}

function withoutBackspaces(line: string): string {
  if (!line.includes('\b')) return line;
  const shown: string[] = [];
  for (const character of line) {
    if (character === '\b') shown.pop();
    else shown.push(character);
  }
  return shown.join('');
}
