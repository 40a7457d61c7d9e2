/**
 * Writes l10n/bundle.l10n.json, which lists every user-visible string for translators. Run this after changing strings.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleOf, sentencesInCode } from './sentences.ts';
import { root } from './sourceFiles.ts';

const sentences = sentencesInCode();
mkdirSync(join(root, 'l10n'), { recursive: true });
writeFileSync(join(root, 'l10n/bundle.l10n.json'), bundleOf(sentences));
console.log(`l10n/bundle.l10n.json: ${new Set(sentences.map(({ text }) => text)).size} sentences`);
