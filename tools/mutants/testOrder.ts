/** Chooses the tests for a mutant. Those that are most likely to detect it come first. */
import type { FileRecord } from './setup.ts';

/** A mutant's place. `tests` are prefixes of the paths of its tests. */
export interface MutantPlace {
  readonly path: string;
  readonly block: string;
  readonly tests: readonly string[];
}

/** The tests to run in one file. */
export interface SelectedFile {
  readonly path: string;
  readonly names: readonly string[];
  /** Recorded time of all of them, and of the slowest one. */
  readonly ms: number;
  readonly slowestMs: number;
}

/** Time to start a test process, in ms. Tests of the page also build the page. */
const startMs = (path: string): number => (path.startsWith('test/webview/') ? 1_500 : 600);

/**
 * The order of tests for mutants. Prefers test files near the mutated file, those with quick tests, and those that have
 * detected another mutant of the same source file. In a file, the tests that have detected one come first, and then the
 * quickest.
 */
export class TestOrder {
  readonly #records: readonly FileRecord[];
  readonly #budgetMs: number;
  /** The tests that have detected mutants, by source file and test file. */
  readonly #killers = new Map<string, Set<string>>();

  /** `budgetMs` limits the recorded time of all tests of a mutant. */
  constructor(records: readonly FileRecord[], budgetMs: number) {
    this.#records = records;
    this.#budgetMs = budgetMs;
  }

  /** Call this when a test has detected a mutant of a source file. */
  killed(source: string, file: string, names: readonly string[]): void {
    const id = `${source} ${file}`;
    this.#killers.set(id, new Set([...(this.#killers.get(id) ?? []), ...names]));
  }

  /**
   * The tests that enter the block of a mutant, in the order in which to run them, up to the budget. Each file has at
   * least one, and its share of the budget, because it may be the only one that detects the mutant.
   */
  testsFor({ path: source, block, tests }: MutantPlace): readonly SelectedFile[] {
    const own = source.replace(/^src\//, 'test/unit/').replace(/\.ts$/, '.test.ts');
    const folder = own.replace(/[^/]*$/, '');
    const files = this.#records
      .filter(({ path }) => tests.some((prefix) => path.startsWith(prefix)))
      .map((record) => {
        const { path, shared } = record;
        const isShared = shared.includes(block);
        const killers = this.#killers.get(`${source} ${path}`) ?? new Set();
        const entered = Object.entries(record.tests)
          .filter(([, test]) => isShared || test.blocks.includes(block))
          .map(([name, { ms }]) => ({ name, ms, isKiller: killers.has(name) }))
          .sort((a, b) => Number(b.isKiller) - Number(a.isKiller) || a.ms - b.ms);
        const ms = entered.reduce((sum, test) => sum + test.ms, startMs(path));
        const nearness = path === own ? 0.01 : path.startsWith(folder) ? 0.1 : 1;
        const rank = (ms / entered.length) * nearness * (killers.size > 0 ? 0.01 : 1);
        return { path, entered, rank };
      })
      .filter(({ entered }) => entered.length > 0)
      .sort((a, b) => a.rank - b.rank);
    let leftMs = this.#budgetMs;
    return files.map(({ path, entered }) => {
      // Leave half of the time for the other files, which may detect what the tests in this one miss.
      const limitMs = Math.max(leftMs / 2, this.#budgetMs / files.length);
      const fitting = selectUpTo(entered, limitMs - startMs(path));
      const selected = fitting.length > 0 ? fitting : entered.slice(0, 1);
      leftMs -= selected.reduce((sum, { ms }) => sum + ms, startMs(path));
      return selectedFile(path, selected);
    });
  }
}

interface TimedTest {
  readonly name: string;
  readonly ms: number;
}

function selectedFile(path: string, tests: readonly TimedTest[]): SelectedFile {
  const times = tests.map(({ ms }) => ms);
  const ms = times.reduce((sum, time) => sum + time, 0);
  return { path, names: tests.map(({ name }) => name), ms, slowestMs: Math.max(...times) };
}

function selectUpTo(tests: readonly TimedTest[], limitMs: number): readonly TimedTest[] {
  let leftMs = limitMs;
  return tests.filter(({ ms }) => (leftMs -= ms) > 0);
}
