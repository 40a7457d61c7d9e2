import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../../../src/api/resources/contentBlock.ts';
import type { Message } from '../../../../src/api/resources/message.ts';
import { messageMarkdown, messagePlainText, quoteMarkdown } from '../../../../src/state/markdown/messageMarkdown.ts';
import { t } from '../samples.ts';

const messageOf = (...content: ContentBlock[]): Message => ({ id: 'm', createdAt: 1, updatedAt: 1, content });
const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const use: ContentBlock = { type: 'tool_use', toolUseId: 'c', name: 'read_file', input: { path: 'a.ts' } };

describe('a copied message', () => {
  it('contains its original text, without thinking and tool calls', () => {
    const thinking: ContentBlock = { type: 'thinking', thinking: 'Hm.' };
    const message = messageOf(thinking, text('# A title\n\n<b>bold</b> **words**\n'), use, text('And more.'));
    expect(messageMarkdown(message, t)).toBe('# A title\n\n<b>bold</b> **words**\n\nAnd more.');
    expect(messagePlainText(messageOf(text('# A **title**\n\n- `one`')), t)).toBe('A title\n\none');
  });

  it('contains its tool input and output in intact code fences if it has no text', () => {
    const result: ContentBlock = { type: 'tool_result', toolUseId: 'c', isError: false, content: [text('```\nb')] };
    expect(messageMarkdown(messageOf(use, text(' '), result), t)).toBe(
      ['**read_file** a.ts', '```json\n{\n  "path": "a.ts"\n}\n```', '**Result** \\`\\`\\`', '````\n```\nb\n````'].join(
        '\n\n',
      ),
    );
  });

  it('is quoted line by line', () => {
    expect(quoteMarkdown('one\r\n\n> two\n')).toBe('> one\n>\n> > two\n\n');
  });
});
