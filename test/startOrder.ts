import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longer than others of their size: they start several editors, count steps of work, or show many
 * payloads.
 */
const longest = [
  'linear/functions.test.ts',
  'linear/regexes.test.ts',
  'webview/hostile.test.ts',
  'editor/extensionHost.test.ts',
];

/**
 * Starts the files that take longest first, because at the end of a ring, nothing else would run next to them. The
 * other files follow in Vitest's order: the largest first or, if an earlier run has left results, those that failed or
 * took longest.
 */
export class StartOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isFirst = ({ moduleId }: TestSpecification): boolean => longest.some((name) => moduleId.endsWith(name));
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}
