import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, type Metafile, build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultServer, startFaultServer } from '../../../fakes/faultServer.ts';
import { wellBehaved } from '../rig.ts';

const root = new URL('../../../..', import.meta.url).pathname;

/**
 * A script for a separate Node process. Loads the chunk, sends two requests, disposes the transport, and prints the
 * effects on the process.
 */
const probe = `
const [chunk, origin, other] = process.argv.slice(2);
if (other) require(other);
const look = () => [
  globalThis.fetch,
  globalThis[Symbol.for('undici.globalDispatcher.1')],
  globalThis[Symbol.for('undici.globalDispatcher.2')],
  globalThis[Symbol.for('undici.globalOrigin.1')],
];
const names = () => Reflect.ownKeys(globalThis).map(String).sort().join();
(async () => {
  const resources = () => process.getActiveResourcesInfo().filter((name) => !/^(Pipe|TTY|FS|Immediate)/.test(name));
  const before = { look: look(), names: names(), resources: resources() };
  const { createDirectTransport } = await import(chunk);
  const transport = createDirectTransport(origin);
  const url = new URL('/api/v0/sessions/s1', origin);
  const request = { method: 'GET', url, headers: {}, signal: new AbortController().signal, maxResponseBytes: 1e6 };
  const body = { sizeBytes: 2, chunks: async function* () { yield Buffer.from('{}'); } };
  const statuses = [(await transport.send(request)).status, (await transport.send({ ...request, method: 'POST', body })).status];
  transport.dispose();
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  console.log(JSON.stringify({
    statuses,
    isUntouched: before.look.every((value, index) => value === look()[index]) && before.names === names(),
    hadDispatcher: before.look[1] !== undefined,
    resources: [before.resources, resources()],
  }));
})();
`;

describe('the chunk of the direct route', () => {
  let folder: string;
  let chunk: string;
  let probeFile: string;
  let metafile: Metafile;
  let server: FaultServer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lineside-chunk-'));
    chunk = join(folder, 'directTransport.js');
    probeFile = join(folder, 'probe.cjs');
    await writeFile(probeFile, probe);
    const { bundles } = createRequire(import.meta.url)('../../../../esbuild.js') as {
      bundles: { directTransport: BuildOptions };
    };
    const options = {
      ...bundles.directTransport,
      absWorkingDir: root,
      outfile: chunk,
      minify: true,
      metafile: true,
    } as const;
    const result = await build(options);
    metafile = result.metafile;
    server = await startFaultServer({ service: wellBehaved });
  });

  afterAll(async () => {
    await server.dispose();
    await rm(folder, { recursive: true });
  });

  it('contains no undici module that has side effects when it is loaded (R14)', () => {
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.some((path) => path.endsWith('undici/lib/dispatcher/pool.js'))).toBe(true);
    const forbidden =
      /node_modules\/undici\/(index\.js|index-fetch\.js|lib\/(global|dispatcher\/(agent|proxy-agent))\.js|lib\/web\/.*)$/;
    expect(inputs.filter((path) => forbidden.test(path))).toEqual([]);
  });

  it('never disables certificate verification (R16)', async () => {
    const text = await readFile(chunk, 'utf8');
    expect(text).not.toMatch(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/);
  });

  it.each([
    ['', false],
    ['with another undici loaded before it', true],
  ])('leaves fetch and the global dispatchers unchanged %s', async (_name, hasOther) => {
    const other = hasOther ? [join(root, 'node_modules/undici')] : [];
    const run = promisify(execFile)(process.execPath, [probeFile, chunk, server.origin, ...other], { timeout: 60_000 });
    const found = JSON.parse((await run).stdout) as Record<string, unknown>;
    expect(found).toMatchObject({ statuses: [200, 200], isUntouched: true, hadDispatcher: hasOther });
    const [before, after] = found['resources'] as [string[], string[]];
    expect(after).toEqual(before);
  });
});
