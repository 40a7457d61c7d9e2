import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import type { PageBlock, PageRow } from '../../../../src/shared/protocol/rowTypes.ts';
import {
  documentHead,
  messageHeading,
  messageTitle,
  messagesStart,
  partsOf,
  placingSections,
  stepTowards,
} from '../../../../src/state/documents/document.ts';
import { escapedLine } from '../../../../src/state/markdown/embed.ts';
import * as embed from '../../../../src/state/markdown/embed.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import type { SessionRecord } from '../../../../src/state/store/sessionRecord.ts';
import * as texts from '../../../../src/state/documents/messageMarkdown.ts';
import { minuteMs, now, ready, recordOf, sessionOf, t, unreadRecord } from '../samples.ts';

const messageText = (...given: Parameters<typeof texts.messageText>) => withoutPause(texts.messageText(...given));

const embeddedMarkdown = (...given: Parameters<typeof embed.embeddedMarkdown>) =>
  withoutPause(embed.embeddedMarkdown(...given));
const fencedText = (...given: Parameters<typeof embed.fencedText>) => withoutPause(embed.fencedText(...given));

const parser = new MarkdownIt({ html: true });
const words = {
  t,
  time: (timeMs: number) => new Date(timeMs).toISOString().slice(11, 16),
  dateTime: (timeMs: number) => new Date(timeMs).toISOString().slice(0, 16),
};

/** The headings that a Markdown parser finds, at any depth, each with its level and plain text. */
function headingsOf(markdown: string): { level: number; text: string }[] {
  const tokens = parser.parse(markdown, {});
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return [];
    const text = (tokens[index + 1]?.children ?? []).map(({ content }) => content).join('');
    return [{ level: Number(token.tag.slice(1)), text }];
  });
}

/** Parts of hostile or careless text: everything that can start, end, or continue a Markdown block. */
const pieces = [
  ...['# User, 14:02', '## x', '#', '###### y', '#hash', 'text', '', '  ', '\t', '    # in code', '\t# tab'],
  ...['```', '````', '~~~', '``` js', '```a`b', '~~~~ `', '   ```', '    ```', '- ```', '> ```', '1. ```', '  ~~~'],
  ...['===', '---', '-', '=', '- ', '--- ', '***', '- - -', '> ---', '1. ---', '  ---', '   ===', '- \t-', '-\t---'],
  ...[
    '<!-- open',
    '-->',
    '<script>',
    '</script>',
    '<pre>',
    '<div>',
    '</div>',
    '<?php',
    '<![CDATA[',
    '<!X',
    '<b>',
    ' <!--',
  ],
  ...[
    '- item',
    '1. item',
    '10) item',
    '> quote',
    '>',
    '> # q',
    '- # l',
    '1. # n',
    '-\t# t',
    '> > - # deep',
    '- [ ] # task',
  ],
  ...['[a]: /url "title', '[a]: /url', '| a | b |', '| - | - |', '$$', '$$x$$', '\\', '\u2028# ls', '\r# cr', '\0'],
];
const hostileText = fc
  .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...pieces) }, fc.string({ maxLength: 12 })), {
    maxLength: 14,
  })
  .chain((parts) =>
    fc
      .array(fc.constantFrom('\n', '\n', '\n\n', ' ', '\n  ', '\n    '), {
        minLength: parts.length,
        maxLength: parts.length,
      })
      .map((ends) => parts.map((part, index) => part + (ends[index] ?? '')).join('')),
  );
const hostileBlock: fc.Arbitrary<PageBlock> = fc.oneof(
  hostileText.map((text) => ({ type: 'markdown', text }) as const),
  fc.tuple(hostileText, hostileText).map(([text, language]) => ({ type: 'code', text, language }) as const),
  hostileText.map((name) => ({ type: 'file', name, detail: name }) as const),
  hostileText.map((text) => ({ type: 'note', text, href: text }) as const),
  fc.tuple(hostileText, hostileText).map(
    ([text, title]) =>
      ({
        type: 'fold',
        kind: 'thinking',
        title,
        detail: title,
        isError: false,
        blocks: [
          { type: 'markdown', text },
          { type: 'code', text: title },
        ],
      }) as const,
  ),
);

const headingOf = (header: MessageHeader, role: string, before?: MessageHeader) =>
  messageHeading(header, messageTitle(header, role, before, words));
const rowOf = (blocks: readonly PageBlock[], part: Partial<PageRow> = {}): PageRow => ({
  ...{ key: 'm1', role: 'assistant', roleLabel: 'Assistant', createdAt: now, isError: false, badges: [] },
  blocks,
  ...part,
});
const headerOf = (part: Partial<MessageHeader> = {}): MessageHeader => ({
  ...{
    messageId: 'm1',
    role: 'user',
    createdAt: now,
    updatedAt: now,
    firstLine: '',
    estimatedLines: 1,
    isError: false,
  },
  ...{ hasText: true, hasThinking: false, toolCount: 0, errorCount: 0, isModelOnly: false, hasAddedText: false },
  ...part,
});

