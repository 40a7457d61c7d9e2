import { readFile } from 'node:fs/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { freePriceExchange } from '../../../src/demoService/agent/freePrice.ts';
import type { Message, Session } from '../../../src/demoService/resources.ts';
import type { DemoService } from '../../../src/demoService/options.ts';
import { call, listAll, messagesPath, post, readSession, demoServices, sessionPath, textOf } from './client.ts';

const start = demoServices();
afterEach(() => vi.useRealTimers());
const waiting = { timeout: 60_000, interval: 5 };
/** The delay between two steps of the agent. */
const stepMs = 20;

/** Stops the agent, which then only works in {@link step}. Call this before the agent gets something to do. */
function stopAgent(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
}

/** Lets a stopped agent do a number of steps. */
async function step(count = 1): Promise<void> {
  await vi.advanceTimersByTimeAsync(count * stepMs);
}

/** Lets a stopped agent work until a session is idle. Resolves to what `read` returned between any two steps. */
async function readBetweenSteps<T>(
  demoService: DemoService,
  sessionId: string,
  read: (session: Session) => T | Promise<T>,
): Promise<T[]> {
  const seen: T[] = [];
  for (;;) {
    const session = await readSession(demoService, sessionId);
    seen.push(await read(session));
    if (session.status === 'idle') return seen;
    await step();
  }
}

async function answersTo(demoService: DemoService, sessionId: string, body: unknown): Promise<Message[]> {
  const { messageId } = await post(demoService, sessionId, body);
  await vi.waitFor(async () => expect((await readSession(demoService, sessionId)).status).toBe('idle'), waiting);
  const all = await listAll(demoService, sessionId);
  return all.slice(all.findIndex((message) => message.id === messageId) + 1);
}

test('goes from pending through running to idle, and leaves an answer', async () => {
  const demoService = await start();
  const { tests } = demoService.sessionIdByName;
  const before = await readSession(demoService, tests);
  stopAgent();
  expect((await post(demoService, tests, { text: 'And a test for two cookies?' })).status).toBe('pending');
  const seen = await readBetweenSteps(demoService, tests, (session) => session);
  const statuses = seen.map((session) => session.status).filter((status, index, all) => status !== all[index - 1]);
  expect(statuses).toEqual(['pending', 'running', 'idle']);
  expect(seen.filter((session) => session.status !== 'idle' && 'completedAt' in session)).toEqual([]);
  const after = await readSession(demoService, tests);
  expect(after.messageCount).toBe(before.messageCount + 4);
  expect(after.completedAt).toBeGreaterThan(before.completedAt ?? 0);
  const kinds = (await listAll(demoService, tests))
    .slice(-3)
    .map((message) => message.content.map((block) => block.type));
  expect(kinds).toEqual([['thinking', 'text', 'tool_use'], ['tool_result'], ['text']]);
});

test('counts tokens and active time, also in the parent session', async () => {
  const demoService = await start();
  const { tests, login } = demoService.sessionIdByName;
  const [before, parentBefore] = [await readSession(demoService, tests), await readSession(demoService, login)];
  await answersTo(demoService, tests, { text: 'Count!' });
  const [after, parentAfter] = [await readSession(demoService, tests), await readSession(demoService, login)];
  const own = (session: Session) => session.sessionSettings?.tokenUsage?.outputTokens ?? 0;
  const inclusive = (session: Session) => session.sessionSettings?.inclusiveTokenUsage?.outputTokens ?? 0;
  const spent = own(after) - own(before);
  expect(spent).toBeGreaterThan(100);
  expect(inclusive(after) - inclusive(before)).toBe(spent);
  expect(own(parentAfter)).toBe(own(parentBefore));
  expect(inclusive(parentAfter) - inclusive(parentBefore)).toBe(spent);
  expect(parentAfter.sessionSettings?.childInclusiveTokenUsageBySessionId?.[tests]).toEqual(
    after.sessionSettings?.inclusiveTokenUsage,
  );
  expect(parentAfter.updatedAt).toBeGreaterThan(parentBefore.updatedAt);
  const activeMs = (session: Session) => session.sessionSettings?.assistantActiveTimeMs ?? 0;
  expect(activeMs(after)).toBeGreaterThan(activeMs(before));
});

