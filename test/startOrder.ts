import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than others of their size: they start several editors, count steps of work, or show many payloads. */
const longest = [
  'linear/functions.test.ts',
  'linear/regexes.test.ts',
  'webview/hostile.test.ts',
  'editor/extensionHost.test.ts',
];

/**
 * Starts the files in the order of their sizes, and those that take longest first: at the end of a ring, nothing else
 * would run next to them.
 */
export class StartOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isFirst = ({ moduleId }: TestSpecification): boolean => longest.some((name) => moduleId.endsWith(name));
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}
