import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/service.ts';
import { call, messagesPath, post, sessionPath } from './client.ts';

const ours = () => process.getActiveResourcesInfo().filter((kind) => /^(TCP|Timeout)/.test(kind));

test('leaves no timer, socket or server behind, and no connection works any more', async () => {
  const before = ours();
  const sandbox = await startSandbox({ agentDelayMs: 60_000 });
  const { tests, login } = sandbox.sessionIdByName;
  await post(sandbox, tests, { text: 'never answered' });
  const held = call(sandbox, messagesPath(login), { method: 'POST', body: '{', headers: { 'Content-Length': '9' } });
  const cut = held.catch((error: unknown) => error);
  await call(sandbox, sessionPath(login));
  expect(ours().length).toBeGreaterThan(before.length);

  await Promise.all([sandbox.dispose(), sandbox.dispose()]);
  expect(await cut).toBeInstanceOf(Error);
  // A socket is gone some turns of the loop after its end was heard; waiting by a timer would count as one.
  while (ours().length > before.length) await new Promise((resolve) => setImmediate(resolve));
  expect(ours()).toEqual(before);
  await expect(call(sandbox, sessionPath(login))).rejects.toThrow('ECONNREFUSED');
});

test('writes method, path and status to the log, and nothing a user wrote', async () => {
  const lines: string[] = [];
  const keep = (line: string) => void lines.push(line);
  const log = { trace: keep, debug: keep, info: keep, warn: keep, error: keep };
  const sandbox = await startSandbox({ log, agentDelayMs: 60_000, token: 'canary-token' });
  const { tests } = sandbox.sessionIdByName;
  const path = messagesPath(tests);
  await post(sandbox, tests, {
    text: 'canary-text',
    files: [{ type: 'base64', data: 'Y2FuYXJ5', name: 'canary-name' }],
  });
  await call(sandbox, `${path}?limit=canary`);
  await sandbox.dispose();
  expect(lines[0]).toMatch(new RegExp(`^embedded service: POST /api/v0${path} 200 \\d+ ms$`));
  expect(lines[1]).toContain(' 400 ');
  expect(lines.join('\n')).not.toMatch(/canary|Y2FuYXJ5/);
});
