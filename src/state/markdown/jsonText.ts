import { parseJson } from '../../shared/json.ts';

/** Texts with more characters aren't parsed, so that parsing takes only a few milliseconds. */
const maxLength = 250_000;

/**
 * The Markdown of a message's text: a code block if the whole text is a JSON object or array that contains a string, as
 * in answers for programs; otherwise the text itself. As Markdown, JSON would lose its line breaks and escapes.
 */
export function markdownOf(text: string): string {
  if (text.length > maxLength) return text;
  const json = text.trim();
  const ends = json.charAt(0) + json.charAt(json.length - 1);
  if ((ends !== '{}' && ends !== '[]') || !json.includes('"') || parseJson(json) === undefined) return text;
  // No line of JSON begins like a fence.
  return `\`\`\`json\n${json}\n\`\`\``;
}
