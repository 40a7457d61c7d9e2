import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

const source = join(import.meta.dirname, '../../../src/demoService/service.ts');
let folder: string;
let built: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineside-demo-service-'));
  built = join(folder, 'demoService.js');
  await build({
    entryPoints: [source],
    outfile: built,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    charset: 'utf8',
  });
});
afterAll(() => rm(folder, { recursive: true }));

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

/**
 * Runs the program until it exits. If `onLine` is given, sends `signal` after `onLine` has handled the first printed
 * line.
 */
function run(
  file: string,
  args: string[],
  onLine?: (line: string) => Promise<void>,
  signal: NodeJS.Signals = 'SIGINT',
) {
  return new Promise<Outcome>((resolve, reject) => {
    const child = spawn(process.execPath, ['--no-warnings', file, ...args]);
    let [out, error] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      const isFirst = !out.includes('\n');
      out += chunk.toString();
      if (onLine && isFirst && out.includes('\n')) {
        onLine(out)
          .catch(reject)
          .finally(() => child.kill(signal));
      }
    });
    child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
    child.on('close', (code) => resolve({ code, out, error }));
  });
}

interface Announced {
  readonly baseUrl: string;
  readonly token: string;
  readonly sessionIds: string[];
}

test.each([
  ['from source', () => source, 'SIGINT'],
  ['built', () => built, 'SIGTERM'],
] as const)('runs %s, prints one line, and stops on a signal', async (_how, file, signal) => {
  const args = ['--token', 'abc', '--messages=7', '--order', 'asc', '--list-roles', 'no'];
  let answered: unknown;
  const outcome = await run(
    file(),
    args,
    async (line) => {
      const { baseUrl, token, sessionIds } = JSON.parse(line) as Announced;
      expect([token, sessionIds.length]).toEqual(['abc', 10]);
      const answer = await fetch(`${baseUrl}/api/v0/sessions/${sessionIds[4] ?? ''}/messages`, {
        headers: { authorization: 'Bearer abc' },
      });
      answered = await answer.json();
    },
    signal,
  );
  expect(outcome).toMatchObject({ code: 0, error: '' });
  expect(outcome.out.split('\n')).toHaveLength(2);
  const { messages } = answered as { messages: { id: string; role?: string }[] };
  expect(messages.map((message) => message.id).slice(0, 2)).toEqual(['msg_history_00001', 'msg_history_00002']);
  expect(messages).toHaveLength(7);
  expect(messages[0]).not.toHaveProperty('role');
});

test('generates a token of 32 random bytes', async () => {
  const tokens: string[] = [];
  for (const file of [built, built]) {
    await run(file, [], (line) => {
      tokens.push((JSON.parse(line) as Announced).token);
      return Promise.resolve();
    });
  }
  expect(tokens[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(tokens[1]).not.toBe(tokens[0]);
});

test('prints its usage', async () => {
  const { code, out, error } = await run(built, ['--help']);
  expect([code, error]).toEqual([0, '']);
  const options = [
    'port',
    'token',
    'messages',
    'order',
    'patch',
    'last-cursor',
    'list-roles',
    'image-media-type',
    'list-lag-ms',
    'latency-ms',
    'agent-delay-ms',
  ];
  for (const option of options) expect(out).toContain(`--${option} `);
});

test.each([
  [['--bogus'], "Unknown option '--bogus'"],
  [['--port'], "Option '--port <value>' argument missing"],
  [['--port', '70000'], '--port must be an integer from 0 to 65535, not "70000"'],
  [['--messages', 'many'], '--messages must be an integer from 0 to 1000000, not "many"'],
  [['--latency-ms=-1'], '--latency-ms must be an integer from 0 to 600000, not "-1"'],
  [['--order', 'up'], '--order must be asc or desc, not "up"'],
  [['--patch', 'both'], '--patch must be merge or replace, not "both"'],
  [['--last-cursor', 'none'], '--last-cursor must be null or absent or empty or repeat, not "none"'],
  [['--token', 'a b'], '--token must consist of visible ASCII characters without spaces'],
  [['extra'], "Unexpected argument 'extra'"],
])('rejects %j in one sentence, with exit code 2', async (args, sentence) => {
  const { code, out, error } = await run(built, args);
  expect([code, out]).toEqual([2, '']);
  expect(error).toContain(`${sentence}. See --help.\n`);
  expect(error.trim().split('\n')).toHaveLength(1);
});

test('reports a port in use, with exit code 1', async () => {
  const other = createServer();
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port));
  });
  const { code, error } = await run(built, ['--port', String(port)]);
  expect(code).toBe(1);
  expect(error).toMatch(/^Couldn't start the service: .*EADDRINUSE.*\n$/);
  await new Promise((resolve) => other.close(resolve));
});

test('is small enough to ship', async () => {
  expect(gzipSync(await readFile(built)).length).toBeLessThan(35_000);
});