describe('messages in a document', () => {
  it("can't forge or hide a heading or affect other messages", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(hostileBlock, { maxLength: 3 }), { minLength: 1, maxLength: 3 }),
        hostileText,
        (messages, line) => {
          const parts = messages.flatMap((blocks, index) => [
            headingOf(
              headerOf({ role: index % 2 ? 'assistant' : 'user', firstLine: line }),
              `Role ${index}`,
              headerOf(),
            ),
            messageText(rowOf(blocks, { badges: [{ label: line, hint: '' }] }), t),
          ]);
          const head = documentHead(
            recordOf({ session: sessionOf({ title: line }) }),
            ready,
            { number: 1, count: 2 },
            words,
          );
          const ours = headingsOf([...parts, '### The end'].join('\n\n')).filter(({ level }) => level <= 3);
          const levels = messages.map((_, index) => (index % 2 ? 3 : 2));
          expect(ours.map(({ level }) => level)).toEqual([...levels, 3]);
          ours.slice(0, -1).forEach(({ text }, index) => expect(text.startsWith(`Role ${index}, `)).toBe(true));
          const titles = headingsOf(head.slice(head.indexOf('\n---\n') + 5));
          expect(titles.map(({ level }) => level)).toEqual([1]);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('keep the exact text of code blocks', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const tokens = parser.parse(fencedText(text, 'js'), {});
        expect(tokens.map(({ type }) => type)).toEqual(['fence']);
        const shown = text
          .replace(/\r\n?|[\u2028\u2029]/g, '\n')
          .replaceAll('\0', '\u2400')
          .replace(/\n+$/, '');
        expect(tokens[0]?.content.replace(/\n$/, '')).toBe(shown);
      }),
    );
  });

  it('have headings below the document’s own, and keep code unchanged', () => {
    const text = '# Plan\n\n## Step\nOne\n---\nTwo\n\n```bash\n# a comment\n<b>\n```\n\n- # in a list\n\n#### Deep';
    expect(embeddedMarkdown(text)).toBe(
      '#### Plan\n\n##### Step\nOne\n\n---\nTwo\n\n```bash\n# a comment\n<b>\n```\n\n- #### in a list\n\n###### Deep',
    );
    expect(embeddedMarkdown('```js\nlet open;')).toBe('```js\nlet open;\n```');
    expect(embeddedMarkdown('~~~~\n```\n~~~')).toBe('~~~~\n```\n~~~\n~~~~');
    expect(embeddedMarkdown('<!-- hidden\n<https://a.test/> stays\n$$\nx\n$$\n$$ open')).toBe(
      '\\<!-- hidden\n<https://a.test/> stays\n$$\nx\n$$\n\\$$ open',
    );
  });

  it('are converted quickly, even if they contain long hostile text', () => {
    for (const line of ['$$a', '- - - - ', '> > > ', '<', '`'.repeat(50), '1. 1. 1. ']) {
      expect(embeddedMarkdown(`${line}\n`.repeat(20_000)).length).toBeGreaterThan(0);
    }
    expect(embeddedMarkdown('- '.repeat(200_000)).length).toBeGreaterThan(0);
    expect(embeddedMarkdown('-'.repeat(400_000) + 'x').length).toBeGreaterThan(0);
  });

  it('name images, files, and folds', () => {
    const blocks: PageBlock[] = [
      { type: 'image', mediaType: 'image/png', base64: 'iVBORw0KGgo=' },
      { type: 'file', name: 'notes_a.md', detail: 'text/plain, 1.2 KB' },
      { type: 'note', text: 'Remote image (not loaded)', href: 'https://\u0430.test/~x_/*a*%2F\u200b.png' },
      { type: 'note', text: 'Remote image (not loaded)', href: '../~x.png' },
      {
        ...{ type: 'fold', kind: 'toolUse', title: 'grep', detail: 'isSignedIn', isError: false },
        blocks: [{ type: 'code', text: '{}', language: 'json' }],
      },
      {
        ...{ type: 'fold', kind: 'thinking', title: 'Thinking', isError: false },
        blocks: [{ type: 'markdown', text: '# Hm\n```' }],
      },
    ];
    expect(messageText(rowOf(blocks, { isError: true, badges: [{ label: 'from Slack', hint: '' }] }), t)).toBe(
      [
        '*Error · from Slack*',
        '*(Image: image/png, 8 B)*',
        '*(File: notes_a.md, text/plain, 1.2 KB)*',
        '*(Remote image (not loaded): <https://xn--80a.test/~x_/*a*%2F%E2%80%8B.png>)*',
        '*(Remote image (not loaded): ../\\~x.png)*',
        '**grep** isSignedIn',
        '```json\n{}\n```',
        '**Thinking**',
        '````\n# Hm\n```\n````',
      ].join('\n\n'),
    );
  });

  it('have a heading with role, time, and first line, and with the date on a new day', () => {
    const first = headerOf({ firstLine: 'Fix the *login*' });
    const dayMs = 24 * 60 * minuteMs;
    expect(headingOf(first, 'User')).toBe(`## User, ${words.dateTime(now)}: Fix the \\*login\\*`);
    const answer = headerOf({ role: 'assistant', createdAt: now + minuteMs });
    expect(headingOf(answer, 'Assistant', first)).toBe(`### Assistant, ${words.time(now + minuteMs)}`);
    const later = headerOf({ createdAt: now + dayMs });
    expect(headingOf(later, 'User', answer)).toBe(`## User, ${words.dateTime(now + dayMs)}`);
  });

  it('have a heading with at most 60 characters of the first line, and without an unknown role', () => {
    const title = (firstLine: string) => headingOf(headerOf({ firstLine }), '', headerOf());
    expect(title('x'.repeat(60))).toBe(`## ${words.time(now)}: ${'x'.repeat(60)}`);
    expect(title('x'.repeat(61))).toBe(`## ${words.time(now)}: ${'x'.repeat(59)}…`);
  });

  it('escape titles', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), hostileText), (text) => {
        const line = text.replace(/\s+/g, ' ').replaceAll('\0', '').trim();
        fc.pre(line !== '');
        const [open, inline] = parser.parse(`# ${escapedLine(line)}`, {});
        expect(open?.type).toBe('heading_open');
        expect((inline?.children ?? []).map(({ content }) => content).join('')).toBe(line);
      }),
    );
  });
});

