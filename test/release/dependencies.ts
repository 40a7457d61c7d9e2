/**
 * `npm run dependencies [-- --online]`: checks exact versions, licenses, install scripts, checksums, and the reasons in
 * docs/dependencies.md. `--online` also asks the registry for known vulnerabilities, and for the date of each direct
 * dependency's last release; what the registry doesn't answer is reported as skipped.
 */
import { join } from 'node:path';
import { repositoryFolder } from '../editor/install/cache.ts';
import { runNpm } from '../editor/run/npm.ts';
import { dependencyFaults, directDependencies, packageTrees, reasonFaults } from './dependencyRules.ts';

/** A direct dependency without a release for this long is reported, but doesn't fail the check. */
const staleAfterMs = 2 * 365 * 24 * 3_600_000;

const faults = reasonFaults(repositoryFolder);
for (const tree of packageTrees) {
  const folder = join(repositoryFolder, tree);
  faults.push(...dependencyFaults(folder).map((fault) => `${tree}: ${fault}`));
  if (process.argv.includes('--online'))
    faults.push(...(await vulnerabilities(folder)).map((fault) => `${tree}: ${fault}`));
}
if (process.argv.includes('--online')) await reportLastReleases();
for (const fault of faults) console.error(fault);
console.log(faults.length === 0 ? 'The dependencies are in order.' : `${faults.length} problems`);
if (faults.length > 0) process.exitCode = 1;

async function vulnerabilities(folder: string): Promise<string[]> {
  const { output } = await runNpm(['audit', '--json', '--package-lock-only', '--loglevel=silent'], { folder });
  const report = JSON.parse(output.slice(output.indexOf('{'))) as {
    readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
    readonly message?: string;
  };
  if (report.vulnerabilities) {
    return Object.entries(report.vulnerabilities).map(
      ([name, { severity }]) => `${name} has a known vulnerability (${severity}).`,
    );
  }
  console.log(`Skipped: the registry answers no audit (${report.message ?? 'no reason given'}).`);
  return [];
}

async function reportLastReleases(): Promise<void> {
  const names = new Set(packageTrees.flatMap((tree) => Object.keys(directDependencies(join(repositoryFolder, tree)))));
  for (const name of names) {
    const { code, output } = await runNpm(['view', name, 'time.modified', '--loglevel=silent']);
    const lastMs = Date.parse(output.trim());
    if (code !== 0 || Number.isNaN(lastMs)) console.log(`Skipped: the registry gives no date for ${name}.`);
    else if (Date.now() - lastMs > staleAfterMs)
      console.log(`${name} had its last release on ${output.trim().slice(0, 10)}.`);
  }
}
