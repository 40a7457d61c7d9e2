import type { HostTests } from '../../../../tools/editor/drive/hostTests.ts';
import { tests as keys } from './keys.ts';
import { tests as pickedFiles } from './pickedFiles.ts';
import { tests as suggestedFiles } from './suggestedFiles.ts';

/**
 * Runs all three suites in one VS Code instance. `pickedFiles` runs last, because `suggestedFiles` would find the files
 * it writes.
 */
export const tests: HostTests = { ...keys, ...suggestedFiles, ...pickedFiles };
