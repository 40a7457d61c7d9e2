/**
 * `npm run test:desktop`: runs the suite for the extension host in desktop VS Code with the packaged extension. The
 * suite also sends messages to the demo service. Uses the VS Code that `VSCODE_PATH` names, or else downloads the
 * current and the oldest supported version. The package is `LINESIDE_VSIX`, or a new one. Fails if no VS Code is
 * available: a run without tests must not look like a success.
 */
import { join, resolve } from 'node:path';
import { repositoryFolder } from './install/cache.ts';
import { obtainDesktop } from './install/desktop.ts';
import { runOnDesktop } from './run/desktopHost.ts';
import { copySampleProject } from './sampleProject.ts';
import { packageExtension } from './vsix.ts';

const versions = process.env['VSCODE_PATH'] ? (['1.139'] as const) : (['1.139', '1.110'] as const);

const named = process.env['LINESIDE_VSIX'];
const vsix = named ? resolve(named) : (await packageExtension()).file;
const outcomes = { passed: 0, failed: 0 };
for (const version of versions) {
  const executable = await obtainDesktop(version, console.log);
  if (executable === undefined) {
    console.error(`No desktop VS Code ${version} found.`);
    outcomes.failed++;
    continue;
  }
  await runSuite(executable);
}
console.log(`${outcomes.passed} passed, ${outcomes.failed} failed`);
if (outcomes.failed > 0 || outcomes.passed === 0) process.exitCode = 1;

async function runSuite(executable: string): Promise<void> {
  const { folder, dispose } = await copySampleProject();
  try {
    const suite = join(repositoryFolder, 'test', 'e2e', 'editor', 'host', 'inOneWindow.ts');
    for (const { name: test, failure } of await runOnDesktop({ executable, suite, folder, vsix })) {
      console.log(failure === undefined ? `passed: ${test}` : `failed: ${test}\n${failure}`);
      outcomes[failure === undefined ? 'passed' : 'failed']++;
    }
  } catch (error) {
    console.error(`failed: ${error instanceof Error ? error.message : String(error)}`);
    outcomes.failed++;
  } finally {
    await dispose();
  }
}
