import { format } from 'oxfmt';

/** Formats the text of a Markdown file as `npm run format` does. */
export async function formatMarkdown(text: string): Promise<string> {
  const { code, errors } = await format('page.md', text, { printWidth: 120 });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return code;
}
