import { describe, expect, it } from 'vitest';
import { type Message, readMessage } from '../../../../src/api/resources/message.ts';
import { sessionSchema } from '../../../../src/api/resources/session.ts';
import {
  exportFormats,
  type ExportPiece,
  type ExportPlan,
  exportPieces,
  fileNameOf,
} from '../../../../src/state/documents/export.ts';
import { previewLinks } from '../../../fakes/markdownLinks.ts';
import { unfiltered } from '../../../../src/state/conversation/filter.ts';
import { summarizeMessage } from '../../../../src/state/store/messageHeader.ts';
import { ready, recordOf, sessionOf, t, undescribable, unreadRecord } from '../samples.ts';

const message = (id: string, text: string, part: Partial<Message> = {}): Message => ({
  id,
  role: 'user',
  createdAt: 1_000,
  updatedAt: 1_000,
  content: [{ type: 'text', text }],
  ...part,
});

async function exported(messages: readonly Message[], part: Partial<ExportPlan> = {}) {
  const session = sessionOf({ sessionSettings: { tags: [{ name: 'bug "1"' }], model: 'sonnet' } });
  const headers = messages.map((one) => summarizeMessage(one));
  const asked: number[] = [];
  const plan: ExportPlan = {
    format: 'markdown',
    isRedacted: false,
    record: recordOf({ session, headers }),
    connection: ready,
    filter: unfiltered,
    words: { t, time: String, dateTime: String },
    readBodies: (messageIds) => {
      asked.push(messageIds.length);
      return Promise.resolve(messages.filter(({ id }) => messageIds.includes(id)));
    },
    ...part,
  };
  let text = '';
  const pieces: ExportPiece[] = [];
  for await (const piece of exportPieces(plan)) {
    text += piece.text;
    pieces.push(piece);
  }
  const { done, redacted, missing } = pieces.at(-1)!;
  return { text, asked, pieces, done, redacted, missing };
}

