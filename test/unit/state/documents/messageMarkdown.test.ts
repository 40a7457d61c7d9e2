import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../../../src/api/resources/contentBlock.ts';
import type { Message } from '../../../../src/api/resources/message.ts';
import type { PageBlock, PageRow } from '../../../../src/shared/protocol/rowTypes.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';
import * as texts from '../../../../src/state/documents/messageMarkdown.ts';
import { markdownOf } from '../../../../src/state/markdown/jsonText.ts';
import { describeMessage } from '../../../../src/state/presentation/describeMessage.ts';
import { t } from '../samples.ts';

const messageDocument = (...given: Parameters<typeof texts.messageDocument>) =>
  withoutPause(texts.messageDocument(...given));
const messageMarkdown = (...given: Parameters<typeof texts.messageMarkdown>) =>
  withoutPause(texts.messageMarkdown(...given));
const messagePlainText = (...given: Parameters<typeof texts.messagePlainText>) =>
  withoutPause(texts.messagePlainText(...given));
const messageText = (...given: Parameters<typeof texts.messageText>) => withoutPause(texts.messageText(...given));
const outputText = (...given: Parameters<typeof texts.outputText>) => withoutPause(texts.outputText(...given));
const quoteMarkdown = (...given: Parameters<typeof texts.quoteMarkdown>) => withoutPause(texts.quoteMarkdown(...given));

const messageOf = (...content: ContentBlock[]): Message => ({ id: 'm', createdAt: 1, updatedAt: 1, content });
const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const use: ContentBlock = { type: 'tool_use', toolUseId: 'c', name: 'read_file', input: { path: 'a.ts' } };

describe('a copied message', () => {
  it('contains its original text, without thinking and tool calls', () => {
    const thinking: ContentBlock = { type: 'thinking', thinking: 'Hm.' };
    const message = messageOf(thinking, text('# A title\n\n<b>bold</b> **words**\n'), use, text('And more.'));
    expect(messageMarkdown(message, t)).toBe('# A title\n\n<b>bold</b> **words**\n\nAnd more.');
    expect(messageMarkdown(messageOf(text(' \n'), text(' One. '), text('')), t)).toBe('One.');
    expect(messagePlainText(messageOf(text('# A **title**\n\n- `one`')), undefined, t)).toBe('A title\n\none');
  });

  it('contains its tool input and output in intact code fences if it has no text', () => {
    const result: ContentBlock = { type: 'tool_result', toolUseId: 'c', isError: false, content: [text('```\nb')] };
    expect(messageMarkdown(messageOf(use, text(' '), result), t)).toBe(
      ['**read_file** a.ts', '```json\n{\n  "path": "a.ts"\n}\n```', '**Result** \\`\\`\\`', '````\n```\nb\n````'].join(
        '\n\n',
      ),
    );
  });

  it('names its attachments if it has no text', () => {
    const document: ContentBlock = {
      type: 'document',
      name: 'a.md',
      mediaType: 'text/plain',
      source: { data: 'YQ==' },
    };
    const message = messageOf(text(''), document);
    expect(messageMarkdown(message, t)).toBe('*(File: a.md, 1 B)*');
    expect(messagePlainText(message, undefined, t)).toBe('(File: a.md, 1 B)');
    expect(messageDocument(message, t)).toBe('*(File: a.md, 1 B)*');
  });

  it('is quoted line by line', () => {
    expect(quoteMarkdown('one\r\n\n> two\n')).toBe('> one\n>\n> > two\n\n');
  });
});

describe('a question to the user in a document', () => {
  const textOfCall = (questions: readonly object[]) => {
    const asks: ContentBlock = { type: 'tool_use', toolUseId: 'q', name: 'AskUserQuestion', input: { questions } };
    const answers = new Map([[0, { state: 'passed' }]] as const);
    return messageText(withoutPause(describeMessage(messageOf(asks), undefined, 'm', t, undefined, answers)), t);
  };

  it('has its header and what its options say, none of which is Markdown', () => {
    const options = [
      { label: 'EUR', description: 'The *euro*.\n# Not a title' },
      ...['[USD](command:x)', '# a', '1. b', '- c'].map((label) => ({ label })),
    ];
    expect(textOfCall([{ question: 'Which **one**?', header: '`Money`', options }])).toBe(
      [
        '**The agent asks: Which one?**',
        '**\\`Money\\`**',
        'Which **one**?',
        '- EUR: The \\*euro\\*. # Not a title\n- \\[USD\\](command:x)\n- \\# a\n- 1\\. b\n- \\- c',
      ].join('\n\n'),
    );
  });

  it('has long options, and says how many options and questions it lacks', () => {
    const long = 'x'.repeat(900);
    const options = [{ label: long }, ...Array.from({ length: 50 }, (_, index) => ({ label: `o${index}` }))];
    const drawn = textOfCall(Array.from({ length: 21 }, (_, index) => ({ question: `Q${index}?`, options })));
    expect(drawn).toContain(`\n\nQ0?\n\n- ${long}\n- o0\n`);
    expect(drawn).toContain("\n- o48\n\n*(1 more option isn't shown.)*\n\nQ1?");
    expect(drawn).toContain("Q19?\n\n*(51 more options aren't shown.)*");
    expect(drawn.endsWith("\n\n*(1 more question isn't shown.)*")).toBe(true);
  });
});

