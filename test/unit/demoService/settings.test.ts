import { expect, test } from 'vitest';
import type { Session } from '../../../src/demoService/resources.ts';
import type { Sandbox } from '../../../src/demoService/options.ts';
import { call, readSession, sandboxes, sessionPath } from './client.ts';

const start = sandboxes();

async function patch(sandbox: Sandbox, sessionId: string, sessionSettings: unknown): Promise<Session> {
  const answer = await call(sandbox, sessionPath(sessionId), { method: 'PATCH', body: { sessionSettings } });
  expect(answer.status).toBe(200);
  return answer.body as unknown as Session;
}

const everySetting = {
  model: 'm',
  specModeModel: 's',
  runInWorktree: true,
  providerLockTimestamp: '2026-01-01T00:00:00Z',
  assistantActiveTimeMs: 12.5,
  childInclusiveTokenUsageBySessionId: { child: { inputTokens: 1 } },
  archivedAt: '2026-01-02T00:00:00Z',
  tags: [{ name: 'plain' }, { name: 'rich', metadata: { a: [1, { b: null }] } }],
  enabledToolIds: ['x'],
  disabledToolIds: [],
  compactionModel: 'current-model',
  compactionThresholdCheckEnabled: false,
};

test.each(['merge', 'replace'] as const)('writes all twelve settings (%s) and answers the session', async (rule) => {
  const sandbox = await start({ patch: rule });
  const { login } = sandbox.sessionIdByName;
  const before = await readSession(sandbox, login);
  const answered = await patch(sandbox, login, everySetting);
  const { tokenUsage, inclusiveTokenUsage } = before.sessionSettings ?? {};
  expect(answered.sessionSettings).toEqual({ ...everySetting, tokenUsage, inclusiveTokenUsage });
  expect(answered.updatedAt).toBeGreaterThan(before.updatedAt);
  expect(answered).toEqual(await readSession(sandbox, login));
});

test('keeps the settings it is not given when it merges', async () => {
  const sandbox = await start({ patch: 'merge' });
  const { login } = sandbox.sessionIdByName;
  const before = await readSession(sandbox, login);
  const after = await patch(sandbox, login, { model: 'other' });
  expect(after.sessionSettings).toEqual({ ...before.sessionSettings, model: 'other' });
  expect((await patch(sandbox, login, {})).sessionSettings).toEqual(after.sessionSettings);
});

test('drops the settings it is not given when it replaces, but never the usage', async () => {
  const sandbox = await start({ patch: 'replace' });
  const { login } = sandbox.sessionIdByName;
  const { tokenUsage, inclusiveTokenUsage } = (await readSession(sandbox, login)).sessionSettings ?? {};
  const after = await patch(sandbox, login, { model: 'other' });
  expect(after.sessionSettings).toEqual({ model: 'other', tokenUsage, inclusiveTokenUsage });
});

test('takes an empty archivedAt as "not archived"', async () => {
  const sandbox = await start();
  const { archived } = sandbox.sessionIdByName;
  expect((await readSession(sandbox, archived)).sessionSettings).toHaveProperty('archivedAt');
  const after = await patch(sandbox, archived, { archivedAt: '' });
  expect(after.sessionSettings).not.toHaveProperty('archivedAt');
});

test('gives a session without settings the ones it is sent', async () => {
  const sandbox = await start();
  const { bare } = sandbox.sessionIdByName;
  expect(await readSession(sandbox, bare)).not.toHaveProperty('sessionSettings');
  expect((await patch(sandbox, bare, { runInWorktree: true })).sessionSettings).toEqual({ runInWorktree: true });
});
