import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startDemoService } from '../../../src/demoService/service.ts';
import { call, messagesPath, post } from './client.ts';

const service = pathToFileURL(join(import.meta.dirname, '../../../src/demoService/service.ts')).href;

/**
 * A script for a separate process. Disposes services that have pending timers and open connections. Anything that stays
 * open keeps the process running.
 */
const story = `
  const { startDemoService } = await import(${JSON.stringify(service)});
  const before = process.getActiveResourcesInfo();
  const post = (demoService, text) => fetch(
    demoService.baseUrl + '/api/v0/sessions/' + demoService.sessionIdByName.tests + '/messages',
    {
      method: 'POST',
      headers: { authorization: 'Bearer ' + demoService.token, 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    },
  );
  const prompt = await startDemoService({ agentDelayMs: 600_000 });
  for (const text of ['never answered', 'nor this']) await (await post(prompt, text)).text();
  let clockReads = 0;
  const slow = await startDemoService({ latencyMs: 600_000, agentDelayMs: 600_000, now: () => (clockReads++, Date.now()) });
  const readsAtStart = clockReads;
  const held = post(slow, 'accepted, not yet told').then(() => 'answered', () => 'cut');
  while (clockReads === readsAtStart) await new Promise(setImmediate);
  await Promise.all([prompt.dispose(), slow.dispose(), slow.dispose()]);
  const refused = await post(prompt, 'too late').then(() => 'answered', (error) => error.cause.code);
  const left = () => process.getActiveResourcesInfo().filter((kind) => /^(TCP|Timeout)/.test(kind)).length;
  while (left() > before.length) await new Promise(setImmediate);
  console.log(await held, refused);
`;

test('leaves no timer, socket, or server behind, and no connection works anymore', async () => {
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '--eval', story]);
  onTestFinished(() => void child.kill());
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  expect([code, output]).toEqual([0, 'cut ECONNREFUSED\n']);
});

test('logs method, path, and status, and no user content', async () => {
  const lines: string[] = [];
  const keep = (line: string) => void lines.push(line);
  const log = { trace: keep, debug: keep, info: keep, warn: keep, error: keep };
  const demoService = await startDemoService({ log, agentDelayMs: 60_000, token: 'canary-token' });
  const { tests } = demoService.sessionIdByName;
  const path = messagesPath(tests);
  await post(demoService, tests, {
    text: 'canary-text',
    files: [{ type: 'base64', data: 'Y2FuYXJ5', name: 'canary-name' }],
  });
  await call(demoService, `${path}?limit=canary`);
  await demoService.dispose();
  expect(lines[0]).toMatch(new RegExp(`^demo service: POST /api/v0${path} 200 \\d+ ms$`));
  expect(lines[1]).toContain(' 400 ');
  expect(lines.join('\n')).not.toMatch(/canary|Y2FuYXJ5/);
});
