import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Message, userMessageSources } from '../../../src/demoService/resources.ts';
import { seedSessions, sessionIdByName } from '../../../src/demoService/seed/seed.ts';
import { readContent } from '../../../src/api/resources/contentBlock.ts';
import { withoutPause } from '../../../src/shared/slices.ts';
import { type CallMark, readToolMarks, toolMarksOf } from '../../../src/state/tools/toolMarks.ts';

const nowMs = Date.UTC(2026, 2, 4, 12);
const seeded = (historyMessages = 240, seed = 1) => seedSessions({ nowMs, seed, historyMessages }).seeds;
/** The names of the fields that at least one of the objects has, in alphabetical order. */
const fieldsOf = (objects: readonly object[]) => [...new Set(objects.flatMap((one) => Object.keys(one)))].sort();
const allMessages = (): Message[] => seeded().flatMap(({ messages }) => [...messages]);
const messagesOf = (name: keyof typeof sessionIdByName): readonly Message[] =>
  seeded().find(({ session }) => session.sessionId === sessionIdByName[name])?.messages ?? [];

test('contains every status, role, block kind, source, and visibility', () => {
  const values = (of: (message: Message) => unknown) =>
    new Set(
      allMessages()
        .map(of)
        .filter((value) => value !== undefined),
    );
  expect(new Set(seeded().map(({ session }) => session.status))).toEqual(new Set(['idle', 'running', 'pending']));
  expect(values((message) => message.role)).toEqual(new Set(['system', 'user', 'assistant', 'tool']));
  expect(values((message) => message.userMessageSource)).toEqual(new Set(userMessageSources));
  expect(values((message) => message.visibility)).toEqual(new Set(['both', 'llm_only', 'user_only']));
  expect(values((message) => message.openaiPhase)).toEqual(new Set(['commentary', 'final_answer', null]));
  expect(values((message) => message.isError)).toEqual(new Set([true]));
  expect(values((message) => message.isUserVisible)).toEqual(new Set([true, false]));
  const reasoningFields = values((message) => message.chatCompletionReasoningField);
  expect(reasoningFields).toEqual(new Set(['reasoning', 'reasoning_content']));
  const blocks = allMessages().flatMap((message) => message.content);
  expect(new Set(blocks.map((block) => block.type))).toEqual(
    new Set(['text', 'image', 'thinking', 'redacted_thinking', 'tool_use', 'tool_result', 'document', 'diagram']),
  );
  expect(blocks.some((block) => block.type === 'tool_result' && block.isError)).toBe(true);
});

test('contains every field of the specification', () => {
  const sessions = seeded().map(({ session }) => session);
  expect(fieldsOf(sessions)).toEqual([
    'completedAt',
    'computerId',
    'createdAt',
    'messageCount',
    'sessionId',
    'sessionSettings',
    'status',
    'title',
    'updatedAt',
  ]);
  const settings = sessions.map(({ sessionSettings }) => sessionSettings ?? {});
  expect(fieldsOf(settings)).toEqual([
    'archivedAt',
    'assistantActiveTimeMs',
    'childInclusiveTokenUsageBySessionId',
    'compactionModel',
    'compactionThresholdCheckEnabled',
    'disabledToolIds',
    'enabledToolIds',
    'inclusiveTokenUsage',
    'model',
    'providerLockTimestamp',
    'runInWorktree',
    'specModeModel',
    'tags',
    'tokenUsage',
  ]);
  const usage = settings.flatMap(({ tokenUsage, inclusiveTokenUsage }) => [
    tokenUsage ?? {},
    inclusiveTokenUsage ?? {},
  ]);
  expect(fieldsOf(usage)).toEqual([
    'cacheCreationTokens',
    'cacheReadTokens',
    'inputTokens',
    'outputTokens',
    'serviceCredits',
    'thinkingTokens',
  ]);
  expect(fieldsOf(settings.flatMap(({ tags }) => tags ?? []))).toEqual(['metadata', 'name']);
  expect(fieldsOf(allMessages())).toEqual([
    'chatCompletionReasoningContent',
    'chatCompletionReasoningField',
    'content',
    'createdAt',
    'geminiThoughtSignature',
    'id',
    'isError',
    'isUserVisible',
    'openaiEncryptedContent',
    'openaiMessageId',
    'openaiPhase',
    'openaiReasoningId',
    'openaiReasoningSummary',
    'parentId',
    'role',
    'updatedAt',
    'userMessageSource',
    'visibility',
  ]);
  const blocks = allMessages().flatMap(({ content }) => content);
  expect(fieldsOf(blocks.filter(({ type }) => type === 'text'))).toEqual(['id', 'text', 'type']);
  const sources = blocks.flatMap((block) => (block.type === 'document' ? [block.source] : []));
  expect(fieldsOf(sources)).toEqual(['data', 'mediaType', 'parsedData', 'type']);
});

