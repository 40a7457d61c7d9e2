import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDemoService } from '../../../src/demoService/service.ts';
import type { DemoService } from '../../../src/demoService/options.ts';
import { call, type Call, listPage, messagesPath, readSession, sessionPath } from './client.ts';

let demoService: DemoService;
beforeAll(async () => {
  demoService = await startDemoService({ agentDelayMs: 60_000, maxBodySizeBytes: 2000, token: 'right' });
});
afterAll(() => demoService.dispose());

const login = '/sessions/0f6b1c52-3d1e-4a8b-9c47-5f0b8a2d6e11';
const post = (body: unknown, headers = {}): Call => ({ method: 'POST', body, headers });
const patch = (sessionSettings: unknown): Call => ({ method: 'PATCH', body: { sessionSettings } });
const withFile = (file: unknown) => post({ text: 'x', files: [file] });
const withImage = (image: unknown) => post({ text: 'x', images: [image] });
const base64 = { type: 'base64', data: 'aGk=' };

const refusals: [what: string, path: string, asked: Call, status: number, reason: RegExp][] = [
  ['no token', login, { headers: { Authorization: undefined } }, 401, /Authorization/],
  ['a wrong token', login, { headers: { Authorization: 'Bearer wrong' } }, 401, /token is not valid/],
  ['a token that begins right', login, { headers: { Authorization: 'Bearer rightly' } }, 401, /token is not valid/],
  ['another scheme', login, { headers: { Authorization: 'Basic right' } }, 401, /Bearer/],
  ['no token at an unknown path', '/nothing', { headers: { Authorization: undefined } }, 401, /Authorization/],
  ['an unknown path', '/nothing', {}, 404, /nothing at this path/],
  ['a list of sessions', '/sessions', {}, 404, /nothing at this path/],
  ['an empty session id', '/sessions/', {}, 404, /nothing at this path/],
  ['a slash at the end', `${login}/messages/`, {}, 404, /nothing at this path/],
  ['a path that goes on', `${login}/messages/x/y`, {}, 404, /nothing at this path/],
  ['broken percent-encoding', '/sessions/%E0%A4%A', {}, 400, /percent-encoded/],
  ['an unknown session', '/sessions/none', {}, 404, /no session/],
  ['messages of an unknown session', '/sessions/none/messages', {}, 404, /no session/],
  ['a message to an unknown session', '/sessions/none/messages', post({ text: 'x' }), 404, /no session/],
  ['settings of an unknown session', '/sessions/none', patch({}), 404, /no session/],
  ['an unknown message', `${login}/messages/none`, {}, 404, /no message/],
  ['a message of another session', `${login}/messages/msg_tests_00001`, {}, 404, /no message/],
  ['DELETE on a session', login, { method: 'DELETE' }, 405, /GET and PATCH only/],
  ['POST on a session', login, post({}), 405, /GET and PATCH only/],
  ['PATCH on messages', `${login}/messages`, patch({}), 405, /GET and POST only/],
  ['POST on a message', `${login}/messages/x`, post({}), 405, /GET only/],
  ['HEAD', login, { method: 'HEAD' }, 405, /^undefined$/],
  ['a body on GET', login, { body: '{}' }, 400, /takes no body/],
  ['an unknown parameter of a session', `${login}?verbose=1`, {}, 400, /"verbose" is not known/],
  ['an unknown parameter of a list', `${login}/messages?order=asc`, {}, 400, /"order" is not known/],
  ['an unknown parameter of a message', `${login}/messages/x?limit=1`, {}, 400, /"limit" is not known/],
  ['a parameter of a post', `${login}/messages?computerId=x`, post({ text: 'x' }), 400, /"computerId" is not known/],
  ['a parameter of a patch', `${login}?computerId=x`, patch({}), 400, /"computerId" is not known/],
  ['a parameter twice', `${login}/messages?limit=1&limit=1`, {}, 400, /more than once/],
  ['limit 0', `${login}/messages?limit=0`, {}, 400, /1 to 100/],
  ['limit 101', `${login}/messages?limit=101`, {}, 400, /1 to 100/],
  ['limit -1', `${login}/messages?limit=-1`, {}, 400, /1 to 100/],
  ['limit 2.5', `${login}/messages?limit=2.5`, {}, 400, /1 to 100/],
  ['limit 1e1', `${login}/messages?limit=1e1`, {}, 400, /1 to 100/],
  ['an empty limit', `${login}/messages?limit=`, {}, 400, /1 to 100/],
  ['role system', `${login}/messages?role=system`, {}, 400, /user, assistant, tool/],
  ['an empty role', `${login}/messages?role=`, {}, 400, /user, assistant, tool/],
  ['an invented cursor', `${login}/messages?cursor=MTA`, {}, 400, /"cursor" is not/],
  ['an empty cursor', `${login}/messages?cursor=`, {}, 400, /"cursor" is not/],
  ['an unknown computer of a session', `${login}?computerId=none`, {}, 404, /no computer/],
  ['an unknown computer of a list', `${login}/messages?computerId=none`, {}, 404, /no computer/],
  ['an unknown computer of a message', `${login}/messages/x?computerId=none`, {}, 404, /no computer/],
  ['an unknown computer of a post', `${login}/messages`, post({ text: 'x', computerId: 'none' }), 404, /no computer/],
  [
    'no content type',
    `${login}/messages`,
    post('{"text":"x"}', { 'Content-Type': undefined }),
    415,
    /application\/json/,
  ],
  ['text/plain', `${login}/messages`, post('{"text":"x"}', { 'Content-Type': 'text/plain' }), 415, /application\/json/],
  [
    'another charset',
    `${login}/messages`,
    post('{"text":"x"}', { 'Content-Type': 'application/json; charset=latin1' }),
    415,
    /application\/json/,
  ],
  ['a content encoding', `${login}/messages`, post('x', { 'Content-Encoding': 'gzip' }), 415, /Content-Encoding/],
  ['an empty body', `${login}/messages`, post(''), 400, /not JSON/],
  ['broken JSON', `${login}/messages`, post('{"text":'), 400, /not JSON/],
  ['JSON that is not UTF-8', `${login}/messages`, post(Buffer.from('7b2274657874223a22ff227d', 'hex')), 400, /UTF-8/],
  ['a body too large', `${login}/messages`, post({ text: 'x'.repeat(3000) }), 413, /2000 bytes/],
  [
    'a chunked body too large',
    `${login}/messages`,
    post({ text: 'x'.repeat(3000) }, { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }),
    413,
    /2000 bytes/,
  ],
  ['an array as body', `${login}/messages`, post([]), 400, /body must be an object/],
  ['a message without text', `${login}/messages`, post({}), 400, /"text" must be a string/],
  ['text of another type', `${login}/messages`, post({ text: 1 }), 400, /"text" must be a string/],
  ['an unknown field', `${login}/messages`, post({ text: 'x', role: 'user' }), 400, /"role" is not accepted/],
  ['null for images', `${login}/messages`, post({ text: 'x', images: null }), 400, /"images" must be an array/],
  ['an image as a string', `${login}/messages`, withImage('aGk='), 400, /"images\[0\]" must be an object/],
  [
    'an image by url',
    `${login}/messages`,
    withImage({ ...base64, type: 'url' }),
    400,
    /"images\[0\].type" must be "base64"/,
  ],
  ['an image without type', `${login}/messages`, withImage({ data: 'aGk=' }), 400, /"images\[0\].type"/],
  [
    'an image with mediaType',
    `${login}/messages`,
    withImage({ ...base64, mediaType: 'image/png' }),
    400,
    /mediaType" is not/,
  ],
  [
    'a file of type text',
    `${login}/messages`,
    withFile({ ...base64, type: 'text' }),
    400,
    /"files\[0\].type" must be "base64"/,
  ],
  ['a file without data', `${login}/messages`, withFile({ type: 'base64' }), 400, /"files\[0\].data" must be a string/],
  [
    'a file with a size',
    `${login}/messages`,
    withFile({ ...base64, size: 2 }),
    400,
    /"files\[0\].size" is not accepted/,
  ],
  ['a file name of another type', `${login}/messages`, withFile({ ...base64, name: 1 }), 400, /"files\[0\].name"/],
  ...['aGk', 'aGk=\n', 'aG k=', 'aGl=', 'a-_=', '====', 'a===', 'aGk=aGk=', ''].map(
    (data): [string, string, Call, number, RegExp] => [
      `base64 ${JSON.stringify(data)}`,
      `${login}/messages`,
      withFile({ type: 'base64', data }),
      400,
      /"files\[0\].data" must be valid base64/,
    ],
  ),
  ['settings not wrapped', login, { method: 'PATCH', body: { model: 'x' } }, 400, /sessionSettings|model/],
  [
    'a field beside the settings',
    login,
    { method: 'PATCH', body: { sessionSettings: {}, title: 'x' } },
    400,
    /"title" is not/,
  ],
  ['an unknown setting', login, patch({ colour: 'red' }), 400, /"sessionSettings.colour" is not accepted/],
  ['token usage', login, patch({ tokenUsage: {} }), 400, /"sessionSettings.tokenUsage" is not accepted/],
  ['inclusive usage', login, patch({ inclusiveTokenUsage: {} }), 400, /inclusiveTokenUsage" is not accepted/],
  ['model as a number', login, patch({ model: 4 }), 400, /"sessionSettings.model" must be a string/],
  ['model null', login, patch({ model: null }), 400, /"sessionSettings.model" must be a string/],
  ['specModeModel as a list', login, patch({ specModeModel: [] }), 400, /specModeModel" must be a string/],
  ['runInWorktree as a string', login, patch({ runInWorktree: 'true' }), 400, /must be true or false/],
  ['providerLockTimestamp as a number', login, patch({ providerLockTimestamp: 1 }), 400, /must be a string/],
  ['assistantActiveTimeMs as a string', login, patch({ assistantActiveTimeMs: '1' }), 400, /must be a number/],
  ['children as a list', login, patch({ childInclusiveTokenUsageBySessionId: [] }), 400, /must be an object/],
  ['archivedAt as a number', login, patch({ archivedAt: 1 }), 400, /must be a string/],
  ['tags as an object', login, patch({ tags: {} }), 400, /must be an array/],
  ['a tag as a string', login, patch({ tags: ['bug'] }), 400, /tags\[0\]" must be an object/],
  ['a tag without name', login, patch({ tags: [{ metadata: {} }] }), 400, /tags\[0\].name" must be a string/],
  [
    'tag metadata as a string',
    login,
    patch({ tags: [{ name: 'a', metadata: 'b' }] }),
    400,
    /metadata" must be an object/,
  ],
  ['a tag with a colour', login, patch({ tags: [{ name: 'a', color: 'b' }] }), 400, /tags\[0\].color" is not accepted/],
  ['enabledToolIds as a string', login, patch({ enabledToolIds: 'a' }), 400, /must be an array/],
  ['disabledToolIds of numbers', login, patch({ disabledToolIds: [1] }), 400, /disabledToolIds\[0\]" must be a string/],
  ['compactionModel as true', login, patch({ compactionModel: true }), 400, /must be a string/],
  ['compaction check as a number', login, patch({ compactionThresholdCheckEnabled: 1 }), 400, /must be true or false/],
];

test.each(refusals)('rejects %s', async (_what, path, asked, status, reason) => {
  const before = await readSession(demoService, demoService.sessionIdByName.login);
  const answer = await call(demoService, path, asked);
  expect([answer.status, String(answer.body['detail'])]).toEqual([status, expect.stringMatching(reason)]);
  expect(Object.keys(answer.body)).toEqual(asked.method === 'HEAD' ? [] : ['detail']);
  expect(answer.headers['date']).toBeDefined();
  expect(await readSession(demoService, demoService.sessionIdByName.login)).toEqual(before);
});

test('reports the allowed methods of a path, and how to authenticate', async () => {
  expect((await call(demoService, login, { method: 'DELETE' })).headers['allow']).toBe('GET, PATCH');
  expect((await call(demoService, login, { headers: { Authorization: undefined } })).headers['www-authenticate']).toBe(
    'Bearer',
  );
});

test('accepts a cursor only in the list that issued it', async () => {
  const { history, login: loginId } = demoService.sessionIdByName;
  const { nextCursor } = (await listPage(demoService, history, { limit: '2' })).pagination;
  const cursor = nextCursor ?? '';
  expect(cursor).toContain('+');
  expect((await listPage(demoService, history, { limit: '5', cursor })).messages).toHaveLength(5);
  await expect(listPage(demoService, loginId, { cursor })).rejects.toThrow('400');
  await expect(listPage(demoService, history, { cursor, role: 'user' })).rejects.toThrow('400');
  const unencoded = await call(demoService, `${messagesPath(history)}?cursor=${cursor}`);
  expect(unencoded.status).toBe(400);
});

test.each([
  ['too large', 'right', 413],
  ['unauthorized', 'wrong', 401],
])('reads an upload that is %s to its end instead of cutting it off', async (_what, token, status) => {
  const { hostname, port } = new URL(demoService.baseUrl);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const outgoing = request({ hostname, port, path: `/api/v0${login}/messages`, method: 'POST', headers, agent: false });
  const sent = once(outgoing, 'finish');
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  outgoing.end(Buffer.alloc(30_000_000, 'x'));
  const [[incoming]] = await Promise.all([answered, sent]);
  expect(incoming.statusCode).toBe(status);
  incoming.resume();
  await once(incoming, 'end');
});

test('accepts a large file', async () => {
  const roomy = await startDemoService({ agentDelayMs: 60_000 });
  const data = Buffer.alloc(20_000_000, 'x').toString('base64');
  const body = { text: 'big', files: [{ type: 'base64', data, name: 'big.txt' }] };
  const { tests } = roomy.sessionIdByName;
  expect((await call(roomy, messagesPath(tests), { method: 'POST', body })).status).toBe(200);
  expect((await call(roomy, sessionPath(tests))).status).toBe(200);
  await roomy.dispose();
});
