import { describe, expect, it } from 'vitest';
import { type Message, readMessage } from '../../../../src/api/resources/message.ts';
import { sessionSchema } from '../../../../src/api/resources/session.ts';
import { type ExportPlan, exportPieces } from '../../../../src/state/markdown/export.ts';
import { unfiltered } from '../../../../src/state/conversation/filter.ts';
import { summarizeMessage } from '../../../../src/state/store/messageHeader.ts';
import { ready, recordOf, sessionOf, t } from '../samples.ts';

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
  let mostAsked = 0;
  const plan: ExportPlan = {
    format: 'markdown',
    isRedacted: false,
    record: recordOf({ session, headers }),
    connection: ready,
    filter: unfiltered,
    words: { t, time: String, dateTime: String },
    readBodies: (messageIds) => {
      mostAsked = Math.max(mostAsked, messageIds.length);
      return Promise.resolve(messages.filter(({ id }) => messageIds.includes(id)));
    },
    ...part,
  };
  let text = '';
  let last = { done: 0, redacted: 0, missing: 0 };
  for await (const piece of exportPieces(plan)) {
    text += piece.text;
    last = piece;
  }
  return { text, mostAsked, done: last.done, redacted: last.redacted, missing: last.missing };
}

describe('an export', () => {
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
    const filter = { detailLevel: 'answers', hiddenRoles: [] } as const;
    const { text, done } = await exported(messages, { format, filter });
    expect(done).toBe(2);
    expect(text).toContain('Because.');
    expect(text).not.toContain('grep');
    if (format === 'markdown') expect(text).toContain('\nshown: "Answers Only: 2 of 3 messages"\n---');
    else expect(text.split('\n')[0]).toContain('"shown":{"totalCount":3,"detailLevel":"answers","hiddenRoles":[]}');
    if (format === 'json') expect(JSON.parse(text)).toMatchObject({ messages: [{ id: 'm1' }, { id: 'm3' }] });
    const byRole = { detailLevel: 'everything', hiddenRoles: ['user'] } as const;
    expect((await exported(messages, { format, filter: byRole })).done).toBe(2);
  });

  it('without messages is valid', async () => {
    expect(JSON.parse((await exported([], { format: 'json' })).text)).toMatchObject({ messages: [] });
  });

  it('loads at most 50 message bodies at a time', async () => {
    const messages = Array.from({ length: 1_234 }, (_, index) => message(`m${index}`, `text ${index}`));
    const { mostAsked, done, text } = await exported(messages, { format: 'jsonl' });
    expect(mostAsked).toBeLessThanOrEqual(50);
    expect(done).toBe(1_234);
    expect(text.trim().split('\n')).toHaveLength(1_235);
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

  it("marks messages that can't be loaded", async () => {
    const { text, missing } = await exported([message('m1', 'a')], { readBodies: () => Promise.resolve([]) });
    expect(text).toContain("*Couldn't load this message.*");
    expect(missing).toBe(1);
  });
});