describe('a message that is JSON', () => {
  const json = '{\n  "path": "C:\\\\a_b_c",\n  "items": ["*a*", "\\n```\\n"]\n}';
  const message = messageOf(text(`\n${json}\n`), text('As asked.'));

  it('is a code block on the page and in documents, and as it was sent in copies', () => {
    const drawn = `\`\`\`json\n${json}\n\`\`\``;
    const { blocks } = withoutPause(describeMessage(message, undefined, 'm', t));
    expect(blocks).toEqual([
      { type: 'markdown', text: drawn },
      { type: 'markdown', text: 'As asked.' },
    ]);
    expect(messageDocument(message, t)).toBe(`${drawn}\n\nAs asked.`);
    expect(messageMarkdown(message, t)).toBe(`${json}\n\nAs asked.`);
    expect(messagePlainText(message, undefined, t)).toBe(`${json}\n\nAs asked.`);
  });

  it.each([
    '{"a": 1} and more',
    '[a](https://a.test) "b"]',
    '["a" [1]',
    '[1]',
    '{}',
    '"a"',
    `{"a": "${'a'.repeat(250_000)}"}`,
    'x ["a"]',
  ])('is text if it is not JSON as a whole: %s', (words) => expect(markdownOf(words)).toBe(words));

  it.each(['["a"]', ' {"a": 1} ', `{"a": "${'a'.repeat(249_991)}"}`])('can be short or long: %s', (words) => {
    expect(markdownOf(words)).toBe(`\`\`\`json\n${words.trim()}\n\`\`\``);
  });
});

describe('a message as a document of its own', () => {
  it('is what Copy copies', () => {
    const words = '# A title\n\nSetext\n---\n\n**words** and `![code](x)` <b>\n\n```html\n<img src="x">\n```';
    const copied = messageMarkdown(messageOf(use, text(words), text(' And more.\n')), t);
    expect(messageDocument(messageOf(use, text(words), text(' And more.\n')), t)).toBe(copied);
    expect(messageDocument(messageOf(use), t)).toBe(messageMarkdown(messageOf(use), t));
    expect(messageDocument(messageOf(text('```\nopen')), t)).toBe('```\nopen');
  });

  it('has no blocks of HTML and no front matter', () => {
    const words = '---\na: b\n---\n<img src="https://a.test">\n<div>\n```\n<img src="x">\n```';
    expect(messageDocument(messageOf(text(words)), t)).toBe(
      '\n---\na: b\n---\n\\<img src="https://a.test">\n\\<div>\n```\n<img src="x">\n```',
    );
  });
});

describe('the output of a tool as a document', () => {
  const resultOf = (...content: ContentBlock[]) =>
    outputText({ type: 'tool_result', toolUseId: 'c', isError: false, content }, t);

  it('is its whole text, as it is', () => {
    const long = '# not *Markdown*\n'.repeat(50_000);
    expect(resultOf(text(long)) === long).toBe(true);
    expect(resultOf(text('a\r\nb\0'), text('c'))).toBe('a\nb\u2400\nc');
    expect(resultOf()).toBe('');
  });

  it('names content that is not text', () => {
    const image: ContentBlock = { type: 'image', source: { mediaType: 'image/png', data: 'iVBORw0KGgo=' } };
    expect(resultOf(text('one'), image)).toBe('one\n*(Image: image/png, 8 B)*');
  });
});

describe('the text of a message in a document', () => {
  const textOf = (blocks: readonly PageBlock[], part: Partial<PageRow> = {}) =>
    messageText(
      {
        ...{ key: 'm', role: 'assistant', roleLabel: 'Assistant', createdAt: 1, isError: false, badges: [] },
        blocks,
        ...part,
      },
      t,
    );

  it('has no lines for what it lacks', () => {
    expect(textOf([])).toBe('');
    expect(textOf([{ type: 'markdown', text: '' }])).toBe('');
    expect(textOf([], { isError: true })).toBe('*Error*');
    expect(textOf([], { badges: [{ label: 'a_b', hint: '' }] })).toBe('*a_b*');
    expect(textOf([{ type: 'file', name: 'a', detail: '' }])).toBe('*(File: a)*');
    expect(textOf([{ type: 'note', text: 'a' }])).toBe('*(a)*');
    const item = (text: string, state: 'done' | 'current') => ({ text, state, spoken: '' });
    const items = [item('[a](command:b)', 'done'), item('# b', 'current')];
    expect(textOf([{ type: 'checklist', items }])).toBe('- [x] \\[a\\](command:b)\n- [ ] # b');
    const fold = { type: 'fold', kind: 'thinking', title: '*T*', isError: false, blocks: [] } as const;
    expect(textOf([fold, { type: 'markdown', text: 'a' }])).toBe('**\\*T\\***\n\na');
    expect(textOf([{ ...fold, detail: '[d]' }])).toBe('**\\*T\\***');
    expect(textOf([{ ...fold, kind: 'toolUse', detail: '[d]' }])).toBe('**\\*T\\*** \\[d\\]');
  });

  it('shortens long names, links, and notes', () => {
    const image = (length: number) => textOf([{ type: 'image', mediaType: 'x'.repeat(length), base64: 'AAAA' }]);
    expect(image(60)).toBe(`*(Image: ${'x'.repeat(60)}, 3 B)*`);
    expect(image(61)).toBe(`*(Image: ${'x'.repeat(59)}…, 3 B)*`);
    const link = (length: number) => textOf([{ type: 'note', text: 'a', href: 'x'.repeat(length) }]);
    expect(link(2_000)).toBe(`*(a: ${'x'.repeat(2_000)})*`);
    expect(link(2_001)).toBe(`*(a: ${'x'.repeat(1_999)}…)*`);
    const note = (length: number) => textOf([{ type: 'note', text: 'x'.repeat(length) }]);
    expect(note(2_200)).toBe(`*(${'x'.repeat(2_200)})*`);
    expect(note(2_201)).toBe(`*(${'x'.repeat(2_199)}…)*`);
  });
});
