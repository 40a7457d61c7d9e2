import { afterEach, expect, it, vi } from 'vitest';
import { readContent } from '../../../../src/api/resources/contentBlock.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';
import type { Message } from '../../../../src/api/resources/message.ts';
import { parseJson } from '../../../../src/shared/json.ts';
import { conversationRows } from '../../state/conversationRows.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { readRowBodies } from '../../../../src/views/conversation/sessionRowBodies.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { key, t, undescribable } from '../../state/samples.ts';

afterEach(() => void vi.restoreAllMocks());

const message = (id: string, createdAt: number, content: Message['content']): Message => {
  return { id, role: 'assistant', content, createdAt, updatedAt: createdAt };
};

async function bodiesOf(messages: readonly Message[]) {
  const store = new Store(memoryBodies());
  store.addSession({ key, addedAt: 1 });
  store.takeMessages(key, messages);
  const record = store.record(key);
  return readRowBodies(store, key, record ? conversationRows(record) : [], t);
}

it('a message that cannot be described shows the error in its row, and does not hide the others', async () => {
  const bodies = await bodiesOf([
    message('a', 1, [{ type: 'text', text: 'before' }]),
    message('b', 2, [undescribable]),
    message('c', 3, [{ type: 'text', text: 'after' }]),
  ]);
  expect([...bodies.keys()]).toEqual(['a', 'b', 'c']);
  expect(bodies.get('b')?.blocks).toMatchObject([
    { type: 'note', text: expect.stringContaining("Couldn't display this message") as string },
  ]);
  expect(bodies.get('c')?.blocks).toEqual([{ type: 'markdown', text: 'after' }]);
});

it('a tool call with an input 10,000 levels deep is shown, with its deeper part as text', async () => {
  const input = '['.repeat(10_000) + ']'.repeat(10_000);
  const content = withoutPause(
    readContent(parseJson(`[{"type":"tool_use","name":"deep","input":${input}},{"type":"odd","x":${input}}]`)),
  );
  const bodies = await bodiesOf([message('a', 1, content), message('b', 2, [{ type: 'text', text: 'next' }])]);
  expect(bodies.get('a')?.blocks).toMatchObject([{ title: 'deep' }, { title: 'Unsupported content (odd)' }]);
  expect(JSON.stringify(bodies.get('a')).length).toBeLessThan(50_000);
  expect(bodies.get('b')?.blocks).toEqual([{ type: 'markdown', text: 'next' }]);
});

it("consecutive messages of the agent's tooling are one part with all texts, once all are available", async () => {
  const texts = ['a', 'b', 'c'].map((text) => `<system-reminder>${text}</system-reminder>`);
  const messages = texts.map((text, at) => ({
    ...message(`m${at}`, at, [{ type: 'text', text }]),
    role: 'user' as const,
  }));
  const store = new Store(memoryBodies());
  store.addSession({ key, addedAt: 1 });
  store.takeMessages(key, messages);
  const record = store.record(key);
  const rows = record ? conversationRows(record) : [];
  expect([...(await readRowBodies(store, key, rows, t))]).toMatchObject([
    [
      'm0',
      {
        ...{ key: 'm0', isContext: true },
        blocks: [
          {
            ...{ type: 'fold', kind: 'context', title: "Context added by the agent's tooling", detail: '3 messages' },
            blocks: texts.map((text) => ({ type: 'code', text })),
          },
        ],
      },
    ],
  ]);
  vi.spyOn(store, 'readBodies').mockResolvedValue(messages.slice(0, 2));
  expect([...(await readRowBodies(store, key, rows, t)).keys()]).toEqual([]);
});

it('rows are described with pauses, in which the session can change', async () => {
  let nowMs = 0;
  // By this clock, each step of the work takes longer than a slice.
  vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 10));
  const text = { type: 'text', text: 'a' } as const;
  const messages = Array.from({ length: 10 }, (_, at) => message(`m${at}`, at, [text, text]));
  const store = new Store(memoryBodies());
  store.addSession({ key, addedAt: 1 });
  store.takeMessages(key, messages);
  const state = { turns: 0, isOver: false };
  const record = store.record(key);
  const reading = readRowBodies(store, key, record ? conversationRows(record) : [], t).finally(
    () => (state.isOver = true),
  );
  for (; !state.isOver; state.turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (state.turns === 5) store.removeSession(key);
  }
  expect(state.turns).toBeGreaterThan(20);
  expect((await reading).size).toBe(10);
});

it('a row that shows only the text of a message says so if the message has more', async () => {
  const text = { type: 'text', text: 'Reading.' } as const;
  const store = new Store(memoryBodies());
  store.addSession({ key, addedAt: 1 });
  store.takeMessages(key, [
    message('a', 1, [text, { type: 'tool_use', toolUseId: 'c1', name: 'read', input: {} }]),
    message('b', 2, [text]),
  ]);
  const record = store.record(key);
  const rows = record ? conversationRows(record) : [];
  const textOnly = rows.map((row) => ({ ...row, source: { messageId: row.key, isTextOnly: true } }));
  const shown = async (given: typeof rows) =>
    [...(await readRowBodies(store, key, given, t)).values()].map(({ blocks, isTextOnly }) => [
      blocks.length,
      isTextOnly,
    ]);
  const whole = textOnly.map((row) => ({ ...row, source: { messageId: row.key } }));
  expect(await shown(textOnly)).toEqual([
    [1, true],
    [1, undefined],
  ]);
  expect(await shown(whole)).toEqual([
    [2, undefined],
    [1, undefined],
  ]);
});
