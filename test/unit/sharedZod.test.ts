import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/l10n/sourceFiles.ts';

const { bundles } = createRequire(import.meta.url)('../../esbuild.js') as {
  readonly bundles: Readonly<Record<string, BuildOptions>>;
};
const hostBundles = Object.entries(bundles).filter(([, { platform }]) => platform === 'node');

/**
 * A script for a separate Node process. Another extension has configured zod there before the demo service's bundle is
 * loaded, and does so again afterward. Prints the service's responses, and whether `globalThis` has the same names.
 */
const probe = `
const hostile = {
  jitless: true,
  customError: () => 'from another extension',
  localeError: () => 'from another extension',
  postProcessor: (schema) => void (schema._zod.run = (payload) => payload),
};
globalThis.__zod_globalConfig = hostile;
const names = () => Reflect.ownKeys(globalThis).map(String).sort().join();
const before = names();
const { startDemoService } = require(process.argv[2]);
const isUntouched = before === names();
Object.assign(hostile, { jitless: false });
(async () => {
  const service = await startDemoService({ token: 'key' });
  const url = service.baseUrl + '/api/v0/sessions/' + service.sessionIds[0];
  const headers = { authorization: 'Bearer key', 'content-type': 'application/json' };
  const post = async (body) => {
    const answer = await fetch(url + '/messages', { method: 'POST', headers, body: JSON.stringify(body) });
    return [answer.status, (await answer.json()).detail];
  };
  const answers = [await post({ text: 1 }), await post({ text: 'a', images: [{ type: 'base64', data: '!' }] })];
  answers.push(await post({ text: 'a' }));
  await service.dispose();
  console.log(JSON.stringify({ answers, isUntouched }));
})();
`;

describe("zod's configuration of the whole process", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lineside-zod-'));
    await writeFile(join(folder, 'probe.cjs'), probe);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("doesn't change what a bundle accepts and reports, and a bundle doesn't create it", async () => {
    const outfile = join(folder, 'demoService.js');
    await build({ ...bundles['demoService'], absWorkingDir: root, outfile });
    const run = await promisify(execFile)(process.execPath, [join(folder, 'probe.cjs'), outfile], { timeout: 60_000 });
    expect(JSON.parse(run.stdout)).toEqual({
      answers: [
        [400, 'The field "text" must be a string.'],
        [400, 'The field "images[0].data" must be valid base64 without white space.'],
        [200],
      ].map(([status, detail]) => [status, detail ?? null]),
      isUntouched: true,
    });
  });

  it.each(hostBundles)('is not used by %s.js', async (_name, options) => {
    const { outputFiles } = await build({ ...options, absWorkingDir: root, write: false, minify: true });
    const text = outputFiles.map((file) => file.text).join('\n');
    expect(text).not.toMatch(/globalThis\W{0,6}__zod/);
    expect(text).not.toMatch(/=globalThis\)\.__zod/);
  });
});