test('is in the past, in order, with unique IDs', () => {
  for (const { session, messages } of seeded()) {
    const times = messages.map((message) => message.createdAt);
    expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
    expect(Math.max(session.updatedAt, ...times)).toBeLessThan(nowMs);
    expect(session.createdAt).toBeLessThanOrEqual(session.updatedAt);
    expect(session.messageCount).toBe(messages.length);
  }
  const ids = allMessages().map((message) => message.id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('has forks: two answers to one question', () => {
  const login = messagesOf('login');
  const parents = login.map((message) => message.parentId);
  expect(parents.filter((parentId, index) => parentId && parents.indexOf(parentId) !== index)).toHaveLength(1);
  const known = new Set(login.map((message) => message.id));
  expect(parents.filter((parentId) => parentId && !known.has(parentId))).toEqual([]);
});

test.each([0, 1, 2, 3, 4, 5, 7, 240, 5000])('creates a history of exactly %i messages', (count) => {
  const { history } = seedSessions({ nowMs, seed: 1, historyMessages: count }).sessionIdByName;
  const session = seeded(count).find((candidate) => candidate.session.sessionId === history);
  expect(session?.messages).toHaveLength(count);
});

test('is the same for the same seed', () => {
  expect(seeded(50, 3)).toEqual(seeded(50, 3));
  expect(seeded(50, 4)).not.toEqual(seeded(50, 3));
});

const toolBlocks = (messages: readonly Message[]) => {
  const blocks = messages.flatMap((message) => message.content);
  return {
    used: blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
    answered: blocks.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : [])),
  };
};

test('answers every tool use with a result, except the question at the end of one session', () => {
  for (const { session, messages } of seeded()) {
    const isAsking = session.sessionId === sessionIdByName.currency;
    const { used, answered } = toolBlocks(messages);
    expect(answered).toEqual(isAsking ? used.slice(0, -1) : used);
    expect(messages.at(-1)?.content.at(-1)?.type === 'tool_use').toBe(isAsking);
  }
  expect(toolBlocks(allMessages()).used.length).toBeGreaterThan(50);
});

/** The steps of a session: what each call is, and whether it failed. */
function stepsOf(name: keyof typeof sessionIdByName): (CallMark & { readonly isFailed: boolean })[] {
  const messages = messagesOf(name);
  const marks = messages.flatMap(({ content }) => readToolMarks(toolMarksOf(withoutPause(readContent(content)))));
  const failed = new Set(marks.flatMap((mark) => (mark.type === 'result' && mark.isFailed ? [mark.callId] : [])));
  return marks.flatMap((mark) => (mark.type === 'call' ? [{ ...mark, isFailed: failed.has(mark.callId) }] : []));
}

test('begins with the main session, one that asks, and one that is running; edge cases come last and are named so', () => {
  const titles = seeded().map(({ session }) => session.title);
  expect(Object.keys(sessionIdByName).slice(0, 3)).toEqual(['selection', 'currency', 'running']);
  expect(seeded().map(({ session }) => session.sessionId)).toEqual(Object.values(sessionIdByName));
  const isNamed = titles.map((title) => title?.startsWith('Edge cases: ') ?? false);
  const first = isNamed.indexOf(true);
  expect(titles.slice(0, first)).not.toContain(undefined);
  // Only the child sessions and the session without a title come after an edge case and aren't called one.
  expect(titles.filter((_, index) => index > first && isNamed[index] === false)).toEqual([
    'Write tests for the redirect guard',
    'Check the redirect in Safari',
    undefined,
  ]);
});

test('opens on a session that sends a selection of the sample project and has nothing odd in it', async () => {
  const messages = messagesOf('selection');
  const blocks = messages.flatMap(({ content }) => content);
  const sources = new Map<string, string>();
  for (const path of ['src/basket.ts', 'tests/basket.test.ts']) {
    sources.set(path, await readFile(join('test', 'fixtures', 'workspace', path), 'utf8'));
  }
  const [sent] = blocks.flatMap((block) => (block.type === 'document' ? [block] : []));
  const selected = sources.get('src/basket.ts')?.split('\n').slice(14, 20).join('\n');
  expect(sent).toMatchObject({ name: 'basket.ts#L15-L20', path: 'src/basket.ts' });
  expect(Buffer.from(sent?.source.data ?? '', 'base64').toString()).toBe(selected);
  const steps = stepsOf('selection');
  expect(steps.map(({ kind, label }) => `${kind} ${label}`)).toEqual([
    'plan Throw an error for an unknown fruit',
    'read tests/basket.test.ts',
    'write src/basket.ts',
    'write tests/basket.test.ts',
    'execute npm test',
    'plan ',
  ]);
  expect(steps.filter(({ isFailed }) => isFailed)).toEqual([]);
  for (const block of blocks) {
    if (block.type !== 'tool_use') continue;
    const { path, oldText } = block.input;
    if (typeof path === 'string' && typeof oldText === 'string') expect(sources.get(path)).toContain(oldText);
  }
  expect(new Set(blocks.map(({ type }) => type))).toEqual(new Set(['text', 'document', 'tool_use', 'tool_result']));
  expect(
    messages.filter(
      ({ role, isError, visibility }) => role === 'system' || isError === true || visibility === 'llm_only',
    ),
  ).toEqual([]);
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', openaiPhase: 'final_answer' });
});

test('has a session that changes files in every way, with a failed edit and a failed test', () => {
  const steps = stepsOf('basket');
  const changes = steps.filter(({ isFailed }) => !isFailed).flatMap(({ files }) => files);
  expect(changes.map(({ path, change, added, removed }) => `${change} ${path} +${added} -${removed}`)).toEqual([
    'created src/voucher.ts +13 -0',
    'edited src/basket.ts +3 -2',
    'edited src/checkout.ts +1 -1',
    'created test/voucher.test.ts +10 -0',
    'deleted src/legacyVoucher.ts +0 -0',
    'edited src/voucher.ts +1 -1',
    'renamed src/basket/voucher.ts +0 -0',
    'edited src/basket.ts +1 -1',
    'edited test/voucher.test.ts +1 -1',
  ]);
  expect(steps.filter(({ isFailed }) => isFailed).map(({ kind, label }) => `${kind} ${label}`)).toEqual([
    'write src/basket.ts',
    'execute npm test -- voucher basket',
  ]);
  expect(steps.filter(({ kind }) => kind === 'other')).toEqual([]);
});

test('has a running session with a plan in progress, in its current turn', () => {
  expect(stepsOf('running').at(-1)).toMatchObject({
    kind: 'plan',
    done: 2,
    total: 6,
    label: 'Move the development server',
  });
  expect(
    messagesOf('running')
      .slice(-3)
      .map(({ role }) => role),
  ).toEqual(['user', 'assistant', 'tool']);
});

test('has an idle session that asks', () => {
  expect(stepsOf('currency').at(-1)).toMatchObject({
    kind: 'question',
    label: 'Which exchange rate should the prices in Swiss francs use?',
  });
  expect(seeded().find(({ session }) => session.sessionId === sessionIdByName.currency)?.session.status).toBe('idle');
});

test('contains a valid PNG image', () => {
  const image = allMessages()
    .flatMap((message) => message.content)
    .find((block) => block.type === 'image');
  const png = Buffer.from(image?.source.data ?? '', 'base64');
  expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const dataAt = png.indexOf('IDAT');
  const pixels = inflateSync(png.subarray(dataAt + 4, dataAt + 4 + png.readUInt32BE(dataAt - 4)));
  expect(pixels).toHaveLength(height * (1 + (width * 2) / 8));
});

test('the long session can be one running turn with many tool calls', () => {
  const { seeds, sessionIdByName } = seedSessions({ nowMs, seed: 1, historyMessages: 100, historyShape: 'one-turn' });
  const { session, messages } = seeds.find((seeded) => seeded.session.sessionId === sessionIdByName.history) ?? {};
  expect(session).toMatchObject({ status: 'running' });
  expect(session?.completedAt).toBeUndefined();
  expect(messages?.filter(({ role }) => role === 'user')).toHaveLength(1);
  expect(messages?.length).toBeGreaterThanOrEqual(99);
  expect(messages?.length).toBeLessThanOrEqual(100);
});
