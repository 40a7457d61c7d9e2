import type { ContentBlock } from '../../api/resources/contentBlock.ts';

/** What a block of a message says in words, as it came; empty for pictures and what is not known. */
export function contentText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'thinking':
      return block.thinking;
    case 'tool_use':
      return block.name;
    case 'tool_result':
      return block.content.map(contentText).join('\n');
    case 'document':
      return block.name ?? '';
    case 'image':
    case 'redacted_thinking':
    case 'unknown':
      return '';
  }
}
