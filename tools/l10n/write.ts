/**
 * Writes l10n/bundle.l10n.json, which lists every user-visible string for translators, and checks the translations of
 * each language: translations of strings that no longer exist are removed, and everything that a translator has to do
 * is listed in test-results/l10n/<language>.json. Run this after changing strings. Names of new languages can be given,
 * for example `npm run l10n -- fr`.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BundleProblems,
  codeProblems,
  filesOf,
  languages,
  manifestFile,
  manifestProblems,
  readTexts,
} from './bundles.ts';
import { bundleOf, jsonOf, sentencesInCode } from './sentences.ts';
import { root } from './sourceFiles.ts';

const sentences = sentencesInCode();
const english = readTexts(manifestFile);
mkdirSync(join(root, 'l10n'), { recursive: true });
writeFileSync(join(root, 'l10n/bundle.l10n.json'), bundleOf(sentences));
console.log(`l10n/bundle.l10n.json: ${new Set(sentences.map(({ text }) => text)).size} sentences`);
for (const language of new Set([...languages(), ...process.argv.slice(2)])) check(language);

function check(language: string): void {
  const { code, manifest } = filesOf(language);
  const work = {
    [code]: tidy(code, codeProblems(readTexts(code), language, sentences), []),
    [manifest]: tidy(manifest, manifestProblems(readTexts(manifest), english), Object.keys(english)),
  };
  const list = join(root, 'test-results/l10n', `${language}.json`);
  const isComplete = Object.values(work).every((problems) => countOf(problems).every((count) => count === 0));
  rmSync(list, { force: true });
  if (isComplete) return;
  mkdirSync(join(root, 'test-results/l10n'), { recursive: true });
  writeFileSync(list, `${JSON.stringify(work, undefined, 2)}\n`);
  console.log(`  work list: test-results/l10n/${language}.json`);
}

/** Reports the problems of a file, removes stale translations from it, and sorts it by `order` and then by key. */
function tidy(file: string, problems: BundleProblems, order: readonly string[]): BundleProblems {
  const [missing, stale, changed] = countOf(problems);
  const place = (key: string) => order.indexOf(key);
  console.log(`${file}: ${missing} missing, ${stale} removed because they are stale, ${changed} with changed parts`);
  const kept = Object.entries(readTexts(file)).filter(([key]) => !(key in problems.stale));
  kept.sort(([one], [other]) => place(one) - place(other) || (one < other ? -1 : 1));
  if (kept.length > 0) writeFileSync(join(root, file), jsonOf(Object.fromEntries(kept)));
  return problems;
}

function countOf({ missing, stale, changed }: BundleProblems): number[] {
  return [missing, stale, changed].map((texts) => Object.keys(texts).length);
}
