import { describe, expect, it } from 'vitest';
import { messagePageSchema, readMessage, readMessagePage } from '../../../../src/api/resources/message.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';

const pageOf = (answer: unknown) => withoutPause(readMessagePage(messagePageSchema.parse(answer)));

const wire = { id: 'm1', createdAt: 5, updatedAt: 6, role: 'user', content: 'Hello' };

describe('a message', () => {
  it('is read with its content, and keeps what the service sent', () => {
    expect(readMessage(wire)).toEqual({ ...wire, content: [{ type: 'text', text: 'Hello' }], wire });
  });

  it.each([{}, { content: null }])('may have no content: %j', (content) => {
    const rest = Object.fromEntries(Object.entries(wire).filter(([name]) => name !== 'content'));
    const given = { ...rest, ...content };
    expect(readMessage(given)).toEqual({ ...rest, content: [], wire: given });
  });

  it('that cannot be read shows what the service sent, and names the fields', () => {
    const broken = { ...wire, createdAt: 'now', updatedAt: null };
    expect(readMessage(broken, 4)).toEqual({
      id: 'm1',
      createdAt: 4,
      updatedAt: 4,
      content: [{ type: 'unknown', kind: 'message', raw: broken }],
      wire: broken,
      unreadable: 'createdAt, updatedAt',
    });
    expect(readMessage(broken)).toMatchObject({ createdAt: 0 });
    expect(readMessage({ ...wire, updatedAt: 'now' }, 4)).toMatchObject({ createdAt: 5, unreadable: 'updatedAt' });
  });

  it.each([null, 'm1', {}, { id: 5 }])('needs an ID: %j', (value) => {
    expect(readMessage(value)).toBeUndefined();
  });

  it.each([
    ['visibility', ['both', 'llm_only', 'user_only']],
    ['openaiPhase', ['commentary', 'final_answer']],
    ['chatCompletionReasoningField', ['reasoning', 'reasoning_content']],
    ['role', ['user', 'assistant', 'tool', 'system']],
  ])('has the values of %s that the spec lists, and no other', (name, values) => {
    for (const value of values) expect(readMessage({ ...wire, [name]: value })).toHaveProperty(name, value);
    expect(readMessage({ ...wire, [name]: 'other' })).toHaveProperty(name, 'unknown');
    expect(readMessage({ ...wire, [name]: null })?.[name as 'role']).toBeUndefined();
  });
});

describe('a page of messages', () => {
  it('gives an unreadable message the time of the message before it', () => {
    const page = pageOf({ messages: [{ id: 'a' }, wire, {}, { id: 'b' }], pagination: {} });
    expect(page).toMatchObject({ skippedCount: 1, hasMore: false, nextCursor: undefined });
    expect(page.messages.map(({ id, createdAt }) => [id, createdAt])).toEqual([
      ['a', 0],
      ['m1', 5],
      ['b', 5],
    ]);
  });
});

it('a page pauses after each block of a message', () => {
  const result = { type: 'tool_result', content: Array.from({ length: 500 }, () => ({ type: 'text', text: 'a' })) };
  const content = Array.from({ length: 1_000 }, (_, at) => (at === 0 ? result : { type: 'text', text: 'b' }));
  const steps = readMessagePage({ messages: [{ id: 'm', createdAt: 1, updatedAt: 1, content }], pagination: {} });
  expect(Array.from(steps).length).toBeGreaterThanOrEqual(1_500);
});
