import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SystemNotifier } from '../../../../src/host/systemNotifications/systemNotifier.ts';
import { silentLog } from '../../../../src/shared/log.ts';

interface Call {
  readonly args: readonly string[];
  readonly folder: string;
}

let folder: string;
let warnings: string[];
let notifier: SystemNotifier;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineside-notifier-'));
  warnings = [];
  notifier = new SystemNotifier({ ...silentLog, warn: (line) => warnings.push(line) });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** Installs a `notify-send` that records its calls and exits with `exitCode`, and puts its folder first in the PATH. */
async function installNotifySend(exitCode: number): Promise<void> {
  const file = join(folder, 'notify-send');
  const record = `require('node:fs').appendFileSync(${JSON.stringify(join(folder, 'calls'))},
    JSON.stringify({ args: process.argv.slice(2), folder: process.cwd() }) + '\\n');
    process.exit(${exitCode});`;
  await writeFile(file, `#!${process.execPath}\n${record}`);
  await chmod(file, 0o755);
  vi.stubEnv('PATH', [folder, process.env['PATH']].join(delimiter));
}

async function calls(): Promise<Call[]> {
  const lines = (await readFile(join(folder, 'calls'), 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Call);
}

describe.runIf(process.platform === 'linux')('notify-send', () => {
  it.each([
    ['-u critical', '-u critical'],
    ['--help', '--help'],
    ['<b>a</b> & "c"\nd', '&lt;b&gt;a&lt;/b&gt; &amp; "c"\nd'],
    ["$(id) `id` $HOME 'x' ; exit 1", "$(id) `id` $HOME 'x' ; exit 1"],
    ['a\\nb \u202e\u2068c\u2069', 'a\\\\nb \u202e\u2068c\u2069'],
  ])('gets the text %j unharmed, in the home folder', async (body, expected) => {
    await installNotifySend(0);
    await notifier.show({ title: 'Lineside', body });
    const args = ['--app-name=Lineside', '--hint=string:sound-name:message-new-instant', '--', 'Lineside', expected];
    expect(await calls()).toEqual([{ args, folder: homedir() }]);
    expect(warnings).toEqual([]);
  });

  it('is logged once if it fails, without the text', async () => {
    await installNotifySend(3);
    await notifier.show({ title: 'Lineside', body: 'A secret plan' });
    await notifier.show({ title: 'Lineside', body: 'A secret plan' });
    expect(await calls()).toHaveLength(2);
    expect(warnings).toEqual(["couldn't show a system notification: notify-send ended with code 3"]);
  });

  it('is logged once if it is missing', async () => {
    vi.stubEnv('PATH', folder);
    await notifier.show({ title: 'Lineside', body: 'A secret plan' });
    await notifier.show({ title: 'Lineside', body: 'A secret plan' });
    expect(warnings).toEqual(["couldn't show a system notification: notify-send: ENOENT"]);
  });
});
