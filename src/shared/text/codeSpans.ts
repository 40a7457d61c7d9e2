/** A part of a line: the index of its start, and the index after its end. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The code spans of a line: each from a run of backticks to the next run of the same length, including both. A run
 * after a backslash doesn't begin a span.
 */
export function codeSpans(line: string): readonly Span[] {
  const runs = [...line.matchAll(/(?<!`)`+/g)].map(({ 0: run, index }) => ({ start: index, end: index + run.length }));
  const closing = new Map<Span, Span>();
  const nextOfLength = new Map<number, Span>();
  for (const run of runs.toReversed()) {
    const length = run.end - run.start;
    const next = nextOfLength.get(length);
    if (next) closing.set(run, next);
    nextOfLength.set(length, run);
  }
  const spans: Span[] = [];
  let from = 0;
  for (const run of runs) {
    const last = closing.get(run);
    if (!last || run.start < from || line[run.start - 1] === '\\') continue;
    spans.push({ start: run.start, end: last.end });
    from = last.end;
  }
  return spans;
}
