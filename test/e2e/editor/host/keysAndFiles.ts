import type { HostTests } from '../../../editor/drive/hostTests.ts';
import { tests as keys } from './keys.ts';
import { tests as pickedFiles } from './pickedFiles.ts';
import { tests as suggestedFiles } from './suggestedFiles.ts';

/** One start of VS Code for all three. What the last one writes would be found by the one before it. */
export const tests: HostTests = { ...keys, ...suggestedFiles, ...pickedFiles };
