import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { parseJson } from '../../src/shared/json.ts';
import { root } from '../../tools/l10n/sourceFiles.ts';

const rulesSchema = z.record(z.string(), z.unknown());
const configSchema = z.object({ rules: rulesSchema, overrides: z.array(z.object({ rules: rulesSchema })) });
const knownSchema = z.array(
  z.object({ scope: z.string(), value: z.string(), type_aware: z.boolean(), recommended: z.boolean() }),
);

/**
 * Rules that need types and don't run: those outside the strict and stylistic sets, and `unbound-method`, because
 * methods are passed on safely.
 */
const omitted = [
  'typescript/consistent-return',
  'typescript/consistent-type-exports',
  'typescript/no-unnecessary-qualifier',
  'typescript/no-unsafe-type-assertion',
  'typescript/prefer-readonly',
  'typescript/prefer-readonly-parameter-types',
  'typescript/promise-function-async',
  'typescript/require-array-sort-compare',
  'typescript/strict-boolean-expressions',
  'typescript/strict-void-return',
  'typescript/unbound-method',
];

it('all rules run that need types or are recommended, except those that are named here', () => {
  const program = join(root, 'node_modules/oxlint/bin/oxlint');
  const printed = execFileSync(process.execPath, [program, '--rules', '--format', 'json'], { encoding: 'utf8' });
  const known = knownSchema
    .parse(parseJson(printed))
    .filter(({ scope, type_aware: isTyped, recommended }) => {
      return scope === 'typescript' ? isTyped || recommended : scope === 'eslint' && recommended;
    })
    .map(({ scope, value }) => `${scope}/${value}`);
  const config = configSchema.parse(parseJson(readFileSync(join(root, '.oxlintrc.json'), 'utf8')));
  const run = [config, ...config.overrides].flatMap(({ rules }) =>
    Object.keys(rules).map((name) => (name.includes('/') ? name : `eslint/${name}`)),
  );
  expect(known.length).toBeGreaterThan(100);
  expect(known.filter((name) => !run.includes(name))).toEqual(omitted);
});
