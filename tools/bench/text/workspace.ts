/**
 * `npm run bench:workspace`: measures the processor time that the host needs to compare an agent's changes with
 * workspace files and to mark the lines that agents wrote, and the longest time between two pauses. Fails if a figure
 * misses its goal (R50).
 */
import { type PausableWork, withoutPause } from '../../../src/shared/slices.ts';
import { recognizeCall } from '../../../src/state/tools/recognize.ts';
import { markLines } from '../../../src/state/work/agentMarks.ts';
import { comparePresence } from '../../../src/state/work/presence.ts';
import { markdownTable } from '../tables/figures.ts';
import { threadMs } from './threadTime.ts';

/** Work pauses after 4 ms (`shared/slices.ts`), so with a step of 11 ms, a slice can take 15 ms. */
const goals = { totalMs: 200, stepMs: 11 };
const runs = 5;

const lineOf = (file: number, line: number) =>
  `  const value${file}x${line} = compute(${line}, options.part${line % 7});`;
const textOf = (file: number, count: number) =>
  Array.from({ length: count }, (_, line) => (line % 9 === 8 ? '}' : lineOf(file, line))).join('\n');
const linesFrom = (file: number, line: number) =>
  Array.from({ length: 6 }, (_, at) => lineOf(file, line + at)).join('\n');

const encoded = Array.from({ length: 300 }, (_, file) => Buffer.from(textOf(file, 2_000)));
const marked = textOf(0, 5_000);
/** The edits of 40 sessions, five each, after one that wrote the whole file. */
const pieces = Array.from({ length: 201 }, (_, at) => ({
  source: at,
  createdAt: at,
  oldText: at === 0 ? '' : `old${at}();`,
  newText: at === 0 ? marked : linesFrom(0, (at - 1) * 9),
}));

/**
 * Compares each file with five edits. Every third file contains none of them. Includes the time to read the calls and
 * the files.
 */
function* comparingFiles(): PausableWork<void> {
  for (const [file, bytes] of encoded.entries()) {
    const changes = [0, 9, 18, 27, 36].flatMap((line) => {
      const new_string = linesFrom(file, file % 3 === 0 ? line + 100_000 : line);
      const call = recognizeCall('Edit', { file_path: `f${file}.ts`, old_string: `old${line}(${file});`, new_string });
      return call.kind === 'write' ? call.changes : [];
    });
    yield* comparePresence(changes, new TextDecoder().decode(bytes));
    yield;
  }
}

/** The processor time of work and of its longest step, in ms, each the least of a few runs. */
function measured(start: () => PausableWork<unknown>): { readonly totalMs: number; readonly stepMs: number } {
  const all = Array.from({ length: runs }, () => {
    const begun = threadMs();
    withoutPause(start());
    const totalMs = threadMs() - begun;
    // Reading the processor time takes longer than most steps, so it isn't part of the total.
    let stepMs = 0;
    const work = start();
    for (let isOver = false; !isOver;) {
      const before = threadMs();
      isOver = work.next().done === true;
      stepMs = Math.max(stepMs, threadMs() - before);
    }
    return { totalMs, stepMs };
  });
  return {
    totalMs: Math.min(...all.map(({ totalMs }) => totalMs)),
    stepMs: Math.min(...all.map(({ stepMs }) => stepMs)),
  };
}

const results = [
  { name: 'comparing 300 changed files of 2,000 lines', ...measured(comparingFiles) },
  { name: 'marking 5,000 lines with the edits of 40 sessions', ...measured(() => markLines(marked, pieces)) },
];
console.log(
  markdownTable(
    ['work', `ms (goal: ${goals.totalMs})`, `longest step, ms (goal: ${goals.stepMs})`],
    results.map(({ name, totalMs, stepMs }) => [name, totalMs.toFixed(0), stepMs.toFixed(1)]),
  ),
);
if (results.some(({ totalMs, stepMs }) => totalMs > goals.totalMs || stepMs > goals.stepMs)) process.exitCode = 1;