describe('an export', () => {
  it('has all other messages if one cannot be described', async () => {
    const { text } = await exported([
      message('m1', 'One'),
      message('m2', '', { content: [undescribable] }),
      message('m3', 'Three'),
    ]);
    expect(text).toMatch(/\nOne\n[^]*Couldn't display this message: [^]*\nThree\n/);
  });

  it('is available as Markdown, JSON, and JSON Lines', async () => {
    const starts = exportFormats.map(async (format) => {
      const { text } = await exported([message('m1', 'Hello')], { format });
      return [format, text.split('\n', 2).map((line) => line.slice(0, 12))];
    });
    expect(Object.fromEntries(await Promise.all(starts))).toEqual({
      markdown: ['---', 'title: "Fix '],
      json: ['{"formatVers', '"messages":['],
      jsonl: ['{"formatVers', '{"id":"m1","'],
    });
  });

  it('as Markdown is the head of the document, and a section for each message', async () => {
    const record = recordOf({ session: sessionOf({ sessionSettings: {} }), headers: [] });
    const messages = [message('m1', 'Hello'), message('m2', ''), message('m3', '```\nx')];
    const headers = messages.map((one) => summarizeMessage(one));
    const { text, pieces } = await exported(messages, { record: { ...record, headers } });
    expect(text.slice(text.indexOf('\n---\n\n'))).toBe(
      [
        '\n---\n\n# Fix the login\n',
        '\n## User, 1000: Hello\n\nHello\n',
        '\n### User, 1000\n',
        '\n## User, 1000: x\n\n```\nx\n```\n',
      ].join(''),
    );
    expect(text).not.toMatch(/^(?:tags|shown): /m);
    expect(text.startsWith('---\ntitle: ')).toBe(true);
    expect(text).not.toContain('Part 1');
    expect(pieces.map(({ text: piece }) => piece === '')).toEqual([false, false, true]);
    expect(pieces.map(({ total, missing, redacted }) => [total, missing, redacted])).toEqual(
      Array.from({ length: 3 }, () => [3, 0, 0]),
    );
  });

  it('of a session that was never loaded has its ID', async () => {
    const markdown = await exported([], { record: unreadRecord() });
    expect(markdown.text).toContain(
      'session: "session-1"\nservice: "https://service.test"\nstatus: "Not loaded yet"\n---\n',
    );
    const json = await exported([], { record: unreadRecord(), format: 'json' });
    expect(JSON.parse(json.text)).toMatchObject({ session: { sessionId: 'session-1' }, messages: [] });
    expect(json.redacted).toBe(0);
  });

  it('as Markdown says so if some messages aren’t loaded', async () => {
    const record = recordOf({ history: { completeness: 'partial', isLoading: false } });
    expect((await exported([], { record })).text).toContain('*0 of 12 messages are loaded.');
  });

  it('as Markdown starts with the session’s metadata, including tags', async () => {
    const { text } = await exported([message('m1', 'Hello')]);
    const [, front = ''] = text.split('---\n');
    expect(front).toContain('title: "Fix the login"');
    expect(front).toContain('tags: ["bug \\"1\\""]');
    expect(text).toContain('\n# Fix the login\n');
    expect(text).toMatch(/\n## User, 1000: Hello\n\nHello\n$/);
  });

  it('as Markdown prevents messages from affecting each other', async () => {
    const { text } = await exported([
      message('m1', '```\nnever closed\n# forged'),
      message('m2', '# not ours\n---\nx'),
    ]);
    expect(text.match(/^## /gm)).toHaveLength(2);
    expect(text.match(/^# /gm)).toHaveLength(2);
    expect(text.match(/^```$/gm)).toHaveLength(2);
  });

  it.each(['json', 'jsonl'] as const)(
    'as %s is what the service returned, and marks what Lineside added (R40)',
    async (format) => {
      const sent = [
        {
          unlisted: { z: 1, a: [null] },
          id: 'm1',
          role: 'critic',
          createdAt: 1_000,
          updatedAt: 1_000,
          visibility: null,
          content: [
            { type: 'tool_use', id: 'u', name: 'grep', input: { b: 1 }, extra: true },
            { type: 'diagram', source: 'a -> b' },
            { type: 'redacted_thinking', data: 'x' },
          ],
        },
        { content: 'only text', id: 'm2', createdAt: 2_000, updatedAt: 2_000 },
        { id: 'm3', role: 'user', createdAt: 3_000, updatedAt: 3_000, content: [] },
        { id: 'm4', role: 'tool', createdAt: 'never', content: 'unreadable' },
      ];
      const session = { unlisted: 1, ...sessionOf(), status: 'paused', sessionSettings: { other: [1], model: null } };
      const messages = sent.map((value) => readMessage(value, 4_000)!);
      const headers = messages.map((one) => summarizeMessage(one, one.id === 'm2' ? 'user' : undefined));
      const [m1, m2, m3, m4] = headers;
      const record = recordOf({
        session: sessionSchema.parse(session),
        headers: [m1!, m2!, { ...m3!, isGone: true }, m4!, { ...m2!, messageId: 'm5' }],
      });
      const { text, missing } = await exported(messages, { format, record });
      const values = format === 'json' ? [text] : text.trim().split('\n');
      const read = values.map((value) => JSON.parse(value) as Record<string, unknown>);
      const told = format === 'json' ? (read[0]?.['messages'] as unknown[]) : read.slice(1);
      expect(JSON.stringify(told)).toBe(
        JSON.stringify([
          sent[0],
          { ...sent[1], lineside: { role: 'user' } },
          { ...sent[2], lineside: { isRemoved: true } },
          sent[3],
          { id: 'm5', createdAt: 2_000, updatedAt: 2_000, lineside: { role: 'user', isMissing: true } },
        ]),
      );
      expect(missing).toBe(1);
      expect(JSON.stringify(read[0]?.['session'])).toBe(JSON.stringify(session));
      expect(read[0]).toMatchObject({ formatVersion: 2, service: 'https://service.test' });
    },
  );

  it.each(['markdown', 'json', 'jsonl'] as const)('as %s applies and states the detail level', async (format) => {
    const messages = [
      message('m1', 'Why?'),
      message('m2', '', { role: 'assistant', content: [{ type: 'tool_use', name: 'grep', input: {} }] }),
      message('m3', 'Because.', { role: 'assistant' }),
    ];
    const filter = { detailLevel: 'answers' } as const;
    const { text, done } = await exported(messages, { format, filter });
    expect(done).toBe(2);
    expect(text).toContain('Because.');
    expect(text).not.toContain('grep');
    if (format === 'markdown') expect(text).toContain('\nshown: "Answers Only: 2 of 3 messages"\n---');
    else expect(text.split('\n')[0]).toContain('"shown":{"totalCount":3,"detailLevel":"answers"}');
    if (format === 'json') expect(JSON.parse(text)).toMatchObject({ messages: [{ id: 'm1' }, { id: 'm3' }] });
  });

  it('without messages is valid', async () => {
    expect(JSON.parse((await exported([], { format: 'json' })).text)).toMatchObject({ messages: [] });
  });

  it('loads at most 50 message bodies at a time, and nothing after the last one', async () => {
    const messages = Array.from({ length: 1_234 }, (_, index) => message(`m${index}`, `text ${index}`));
    const { asked, done, text, pieces } = await exported(messages, { format: 'jsonl' });
    expect(asked).toEqual([...Array.from({ length: 24 }, () => 50), 34]);
    expect(done).toBe(1_234);
    expect(pieces.map((piece) => piece.done).slice(0, 3)).toEqual([0, 50, 100]);
    expect(text.trim().split('\n')).toHaveLength(1_235);
    expect((await exported(messages.slice(0, 50))).asked).toEqual([50]);
    expect((await exported([])).asked).toEqual([]);
  });

  it("as Markdown doesn't say that the user wrote a tool result", async () => {
    const result = {
      type: 'tool_result',
      toolUseId: 'c',
      isError: false,
      content: [{ type: 'text', text: 'ok' }],
    } as const;
    const { text } = await exported([message('m1', 'Hello'), message('m2', '', { content: [result] })]);
    expect(text.match(/^##.*/gm)).toEqual(['## User, 1000: Hello', '### Tool, 1000: ok']);
  });

  it('as Markdown has the date of a message only if a new day begins, also between chunks', async () => {
    const dayMs = 24 * 60 * 60_000;
    const messages = Array.from({ length: 102 }, (_, index) =>
      message(`m${index}`, '', { createdAt: new Date(2026, 4, 20).getTime() + (index < 52 ? 0 : dayMs) }),
    );
    const { text } = await exported(messages, { words: { t, time: () => 'time', dateTime: () => 'date' } });
    const times = [...text.matchAll(/^### User, (\w+)$/gm)].map(([, when]) => when);
    const dated = times.flatMap((when, index) => (when === 'date' ? [index] : []));
    expect(times).toHaveLength(102);
    expect(dated).toEqual([0, 52]);
  });

  it('redacts secrets and counts them', async () => {
    const secret = `ghp_${'aB3'.repeat(12)}`;
    for (const format of ['markdown', 'json', 'jsonl'] as const) {
      const { text, redacted } = await exported([message('m1', `x\n\nthe key ${secret}`)], {
        format,
        isRedacted: true,
      });
      expect(text).not.toContain(secret);
      expect(redacted).toBe(1);
    }
  });

  it.each(['markdown', 'json', 'jsonl'] as const)(
    'as %s redacts passwords of commands that are lists',
    async (format) => {
      const word = ['correct', 'horse7'].join('-');
      const server = JSON.stringify({ args: ['serve', '--password', word] }, undefined, 2);
      const content: Message['content'] = [
        { type: 'tool_use', toolUseId: 't1', name: 'shell', input: { command: ['sshpass', '-p', word, 'ssh', 'h'] } },
        { type: 'tool_use', toolUseId: 't2', name: 'Write', input: { file_path: 'mcp.json', content: server } },
      ];
      const messages = [message('m1', '', { role: 'assistant', content })];
      const { text, redacted } = await exported(messages, { format, isRedacted: true });
      expect(text).not.toContain(word);
      expect(text).toContain('sshpass');
      expect(redacted).toBe(2);
    },
  );

  it('exports a message as verbatim text if redaction makes one of its lines a fence', async () => {
    const messages = [
      message('m1', '```js password="Zq7`kX2pL9vR4tW8"'),
      message('m2', '```\n[a](command:x) ![b](https://x.test/c.png)\n```'),
    ];
    const { text } = await exported(messages, { isRedacted: true });
    expect(previewLinks(text)).toEqual([]);
    expect(text).not.toContain('Zq7`kX2pL9vR4tW8');
    expect(text).toMatch(/^```\n\[a\]\(command:x\) /m);
  });

  it('redacts secrets in titles and headings as well', async () => {
    const secret = `ghp_${'aB3'.repeat(12)}`;
    for (const [format, count] of [
      ['markdown', 2],
      ['json', 2],
    ] as const) {
      const messages = [message('m1', `the key ${secret}`)];
      const headers = messages.map((one) => summarizeMessage(one));
      const record = recordOf({ session: sessionOf({ title: `About ${secret}` }), headers });
      const { text, redacted, pieces } = await exported(messages, { format, record, isRedacted: true });
      expect(text).not.toContain(secret);
      expect([format, redacted]).toEqual([format, count]);
      expect(pieces[0]?.redacted).toBe(1);
    }
  });

  it('as Markdown redacts secrets that a heading, the title of a step, or the head cuts off', async () => {
    const secret = `ghp_${'aB3'.repeat(12)}`;
    const far = 'x '.repeat(50);
    const messages = [
      message('m1', `Push to the mirror with ${secret}`),
      message('m2', `${secret} ${secret} ${secret}`),
      message('m3', '', {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: `${far}${secret}` },
          { type: 'tool_use', name: 'bash', input: { command: `${far}${secret}` } },
          { type: 'tool_result', isError: false, content: [{ type: 'text', text: `${far}${secret}` }] },
        ],
      }),
      message('m4', '', { role: 'assistant', content: [], openaiReasoningSummary: `${far}${secret}` }),
    ];
    const session = sessionOf({
      title: `${far}${secret}`,
      sessionSettings: { model: `${far}${far}${secret}`, tags: [{ name: secret }] },
    });
    const record = recordOf({ session, headers: messages.map((one) => summarizeMessage(one)) });
    const { text } = await exported(messages, { record, isRedacted: true });
    expect(text).not.toContain('ghp_');
    expect(text).toContain('\n## User, 1000: Push to the mirror with \\[redacted\\]\n');
    const named = { ...record, listEntry: { ...record.listEntry, name: `${far}${secret}` } };
    expect((await exported(messages, { record: named, isRedacted: true })).text).not.toContain('ghp_');
    expect((await exported(messages, { record })).text.match(/ghp_/g)?.length).toBeGreaterThan(12);
  });

  it('as Markdown has no first line of a message that is redacted and couldn’t be loaded', async () => {
    const part = { isRedacted: true, readBodies: () => Promise.resolve([]) };
    const { text } = await exported([message('m1', `${'x '.repeat(50)}ghp_${'aB3'.repeat(12)}`)], part);
    expect(text).toContain("\n## User, 1000\n\n*Couldn't load this message.*\n");
  });

  it('as Markdown redacts passwords with characters that are escaped in Markdown', async () => {
    const messages = [message('m1', 'Set this:\n\nDB_PASSWORD=aB$3kd9$Zq7Lm')];
    const { text } = await exported(messages, { isRedacted: true });
    expect(text).toMatch(/\n\nDB_PASSWORD=\[redacted\]\n$/);
  });

  it('as Markdown is verbatim text if redaction removed a fence, and Markdown otherwise', async () => {
    const bodyOf = async (text: string) => {
      const all = await exported([message('m1', `x\n\n${text}`)], { isRedacted: true });
      expect(all.redacted).toBe(1);
      return all.text.slice(all.text.indexOf('## User, 1000: x\n\n') + 18);
    };
    const key = (inside: string) =>
      ['-----BEGIN', ' PRIVATE KEY-----\n', inside, '\n-----END', ' PRIVATE KEY-----'].join('');
    expect(await bodyOf(key('abc'))).toBe('x\n\n[redacted]\n');
    expect(await bodyOf(`\`\`\`\n${key('abc')}\n\`\`\``)).toBe('x\n\n```\n[redacted]\n```\n');
    expect(await bodyOf(key('abc```def'))).toBe('x\n\n[redacted]\n');
    expect(await bodyOf(`${key('```\nabc')}\n# y`)).toBe('```\nx\n\n[redacted]\n# y\n```\n');
  });

  it("marks messages that can't be loaded", async () => {
    const { text, missing } = await exported([message('m1', 'a')], { readBodies: () => Promise.resolve([]) });
    expect(text).toContain("*Couldn't load this message.*");
    expect(missing).toBe(1);
  });
});

describe('the file name of an export', () => {
  it.each([
    ['Fix it', 'Fix it'],
    ['. -a.b - c. -', 'a.b - c'],
    ['a\\b/c:*d\u2026', 'a-b-c-d'],
    ['...', 'session'],
    ['x'.repeat(60), 'x'.repeat(60)],
    ['x'.repeat(61), 'x'.repeat(59)],
    ['😀'.repeat(100), '😀'.repeat(59)],
  ])('of %j is %j', (title, name) => expect(fileNameOf(title)).toBe(name));
});
