import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import tseslint from 'typescript-eslint';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { parseJson } from '../../src/shared/json.ts';
import { root } from '../../tools/l10n/sourceFiles.ts';

const configSchema = z.object({ rules: z.record(z.string(), z.unknown()) });
const pluginSchema = z.object({
  rules: z.record(
    z.string(),
    z.object({ meta: z.object({ docs: z.optional(z.object({ requiresTypeChecking: z.optional(z.boolean()) })) }) }),
  ),
});

/** Rules of the sets that don't run: one because methods are passed on where that is safe, one that oxlint doesn't have. */
const omitted = ['unbound-method', 'no-unsafe-class-instance-assignment'];
/** Rules outside the sets that run. */
const added = ['switch-exhaustiveness-check'];

it('all rules of the strict and stylistic sets that need types run in oxlint', () => {
  const { rules } = pluginSchema.parse(tseslint.plugin);
  const sets = [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked];
  const named = new Set(
    sets.flatMap((set) => Object.keys(set.rules ?? {})).map((name) => name.split('/').at(-1) ?? ''),
  );
  const typed = [...named].filter((name) => rules[name]?.meta.docs?.requiresTypeChecking === true);
  const config = configSchema.parse(parseJson(readFileSync(join(root, '.oxlintrc.json'), 'utf8')));
  const run = Object.keys(config.rules).map((name) => name.replace('typescript/', ''));
  expect(typed.length).toBeGreaterThan(40);
  expect(run.sort()).toEqual([...typed.filter((name) => !omitted.includes(name)), ...added].sort());
});
