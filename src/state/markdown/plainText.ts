/** Extracts the visible text from Markdown, without the markers of emphasis, links, headings, lists, and code. */
export function markdownToPlainText(text: string): string {
  let fence: string | undefined;
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const mark = /^\s*(?:>\s?)*\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      else lines.push(line);
    } else if (mark === undefined) lines.push(readLine(line));
    else fence = mark;
  }
  return lines.join('\n');
}

function readLine(line: string): string {
  const content = line.replace(/^\s*(?:>\s?|#{1,6}\s+|[-*+]\s+|\d{1,9}[.)]\s+)+/, '');
  return content
    .split(/(`+[^`]+`+)/)
    .map((part, index) => (index % 2 === 1 ? part.replaceAll('`', '') : readSpan(part)))
    .join('');
}

function readSpan(span: string): string {
  return span
    .replace(/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, '$1')
    .replace(/(\*{1,3}|~~)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}_])(_{1,3})(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}_])/gu, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1');
}