describe('the head of a document', () => {
  const one = { number: 1, count: 1 };

  it('contains the session’s metadata', () => {
    const session = sessionOf({ title: 'Fix "it"\n---\n# x', sessionSettings: { model: 'm-1' } });
    expect(documentHead(recordOf({ session, headers: [headerOf()] }), ready, one, words)).toBe(
      [
        '---',
        'title: "Fix \\"it\\" --- # x"',
        'session: "session-1"',
        'service: "https://service.test"',
        'status: "Idle"',
        'model: "m-1"',
        `created: "${words.dateTime(session.createdAt)}"`,
        '---',
        '',
        '# Fix "it" --- # x',
      ].join('\n'),
    );
  });

  it('lacks what is unknown about a session that was never loaded', () => {
    expect(documentHead(unreadRecord(), ready, one, words)).toBe(
      [
        '---',
        'title: "session-1"',
        'session: "session-1"',
        'service: "https://service.test"',
        'status: "Not loaded yet"',
        '---',
        '',
        '# session-1',
        '',
        "*Messages haven't loaded yet.*",
      ].join('\n'),
    );
  });

  it('has no note for a complete session, except that it has no messages', () => {
    const notesOf = (record: SessionRecord) => documentHead(record, ready, one, words).split('\n\n').slice(2);
    expect(notesOf(recordOf({ headers: [headerOf()] }))).toEqual([]);
    expect(notesOf(recordOf())).toEqual(['*No messages*']);
    expect(notesOf(recordOf({ headers: [headerOf()], isRemembered: true, asOf: undefined }))).toEqual([]);
  });

  it('counts at least the messages that are loaded', () => {
    const partial = { completeness: 'partial', isLoading: false } as const;
    const countOf = (record: SessionRecord) =>
      /(\d+ of \d+) messages/.exec(documentHead(record, ready, one, words))?.[1];
    const [a, b] = [headerOf(), headerOf({ messageId: 'm2' })];
    expect(countOf(recordOf({ history: partial, headers: [a, b], session: sessionOf({ messageCount: 1 }) }))).toBe(
      '2 of 2',
    );
    expect(countOf(unreadRecord({ history: partial, headers: [a, b] }))).toBe('2 of 2');
    expect(countOf(unreadRecord({ history: partial }))).toBe('0 of 0');
  });

  it('mentions missing messages and the time of the last refresh', () => {
    const partial = { completeness: 'partial', isLoading: false } as const;
    const record = recordOf({ history: partial, headers: [headerOf()], isRemembered: true });
    const head = documentHead(record, ready, one, words);
    expect(head).toContain('*1 of 12 messages are loaded.');
    expect(head).toContain(`*Last refreshed ${words.dateTime(record.asOf ?? 0)}.*`);
    expect(documentHead(record, { kind: 'starting' }, one, words)).not.toContain('Last refreshed');
    const second = documentHead(record, ready, { number: 2, count: 3 }, words);
    expect(second).toContain('Part 2 of 3.');
    expect(second).not.toContain('messages are loaded');
    expect(documentHead(record, ready, { number: 1, count: 2 }, words)).toContain('Part 1 of 2.');
  });
});

