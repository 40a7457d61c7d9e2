/**
 * `npm run bench:content`: writes the results of the content tests to docs/content.md as tables: CommonMark conformance
 * for each section of the specification, and the results of the corpora of hostile input.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryFolder } from '../editor/install/cache.ts';
import { markdownTable } from './tables/figures.ts';
import { writeBetweenMarkers } from './tables/report.ts';

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const corpora = [
  ['dompurify-xss', 'dompurify-xss/payloads.json', 'the payloads of DOMPurify\u2019s own tests'],
  ['blns', 'blns/blns.json', 'the Big List of Naughty Strings'],
  ['commonmark', 'commonmark/spec.json', 'every example of the specification'],
] as const;

const { lines, report } = await runTests(['markdown', 'hostile']);
await writeBetweenMarkers('commonmark', commonMarkTable(lines));
await writeBetweenMarkers('hostile', await hostileTable(report));

async function runTests(names: readonly string[]): Promise<{ lines: readonly string[]; report: Report }> {
  const files = names.map((name) => `test/webview/${name}.test.ts`);
  const reportFile = join(repositoryFolder, 'test-results', 'content.json');
  const vitest = join(repositoryFolder, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const run = spawn(process.execPath, [vitest, 'run', '--project', 'webview', ...files, ...reporters], {
    cwd: repositoryFolder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  let output = '';
  run.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
    // Stream the output, because the run takes minutes.
    process.stdout.write(chunk);
  });
  await once(run, 'close');
  return { lines: output.split('\n'), report: JSON.parse(await readFile(reportFile, 'utf8')) as Report };
}

function commonMarkTable(lines: readonly string[]): string {
  const rows = lines.flatMap((line) => {
    const [, section = '', agrees = '', of = '', apart = ''] =
      /^CommonMark, (.*): (\d+) of (\d+), and (\d+) that/.exec(line.trim()) ?? [];
    return section === '' ? [] : [[section === 'all' ? '**all**' : section, agrees, of, apart]];
  });
  return markdownTable(['section', 'as specified', 'of', 'otherwise by intent'], rows);
}

async function hostileTable({ testResults }: Report): Promise<string> {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const rows = await Promise.all(
    corpora.map(async ([name, file, what]) => {
      const path = join(repositoryFolder, 'test', 'fixtures', file);
      const payloads = JSON.parse(await readFile(path, 'utf8')) as readonly unknown[];
      const parts = results.filter(({ fullName }) => fullName.includes(`policy that is reported, ${name} `));
      const isPassed = parts.length > 0 && parts.every(({ status }) => status === 'passed');
      return [what, String(payloads.length), isPassed ? 'none' : `**${parts.length > 0 ? 'some' : 'not run'}**`];
    }),
  );
  return markdownTable(['corpus', 'payloads', 'came through'], rows);
}
