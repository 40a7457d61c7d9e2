import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { createSessionsClient } from '../../../../src/api/client.ts';
import { ApiError } from '../../../../src/api/errors.ts';
import type { Log } from '../../../../src/shared/log.ts';
import { type Rig, failureOf, routes, startRig, testKey } from '../rig.ts';

const textCanary = 'text-canary-91d7';
const fileCanary = 'file-canary-33ab';
const canaries = [
  testKey,
  textCanary,
  fileCanary,
  ...[testKey, fileCanary].map((canary) => Buffer.from(canary).toString('base64').replace(/=+$/, '')),
];

function recordingLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (line: string) => void lines.push(line);
  return { lines, trace: keep, debug: keep, info: keep, warn: keep, error: keep };
}

describe.each(routes)('secrets on the $route route', ({ open }) => {
  let rig: Rig;
  afterEach(() => rig.dispose());

  it('never appear in logs or errors, and the key is sent in one header only (R8, R37)', async () => {
    const log = recordingLog();
    const echo = { detail: `bad key ${testKey} (${Buffer.from(testKey).toString('base64')})` };
    rig = await startRig(
      open,
      [
        { nth: 2, fault: { kind: 'answer', status: 401, body: JSON.stringify(echo) } },
        { nth: 3, fault: { kind: 'answer', status: 302, headers: { location: `https://${testKey}.example.com/` } } },
        { nth: 4, fault: { kind: 'reset', when: 'after' } },
        { nth: 5, fault: { kind: 'answer', body: `{"${testKey}":` } },
        { nth: 6, fault: { kind: 'answer', body: JSON.stringify({ detail: testKey }) } },
      ],
      { log },
    );
    const file = {
      bytes: { sizeBytes: fileCanary.length, read: () => [Buffer.from(fileCanary)].values() as never },
      mediaType: 'text/plain',
      name: 'a.txt',
    };
    const add = () => rig.api.addMessage('s1', { text: textCanary, files: [file] });
    await add();
    const errors = [await failureOf(add()), await failureOf(add()), await failureOf(add())];
    errors.push(await failureOf(add()), await failureOf(add()));
    expect(errors[0]?.detail).toBe('bad key [redacted] ([redacted])');
    const shown = [...log.lines, ...errors.map((error) => inspect(error, { depth: 10, showHidden: true }))].join('\n');
    for (const canary of canaries) expect(shown).not.toContain(canary);
    expect(log.lines).toHaveLength(6);
    expect(log.lines[0]).toMatch(
      /^#1 POST \/api\/v0\/sessions\/s1\/messages: 200, \d+ ms, \d+ B sent, \d+ B received$/,
    );
    for (const { url, headers, body } of rig.server.requests) {
      expect(headers.authorization).toBe(`Bearer ${testKey}`);
      expect(url + JSON.stringify({ ...headers, authorization: '' }) + body.toString()).not.toContain(testKey);
    }
  });

  it.each([
    new ApiError('unreachable', `for ${testKey}`, { sent: 'maybe', cause: new Error(`authorization: ${testKey}`) }),
    Object.assign(new Error(`headers: ${testKey}`), { headers: { authorization: testKey } }),
  ])('are not exposed by an error from the route', async (thrown) => {
    const log = recordingLog();
    rig = await startRig(open);
    const transport = { send: () => Promise.reject(thrown), dispose: () => undefined };
    const api = createSessionsClient({ baseUrl: rig.server.origin, key: () => testKey, transport, log });
    const error = await failureOf(api.getSession('s1'));
    expect(error).toMatchObject({ kind: 'unreachable', sent: 'maybe' });
    expect(inspect(error, { depth: 10, showHidden: true }) + log.lines.join('')).not.toContain(testKey);
    expect(inspect(error)).toContain('[redacted]');
  });

  it('such as cursors and computer IDs are not logged', async () => {
    const log = recordingLog();
    rig = await startRig(open, [], { log });
    await rig.api.listMessages('s1', {
      limit: 5,
      role: 'user',
      cursor: 'cursor-canary',
      computerId: 'computer-canary',
    });
    expect(log.lines).toEqual([expect.stringMatching(/messages\?limit=5&role=user: 200/)]);
  });

  it('are read for each request, and nothing is sent without a usable key', async () => {
    rig = await startRig(open);
    const answers: (() => Promise<string | undefined> | string | undefined)[] = [
      () => undefined,
      () => Promise.resolve('a\nb'),
      () => Promise.reject(new Error('locked')),
      () => {
        throw new Error('locked');
      },
      () => ' late-key ',
    ];
    const key = () => answers.shift()?.();
    const api = createSessionsClient({ baseUrl: rig.server.origin, transport: rig.transport, key });
    const codes: unknown[] = [];
    for (let count = 0; count < 4; count++) {
      const error = await failureOf(api.getSession('s1'));
      expect(error).toMatchObject({ kind: 'invalidRequest', sent: 'no' });
      codes.push(error.code);
    }
    expect(codes).toEqual(['NO_KEY', 'UNUSABLE_KEY', 'KEY_UNAVAILABLE', 'KEY_UNAVAILABLE']);
    expect(rig.server.requests).toEqual([]);
    await api.getSession('s1');
    expect(rig.server.requests[0]?.headers.authorization).toBe('Bearer late-key');
  });

  it('do not delay a request past its deadline if the key never arrives', async () => {
    rig = await startRig(open, [], { key: () => new Promise(() => undefined), deadlines: { readMs: 50 } });
    expect(await failureOf(rig.api.getSession('s1'))).toMatchObject({ kind: 'deadline', sent: 'no' });
  });
});