describe('the parts of a conversation', () => {
  it('contain whole messages, and a message that is too large has its own part', () => {
    expect(partsOf([], 10)).toEqual([{ first: 0, last: -1 }]);
    expect(partsOf([20, 1], 10)).toEqual([
      { first: 0, last: 0 },
      { first: 1, last: 1 },
    ]);
    expect(partsOf([5, 5, 6, 4, 20, 1], 10)).toEqual([
      { first: 0, last: 1 },
      { first: 2, last: 3 },
      { first: 4, last: 4 },
      { first: 5, last: 5 },
    ]);
  });

  it('have at most 5 MB', () => {
    expect(partsOf([1, 4_999_999])).toHaveLength(1);
    expect(partsOf([1, 5_000_000])).toHaveLength(2);
  });
});

describe('the next text of a document that changes', () => {
  const shown = 'running ## a\n\n## One\n\n### Two\n';

  it('is the wanted text if only its head or only its messages change', () => {
    for (const isHeadNext of [true, false]) {
      for (const wanted of ['idle ## a\n\n## One\n\n### Two\n', `${shown}\n### Three\n`, shown]) {
        expect(stepTowards(shown, wanted, isHeadNext)).toBe(wanted);
      }
    }
  });

  it('has only the new head or only the new messages if both change', () => {
    const wanted = 'idle ## b\n\n### Two\n';
    expect(stepTowards(shown, wanted, false)).toBe('running ## a\n\n### Two\n');
    expect(stepTowards(shown, wanted, true)).toBe('idle ## b\n\n## One\n\n### Two\n');
  });

  it('is split correctly if there are no messages or no head', () => {
    expect(stepTowards(shown, 'idle\n\n', false)).toBe('running ## a\n\n');
    expect(stepTowards('idle\n\n', shown, false)).toBe('idle\n\n## One\n\n### Two\n');
    expect(stepTowards('## One\n', 'idle\n\n## Two\n', false)).toBe('## Two\n');
  });
});

describe('the places of messages in a document', () => {
  const sections = [
    { messageId: 'a', text: '## User: A\n\nSee:\n\n```\n### Assistant: B\n\nno\n```' },
    { messageId: 'b', text: '### Assistant: B\n\nyes' },
    { messageId: 'c', text: '### Assistant: B' },
  ];
  const text = `# Title\n\n${sections.map((section) => section.text).join('\n\n')}\n`;
  const placed = (shown: string) =>
    withoutPause(placingSections(shown, sections)).map(({ messageId, start, bodyStart, end }) => [
      messageId,
      shown.slice(start, bodyStart),
      shown.slice(bodyStart, end).trim(),
    ]);

  it('finds messages among tens of thousands of equal lines', () => {
    const line = '## a\n';
    const [many, count] = [9_000, 20_000];
    const long = { messageId: 'long', text: line.repeat(many) };
    const sections = [long, ...Array.from({ length: count }, (_, at) => ({ messageId: `${at}`, text: '## a' }))];
    const starts = withoutPause(placingSections(line.repeat(many + count), sections)).map(({ start }) => start);
    expect(starts).toEqual([0, ...Array.from({ length: count }, (_, at) => (many + at) * line.length)]);
  });

  it('are found by their headings, even if a message quotes the heading of the next one', () => {
    expect(placed(text)).toEqual([
      ['a', '## User: A', 'See:\n\n```\n### Assistant: B\n\nno\n```'],
      ['b', '### Assistant: B', 'yes'],
      ['c', '### Assistant: B', ''],
    ]);
    expect(messagesStart(text)).toBe('# Title\n\n'.length);
  });

  it("don't include what follows the last message, unless the message has changed", () => {
    const end = '*Last refreshed 10:00.*';
    expect(placed(`${text}\n${end}\n`)).toEqual(placed(text));
    expect(placed(`# T\n\n## User: A\n\nnew\n\n${end}\n`)).toEqual([['a', '## User: A', `new\n\n${end}`]]);
  });

  it('are those that an older or newer text has', () => {
    expect(placed(text.slice(0, text.indexOf('```')).replace('See:', 'Changed:'))).toEqual([
      ['a', '## User: A', 'Changed:'],
    ]);
    expect(placed('## User: A\n\nNo title\n')).toEqual([['a', '## User: A', 'No title']]);
    expect(placed('# Title\n\n### Assistant: Before\n')).toEqual([]);
    expect(placed('x ## User: A\n## User: A and more\n')).toEqual([]);
    expect(messagesStart('# Title\n\nNo messages\n')).toBe(-1);
  });
});
