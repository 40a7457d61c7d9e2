/** Formats lines of plain text as a Markdown tooltip: the first one is bold, and each keeps its own line. */
export function tooltipMarkdown(text: string): string {
  const [title = '', ...lines] = text.split('\n').map(literalText);
  return [title === '' ? '' : `**${title}**`, lines.join('  \n')].filter((part) => part !== '').join('\n\n');
}

/**
 * Escapes all ASCII punctuation as character references, so that the text has no formatting, HTML, links, or images. If
 * it were escaped with backslashes, VS Code would still turn addresses into links.
 */
function literalText(line: string): string {
  return line.trim().replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
