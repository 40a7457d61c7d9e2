import { expect, test } from 'vitest';
import { call, listAll, listPage, messagesPath, post, readSession, demoServices, sessionPath } from './client.ts';

const start = demoServices();

test('returns a session with all its settings', async () => {
  const demoService = await start();
  const { login, tests, failed } = demoService.sessionIdByName;
  const answer = await call(demoService, sessionPath(login));
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const session = await readSession(demoService, login);
  expect(session).toMatchObject({ sessionId: login, title: 'Edge cases: all types of content', status: 'idle' });
  expect(Object.keys(session.sessionSettings ?? {}).sort()).toEqual([
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
  const children = Object.keys(session.sessionSettings?.childInclusiveTokenUsageBySessionId ?? {});
  expect(children).toEqual([tests, failed]);
  for (const child of children) expect(await readSession(demoService, child)).toMatchObject({ sessionId: child });
});

test('counts the messages it lists, in every session', async () => {
  const demoService = await start({ agentDelayMs: 60_000 });
  for (const sessionId of demoService.sessionIds) {
    const listed = await listAll(demoService, sessionId);
    expect((await readSession(demoService, sessionId)).messageCount).toBe(listed.length);
    for (const message of listed.slice(0, 3)) {
      const answer = await call(demoService, `${messagesPath(sessionId)}/${message.id}`);
      expect(answer.body).toEqual(message);
    }
  }
});

test('percent-decodes IDs and nothing else', async () => {
  const demoService = await start();
  expect(demoService.sessionIdByName.unicode).toBe('a b/ü');
  expect((await call(demoService, '/sessions/a%20b%2F%C3%BC')).body).toMatchObject({ sessionId: 'a b/ü' });
  expect((await call(demoService, '/sessions/a+b%2F%C3%BC')).status).toBe(404);
  expect((await call(demoService, '/sessions/a%20b%2F%C3%BC/messages')).status).toBe(200);
  const { messageId } = await post(demoService, 'a b/ü', { text: 'hello' });
  expect((await call(demoService, `/sessions/a%20b%2F%C3%BC/messages/${messageId}`)).body).toMatchObject({
    id: messageId,
  });
});

test('lists 20 messages by default, and only the requested role', async () => {
  const demoService = await start();
  const { history } = demoService.sessionIdByName;
  expect((await listPage(demoService, history)).messages).toHaveLength(20);
  expect((await listPage(demoService, history, { limit: '1' })).messages).toHaveLength(1);
  expect((await listPage(demoService, history, { limit: '100' })).messages).toHaveLength(100);
  const all = await listAll(demoService, history);
  for (const role of ['user', 'assistant', 'tool']) {
    const wanted = all.filter((message) => message.role === role).map((message) => message.id);
    expect(wanted.length).toBeGreaterThan(40);
    expect((await listAll(demoService, history, { role, limit: '7' })).map((message) => message.id)).toEqual(wanted);
  }
});

test('omits roles from lists, but not from single messages, on request', async () => {
  const demoService = await start({ listRoles: false });
  const { login } = demoService.sessionIdByName;
  const { messages } = await listPage(demoService, login);
  expect(messages.filter((message) => 'role' in message)).toEqual([]);
  const single = await call(demoService, `${messagesPath(login)}/${messages[0]?.id ?? ''}`);
  expect(single.body).toHaveProperty('role');
});

test('adds a message with its attachments as blocks', async () => {
  const demoService = await start();
  const { tests } = demoService.sessionIdByName;
  const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');
  const file = { type: 'base64', mediaType: 'text/plain', data: 'aGVsbG8=', name: 'a.ts#L1-L2', path: 'src/a.ts' };
  const { messageId, status } = await post(demoService, tests, {
    text: 'look',
    images: [{ type: 'base64', data: png }],
    files: [file, { type: 'base64', data: 'aGVsbG8=', parsedData: 'hello' }],
    computerId: 'computer-build-server',
  });
  expect(status).toBe('pending');
  const message = (await call(demoService, `${messagesPath(tests)}/${messageId}`)).body;
  expect(message).toMatchObject({ id: messageId, role: 'user', userMessageSource: 'sessions_api' });
  const bytes = { type: 'base64', mediaType: 'application/octet-stream', data: 'aGVsbG8=' };
  expect(message['content']).toEqual([
    { type: 'text', text: 'look' },
    { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: png } },
    {
      type: 'document',
      name: 'a.ts#L1-L2',
      mediaType: 'text/plain',
      path: 'src/a.ts',
      source: { ...bytes, mediaType: 'text/plain' },
    },
    {
      type: 'document',
      name: 'file 2',
      mediaType: 'application/octet-stream',
      source: { ...bytes, parsedData: 'hello' },
    },
  ]);
});

test('requires a media type of images on request', async () => {
  const demoService = await start({ imageMediaType: 'required' });
  const { tests } = demoService.sessionIdByName;
  const image = { type: 'base64', data: 'aGVsbG8=' };
  const asked = (images: unknown) => ({ method: 'POST', body: { text: 'look', images } });
  const rejected = await call(demoService, messagesPath(tests), asked([image]));
  expect([rejected.status, rejected.body['detail']]).toEqual([
    400,
    'The field "images[0].mediaType" must be a string.',
  ]);
  const { body } = await call(demoService, messagesPath(tests), asked([{ ...image, mediaType: 'image/x-own' }]));
  const message = (await call(demoService, `${messagesPath(tests)}/${String(body['messageId'])}`)).body;
  expect(message['content']).toContainEqual({ type: 'image', source: { ...image, mediaType: 'image/x-own' } });
});

test('reports its own time in timestamps and in the Date header', async () => {
  const nowMs = Date.UTC(2031, 4, 6, 7, 8, 9);
  const demoService = await start({ now: () => nowMs, agentDelayMs: 60_000 });
  const answer = await call(demoService, messagesPath(demoService.sessionIdByName.tests), {
    method: 'POST',
    body: { text: 'x' },
  });
  expect(answer.headers['date']).toBe('Tue, 06 May 2031 07:08:09 GMT');
  expect(answer.status).toBe(200);
  const [newest] = (await listPage(demoService, demoService.sessionIdByName.tests, { limit: '1' })).messages;
  expect(newest?.createdAt).toBe(nowMs);
});

test('delays responses by the requested latency, and releases delayed ones on dispose', async () => {
  const demoService = await start({ latencyMs: 600_000 });
  const pending = call(demoService, sessionPath(demoService.sessionIdByName.login)).catch((error: unknown) => error);
  const quick = await start({ latencyMs: 1 });
  expect((await call(quick, sessionPath(quick.sessionIdByName.login))).status).toBe(200);
  await demoService.dispose();
  expect(await pending).toBeInstanceOf(Error);
});
