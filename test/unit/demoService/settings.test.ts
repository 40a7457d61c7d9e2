import { expect, test } from 'vitest';
import type { Session } from '../../../src/demoService/resources.ts';
import type { DemoService } from '../../../src/demoService/options.ts';
import { call, readSession, demoServices, sessionPath } from './client.ts';

const start = demoServices();

async function patch(demoService: DemoService, sessionId: string, sessionSettings: unknown): Promise<Session> {
  const answer = await call(demoService, sessionPath(sessionId), { method: 'PATCH', body: { sessionSettings } });
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

test.each(['merge', 'replace'] as const)('writes all twelve settings (%s) and returns the session', async (rule) => {
  const demoService = await start({ patch: rule });
  const { login } = demoService.sessionIdByName;
  const before = await readSession(demoService, login);
  const answered = await patch(demoService, login, everySetting);
  const { tokenUsage, inclusiveTokenUsage } = before.sessionSettings ?? {};
  expect(answered.sessionSettings).toEqual({ ...everySetting, tokenUsage, inclusiveTokenUsage });
  expect(answered.updatedAt).toBeGreaterThan(before.updatedAt);
  expect(answered).toEqual(await readSession(demoService, login));
});

test('keeps omitted settings when it merges', async () => {
  const demoService = await start({ patch: 'merge' });
  const { login } = demoService.sessionIdByName;
  const before = await readSession(demoService, login);
  const after = await patch(demoService, login, { model: 'other' });
  expect(after.sessionSettings).toEqual({ ...before.sessionSettings, model: 'other' });
  expect((await patch(demoService, login, {})).sessionSettings).toEqual(after.sessionSettings);
});

test('drops omitted settings when it replaces, but never the usage', async () => {
  const demoService = await start({ patch: 'replace' });
  const { login } = demoService.sessionIdByName;
  const { tokenUsage, inclusiveTokenUsage } = (await readSession(demoService, login)).sessionSettings ?? {};
  const after = await patch(demoService, login, { model: 'other' });
  expect(after.sessionSettings).toEqual({ model: 'other', tokenUsage, inclusiveTokenUsage });
});

test('treats an empty archivedAt as "not archived"', async () => {
  const demoService = await start();
  const { archived } = demoService.sessionIdByName;
  expect((await readSession(demoService, archived)).sessionSettings).toHaveProperty('archivedAt');
  const after = await patch(demoService, archived, { archivedAt: '' });
  expect(after.sessionSettings).not.toHaveProperty('archivedAt');
});

test('adds the received settings to a session without settings', async () => {
  const demoService = await start();
  const { bare } = demoService.sessionIdByName;
  expect(await readSession(demoService, bare)).not.toHaveProperty('sessionSettings');
  expect((await patch(demoService, bare, { runInWorktree: true })).sessionSettings).toEqual({ runInWorktree: true });
});
