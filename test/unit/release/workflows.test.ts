import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseDocument } from 'yaml';
import { repositoryFolder } from '../../../tools/editor/install/cache.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folder = join(repositoryFolder, '.github', 'workflows');
const names = readdirSync(folder);
const text = (name: string): string => readFileSync(join(folder, name), 'utf8');
const workflow = (name: string): Workflow => parse(text(name)) as Workflow;
const scripts = Object.keys(
  (JSON.parse(readFileSync(join(repositoryFolder, 'package.json'), 'utf8')) as { scripts: object }).scripts,
);

describe.each(names)('%s', (name) => {
  const { jobs, permissions } = workflow(name);
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('is valid YAML without duplicate keys', () => {
    const { errors, warnings } = parseDocument(text(name), { uniqueKeys: true });
    expect([...errors, ...warnings]).toEqual([]);
  });

  it('pins each action by a commit, with its version as a comment', () => {
    const lines = text(name)
      .split('\n')
      .filter((line) => /^\s*(- )?uses:/.test(line));
    expect(lines).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length);
    for (const line of lines) expect(line).toMatch(/uses: [\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('can only read the content of the repository, unless a job has more permissions', () => {
    expect([{}, { contents: 'read' }]).toContainEqual(permissions);
  });

  it('keeps no token in the working copy, and no expression in a script', () => {
    for (const { uses, with: inputs } of steps) {
      if (uses?.startsWith('actions/checkout@')) expect(inputs?.['persist-credentials']).toBe(false);
    }
    for (const { run } of steps) expect(run ?? '').not.toContain('${{');
  });

  it('limits the time of each job, and calls only scripts that exist', () => {
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
    const called = steps.flatMap(({ run = '' }) => [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script));
    for (const script of called) expect(scripts).toContain(script);
  });
});

describe('the pinned actions', () => {
  it('have one commit each in all workflows', () => {
    const commits = new Map<string, Set<string>>();
    for (const [, action, commit] of names.flatMap((name) => [...text(name).matchAll(/uses: (\S+)@(\S+)/g)])) {
      commits.set(action!, (commits.get(action!) ?? new Set()).add(commit!));
    }
    for (const [action, found] of commits) expect([...found], action).toHaveLength(1);
  });
});

describe('the release check', () => {
  it('runs for pull requests of release branches, and for tags', () => {
    const stepsOf = (name: string) => Object.values(workflow(name).jobs).flatMap(({ steps }) => steps);
    const check = (name: string) => stepsOf(name).find(({ run }) => run?.startsWith('npm run release:check'));
    expect(check('ci.yml')?.if).toBe("startsWith(github.head_ref, 'release/')");
    expect(check('release.yml')).toEqual({ run: 'npm run release:check -- --tag "$GITHUB_REF_NAME"' });
  });
});

describe('the release workflow', () => {
  const { on, permissions, jobs } = workflow('release.yml');
  const publishing = ['publish-marketplace', 'publish-open-vsx'];
  const digest = '${{ needs.package.outputs.sha256 }}';
  const needsOf = (name: string): string[] => [jobs[name]?.needs ?? []].flat();
  const scriptsOf = (name: string): string => (jobs[name]?.steps ?? []).map(({ run = '' }) => run).join('\n');

  it('runs for version tags only, and one at a time', () => {
    expect(on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } });
    expect(permissions).toEqual({});
  });

  it('gives each job only the permissions that it uses', () => {
    const read = { contents: 'read' };
    expect(Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.permissions]))).toEqual({
      test: read,
      package: read,
      reproduce: read,
      attest: { 'id-token': 'write', attestations: 'write' },
      'github-release': { contents: 'write' },
      'publish-marketplace': { contents: 'read', 'id-token': 'write' },
      'publish-open-vsx': { contents: 'read', 'id-token': 'write' },
    });
  });

  it.each(publishing)('%s publishes only the bytes that were tested, reproduced, and attested', (name) => {
    expect(needsOf(name)).toEqual(['package', 'attest']);
    expect(needsOf('attest')).toEqual(['test', 'package', 'reproduce']);
    expect(jobs[name]?.env?.['SHA256']).toBe(digest);
    expect(scriptsOf(name)).toMatch(/release\/publish\.ts [\w-]+ "\$VSIX" "\$SHA256"$/);
    expect(scriptsOf(name)).not.toMatch(/npm run (build|package)/);
  });

  it.each(['attest', 'github-release'])('%s checks the digest before it uses the package', (name) => {
    expect(jobs[name]?.env?.['SHA256']).toBe(digest);
    const order = (jobs[name]?.steps ?? []).map(({ uses, run }) => uses?.split('@')[0] ?? run ?? '');
    const check = order.findIndex((step) => step.includes('sha256sum --check --strict'));
    expect(check).toBeGreaterThan(order.indexOf('actions/download-artifact'));
    expect(order.findIndex((step) => /attest|gh release/.test(step))).toBeGreaterThan(check);
  });

  it('publishes from environments that can ask for an approval, without stored tokens', () => {
    expect(publishing.map((name) => jobs[name]?.environment)).toEqual(['marketplace', 'open-vsx']);
    expect(text('release.yml')).not.toMatch(/secrets\.|VSCE_PAT|OVSX_PAT/);
  });

  it('installs only the publishing tools, without scripts, where it may publish', () => {
    for (const name of publishing) {
      const installs = scriptsOf(name).match(/npm (ci|install|cit)\b.*/g);
      expect(installs).toEqual(['npm ci --prefix .github/publish --ignore-scripts']);
    }
  });
});

describe('the issue forms', () => {
  const forms = join(repositoryFolder, '.github', 'ISSUE_TEMPLATE');
  it.each(readdirSync(forms).filter((name) => name !== 'config.yml'))('%s has what GitHub requires', (name) => {
    const form = parse(readFileSync(join(forms, name), 'utf8')) as {
      name: string;
      description: string;
      body: { type: string; id?: string; attributes: { label?: string; value?: string; options?: unknown[] } }[];
    };
    expect(form.name).toBeTruthy();
    expect(form.description).toBeTruthy();
    const ids = form.body.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { type, id, attributes } of form.body) {
      expect(['markdown', 'input', 'textarea', 'dropdown', 'checkboxes']).toContain(type);
      if (type === 'markdown') expect(attributes.value).toBeTruthy();
      else expect(id && attributes.label).toBeTruthy();
      if (type === 'dropdown' || type === 'checkboxes') expect(attributes.options?.length).toBeGreaterThan(0);
    }
  });
});