test('grows one message: same ID, longer text, newer updatedAt', async () => {
  const demoService = await start();
  const { tests } = demoService.sessionIdByName;
  stopAgent();
  const { messageId } = await post(demoService, tests, { text: 'Tell me more' });
  const versions = new Map<number, Message>();
  await readBetweenSteps(demoService, tests, async () => {
    const newest = (await listAll(demoService, tests)).at(-1);
    if (newest?.openaiPhase === 'final_answer' && newest.id > messageId) versions.set(newest.updatedAt, newest);
  });
  const grown = [...versions.values()];
  expect(grown.length).toBeGreaterThan(3);
  expect(new Set(grown.map((message) => message.id)).size).toBe(1);
  for (const [index, message] of grown.slice(1).entries()) {
    expect(textOf(message).startsWith(textOf(grown[index]))).toBe(true);
    expect(message.createdAt).toBe(grown[0]?.createdAt);
  }
});

test('quotes the text file that it received, with name and size', async () => {
  const demoService = await start();
  const code = `const fence = '\`\`\`';\n${'// more\n'.repeat(20)}`;
  const data = Buffer.from(code).toString('base64');
  const files = [{ type: 'base64', mediaType: 'text/plain', name: 'a.ts#L1-L21', data }];
  const answers = await answersTo(demoService, demoService.sessionIdByName.tests, { text: 'See this', files });
  const sizeText = `${Buffer.byteLength(code)} bytes`;
  expect(textOf(answers.at(-1))).toContain(`I received one attachment:\n\n- \`a.ts#L1-L21\` (text/plain, ${sizeText})`);
  expect(textOf(answers.at(-1))).toContain(`\n\`\`\`\`ts\nconst fence = '\`\`\`';\n${'// more\n'.repeat(7)}\`\`\`\`\n`);
});

test.each([
  ['Why 0 cents?', []],
  [
    'Is this right?',
    [{ type: 'base64', name: 'basket.ts#L15-L20', data: btoa('function portionPrice({ german }) {') }],
  ],
])('explains the function of the sample project that charges nothing: %s', async (text, files) => {
  const demoService = await start();
  const { bare } = demoService.sessionIdByName;
  const answers = await answersTo(demoService, bare, { text, files });
  expect(textOf(answers.at(-1))).toContain('Because of line 17 of `src/basket.ts`');
  expect(textOf(answers.at(-1))).not.toMatch(/\?$/);
  const { result } = freePriceExchange;
  const lines = (await readFile('test/fixtures/workspace/src/basket.ts', 'utf8')).split('\n').slice(14, 20);
  expect(result.split('\n').map((line) => line.slice(4))).toEqual(lines);
});

test('asks no more once its question is answered', async () => {
  const demoService = await start({ failOneIn: 0 });
  const { currency } = demoService.sessionIdByName;
  const first = await answersTo(demoService, currency, { text: 'The rate of the day' });
  expect(textOf(first.at(-1))).toContain('> The rate of the day\n');
  const asked = (text: string) => text.endsWith('?');
  const { bare } = demoService.sessionIdByName;
  let wasAsked = false;
  for (let turn = 0; turn < 12; turn++) {
    const text = textOf((await answersTo(demoService, bare, { text: `turn ${turn}` })).at(-1));
    expect(wasAsked && asked(text), text).toBe(false);
    wasAsked ||= asked(text);
    if (!asked(text) && wasAsked) break;
  }
  expect(wasAsked).toBe(true);
});

test('answers a question without a question of its own', async () => {
  const demoService = await start({ failOneIn: 0 });
  const { bare } = demoService.sessionIdByName;
  for (let turn = 0; turn < 12; turn++) {
    const [answer] = (await answersTo(demoService, bare, { text: `turn ${turn}?` })).slice(-1);
    expect(textOf(answer)).not.toMatch(/\?$/);
    expect(textOf(answer).length).toBeGreaterThan(100);
  }
});

test('names binary files and images without quoting them', async () => {
  const demoService = await start();
  const data = Buffer.from([0, 1, 2, 255, 254]).toString('base64');
  const body = {
    text: 'See these',
    images: [{ type: 'base64', data: Buffer.from('GIF89a').toString('base64') }],
    files: [{ type: 'base64', mediaType: 'application/pdf', name: 'a.pdf', data }],
  };
  const text = textOf((await answersTo(demoService, demoService.sessionIdByName.tests, body)).at(-1));
  expect(text).toContain(
    'I received 2 attachments:\n\n- an image (image/gif, 6 bytes)\n\n- `a.pdf` (application/pdf, 5 bytes)\n\n',
  );
});

