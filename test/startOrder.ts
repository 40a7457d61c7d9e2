import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that take long, because each starts several editors one after the other. */
const longest = ['editor/extensionHost.test.ts'];

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
