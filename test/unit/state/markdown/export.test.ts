import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/api/resources/message.ts';
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

  it.each(['json', 'jsonl'] as const)('as %s contains the messages as the service returned them', async (format) => {
    const messages = [message('m1', 'a\n"b"'), message('m2', 'c', { role: undefined, parentId: 'm1' })];
    const { text } = await exported(messages, { format });
    const values = format === 'json' ? [text] : text.trim().split('\n');
    const read = values.map((value) => JSON.parse(value) as Record<string, unknown>);
    const told = format === 'json' ? (read[0]?.['messages'] as unknown[]) : read.slice(1);
    expect(told).toEqual(JSON.parse(JSON.stringify(messages)));
    expect(read[0]).toMatchObject({
      session: {
        sessionId: 'session-1',
        title: 'Fix the login',
        service: ready.kind === 'ready' ? ready.service.origin : '',
      },
    });
  });

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