test('fails with an error message if the message requests it, and continues to work', async () => {
  const demoService = await start();
  const { tests } = demoService.sessionIdByName;
  const failed = await answersTo(demoService, tests, { text: 'Please fail now' });
  expect(failed.at(-1)).toMatchObject({ role: 'assistant', isError: true });
  expect(failed.filter((message) => message.isError)).toHaveLength(1);
  const next = await answersTo(demoService, tests, { text: 'Again, please' });
  expect(next.filter((message) => message.isError)).toEqual([]);
});

test('fails occasionally on its own, never at the start, and identically for the same seed', async () => {
  const outcomes = async (seed: number) => {
    const demoService = await start({ agentDelayMs: 0, failOneIn: 2, seed });
    const { bare } = demoService.sessionIdByName;
    const texts: string[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const answers = await answersTo(demoService, bare, { text: `turn ${turn}` });
      texts.push(`${String(answers.at(-1)?.isError ?? false)} ${textOf(answers.at(-1))}`);
    }
    return texts;
  };
  const first = await outcomes(7);
  expect(first[0]).toMatch(/^false/);
  expect(new Set(first.map((text) => text.split(' ', 1)[0])).size).toBe(2);
  expect(await outcomes(7)).toEqual(first);
  expect(await outcomes(8)).not.toEqual(first);
});

test('queues messages sent while it runs and answers them in order', async () => {
  const demoService = await start();
  const { bare } = demoService.sessionIdByName;
  const name = (index: number) => ({ type: 'base64', name: `file${index}.txt`, data: 'aGk=' });
  const statuses: string[] = [];
  stopAgent();
  for (const index of [1, 2, 3]) {
    statuses.push((await post(demoService, bare, { text: 'one of three', files: [name(index)] })).status);
    await step(2);
  }
  expect(statuses).toEqual(['pending', 'running', 'running']);
  await readBetweenSteps(demoService, bare, () => undefined);
  const answers = (await listAll(demoService, bare)).map((message) => /- `(file\d)/.exec(textOf(message))?.[1]);
  expect(answers.filter((name) => name !== undefined)).toEqual(['file1', 'file2', 'file3']);
});

test('advances times with every change, even if the clock stops', async () => {
  const demoService = await start({ now: () => 1_800_000_000_000, agentDelayMs: 2 });
  const { bare } = demoService.sessionIdByName;
  const before = (await readSession(demoService, bare)).updatedAt;
  await post(demoService, bare, { text: 'one' });
  const afterPost = (await readSession(demoService, bare)).updatedAt;
  await answersTo(demoService, bare, { text: 'two' });
  const afterAnswer = (await readSession(demoService, bare)).updatedAt;
  const patched = await call(demoService, sessionPath(bare), { method: 'PATCH', body: { sessionSettings: {} } });
  expect(afterPost).toBeGreaterThan(before);
  expect(afterAnswer).toBeGreaterThan(afterPost);
  expect(patched.body['updatedAt']).toBeGreaterThan(afterAnswer);
  const times = (await listAll(demoService, bare)).map((message) => message.createdAt);
  expect(times).toHaveLength(8);
  expect(new Set(times).size).toBe(8);
});

test('queues messages for a computer that is switched off, and answers those for another computer', async () => {
  const demoService = await start({ agentDelayMs: 1 });
  const { pending, tests } = demoService.sessionIdByName;
  expect((await readSession(demoService, pending)).status).toBe('pending');
  expect((await post(demoService, pending, { text: 'Still there?' })).status).toBe('pending');
  await answersTo(demoService, tests, { text: 'a whole turn elsewhere' });
  expect((await readSession(demoService, pending)).status).toBe('pending');
  const seen = new Set<string>();
  await post(demoService, pending, { text: 'Then here', computerId: 'computer-build-server' });
  await vi.waitFor(async () => {
    seen.add((await readSession(demoService, pending)).status);
    expect((await listAll(demoService, pending)).at(-1)?.role).toBe('assistant');
    expect((await readSession(demoService, pending)).status).toBe('pending');
  }, waiting);
  expect(seen).not.toContain('idle');
  const texts = (await listAll(demoService, pending, { role: 'user' })).map(textOf);
  expect(texts.slice(-2)).toEqual(['Still there?', 'Then here']);
});

test('continues the running session, and completes it', async () => {
  stopAgent();
  const demoService = await start();
  const { running } = demoService.sessionIdByName;
  const seen = await readBetweenSteps(demoService, running, (session) => session);
  expect(seen[0]?.status).toBe('running');
  const all = await listAll(demoService, running);
  expect(all.length).toBe(seen.at(-1)?.messageCount);
  expect(textOf(all.at(-1))).toContain('The build runs on the new bundler now.');
  expect((await call(demoService, messagesPath(running))).status).toBe(200);
});
