import type { ContentBlock } from '../api/contentBlock.ts';
import type { Message } from '../api/message.ts';
import { readMarkdown } from './findText.ts';
import { type Translate, plainLine } from './words.ts';

/** What a message says, as Markdown: its text; where it has none, what its tools were given and gave. */
export function messageMarkdown(message: Message, t: Translate): string {
  const said = message.content.flatMap((block) => (block.type === 'text' ? [block.text.trim()] : []));
  const parts = said.some((text) => text !== '') ? said : message.content.map((block) => blockMarkdown(block, t));
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The same without the marks of Markdown. */
export function messagePlainText(message: Message, t: Translate): string {
  return readMarkdown(messageMarkdown(message, t));
}

/** A text as a quote to answer to. */
export function quoteMarkdown(text: string): string {
  const lines = text.trim().split(/\r?\n/);
  return `${lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n')}\n\n`;
}

function blockMarkdown(block: ContentBlock, t: Translate): string {
  switch (block.type) {
    case 'text':
      return block.text.trim();
    case 'thinking':
      return block.thinking.trim();
    case 'tool_use':
      return `${plainLine(block.name, 80)}\n\n${fenced(JSON.stringify(block.input, undefined, 2), 'json')}`;
    case 'tool_result':
      return fenced(block.content.map((inner) => (inner.type === 'text' ? inner.text : '')).join('\n'));
    case 'document':
      return plainLine(block.name ?? t('Document'), 120);
    case 'image':
      return t('Image');
    case 'unknown':
      return fenced(JSON.stringify(block.raw, undefined, 2), 'json');
    case 'redacted_thinking':
      return '';
  }
}

/** Code between fences longer than any in it, so that nothing breaks out. */
function fenced(code: string, language = ''): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}
