/**
 * `npm run dependencies [-- --online [package...]]`: checks exact versions, licenses, install scripts, checksums, and
 * the reasons in docs/dependencies.md. `--online` also asks the registry for known vulnerabilities, and for the last
 * release of each direct dependency or of the named ones. If the registry doesn't answer a check, the check is reported
 * as skipped.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryFolder } from '../editor/install/cache.ts';
import { runNpm } from '../editor/run/npm.ts';
import { dependencyFaults, directDependencies, packageTrees, reasonFaults } from './dependencyRules.ts';

/** A direct dependency without a release for this long is reported, but doesn't fail the check. */
const staleAfterMs = 2 * 365 * 24 * 3_600_000;

const { values, positionals } = parseArgs({
  options: { online: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const faults = reasonFaults(repositoryFolder);
for (const tree of packageTrees) {
  const folder = join(repositoryFolder, tree);
  const found = [...dependencyFaults(folder), ...(values.online ? await vulnerabilities(folder) : [])];
  faults.push(...found.map((fault) => `${tree}: ${fault}`));
}
if (values.online) await reportLastReleases(positionals);
for (const fault of faults) console.error(fault);
console.log(faults.length === 0 ? 'No problems found.' : `${faults.length} problems`);
if (faults.length > 0) process.exitCode = 1;

/**
 * The high and critical vulnerabilities, as sentences. Only prints lower ones, which in a tool rarely need a release.
 */
async function vulnerabilities(folder: string): Promise<string[]> {
  const report = (await askNpm(['audit', '--package-lock-only'], folder)) as {
    readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
    readonly message?: string;
  };
  if (!report.vulnerabilities) {
    console.log(`Skipped: the registry didn't answer the audit (${report.message ?? 'no reason given'}).`);
    return [];
  }
  const found = Object.entries(report.vulnerabilities).map(([name, { severity }]) => ({
    severity,
    sentence: `${name} has a known vulnerability (${severity}).`,
  }));
  const isSevere = ({ severity }: { severity: string }): boolean => ['high', 'critical'].includes(severity);
  for (const { sentence } of found.filter((each) => !isSevere(each))) console.log(sentence);
  return found.filter(isSevere).map(({ sentence }) => sentence);
}

/** The names of packages in the registry, which differ from those of aliases. */
function packageNames(dependencies: Readonly<Record<string, string>>): string[] {
  return Object.entries(dependencies).map(([name, version]) => /^npm:(.+)@/.exec(version)?.[1] ?? name);
}

async function reportLastReleases(named: readonly string[]): Promise<void> {
  const direct = packageTrees.flatMap((tree) => packageNames(directDependencies(join(repositoryFolder, tree))));
  for (const name of new Set(named.length > 0 ? named : direct)) {
    const times = (await askNpm(['view', name, 'time'], repositoryFolder)) as Readonly<Record<string, string>>;
    const dates = Object.values(times).map((time) => Date.parse(time));
    const lastMs = Math.max(...dates.filter((dateMs) => !Number.isNaN(dateMs)));
    const last = Number.isFinite(lastMs) ? new Date(lastMs).toISOString().slice(0, 10) : undefined;
    if (last === undefined) console.log(`Skipped: the registry gives no date for ${name}.`);
    else if (Date.now() - lastMs > staleAfterMs || named.length > 0) console.log(`${name}: last release on ${last}`);
  }
}

/** The JSON that an npm command prints; an empty object if it prints none. */
async function askNpm(args: readonly string[], folder: string): Promise<unknown> {
  const { output } = await runNpm([...args, '--json', '--loglevel=silent'], { folder });
  const start = output.indexOf('{');
  return start < 0 ? {} : (JSON.parse(output.slice(start)) as unknown);
}
