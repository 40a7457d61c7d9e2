/**
 * `npm run release:check [-- --tag v0.2.0]`: lists what is missing for a release, and what a person has to confirm.
 * Fails if anything is missing.
 */
import { parseArgs } from 'node:util';
import { repositoryFolder } from '../editor/install/cache.ts';
import { translationGaps } from '../l10n/bundles.ts';
import { sentencesInCode } from '../l10n/sentences.ts';
import { releaseState } from './gaps.ts';

const { tag } = parseArgs({ options: { tag: { type: 'string' } } }).values;
const { version, isPreRelease, gaps: ownGaps, toConfirm } = releaseState(repositoryFolder, tag);
const gaps = [...ownGaps, ...translationGaps(sentencesInCode())];
console.log(`Lineside ${version}, ${isPreRelease ? 'a pre-release (odd minor)' : 'a release (even minor)'}`);
console.log(gaps.length === 0 ? '\nNothing is missing.' : `\nMissing:\n${gaps.map((gap) => `  - ${gap}`).join('\n')}`);
console.log(`\nConfirm before the first release:\n${toConfirm.map((line) => `  - ${line}`).join('\n')}`);
if (gaps.length > 0) process.exitCode = 1;
