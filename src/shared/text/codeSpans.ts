/** A part of a line, as indexes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The code spans of a line: each from a run of backticks to the next one of the same length. */
export function codeSpans(line: string): readonly Span[] {
  const runs = [...line.matchAll(/(?<!`)`+/g)].map(({ 0: run, index }) => ({ index, length: run.length }));
  const nextOfLength = new Map<number, number>();
  const closing = runs.map(() => -1);
  for (let place = runs.length - 1; place >= 0; place -= 1) {
    const length = runs[place]?.length ?? 0;
    closing[place] = nextOfLength.get(length) ?? -1;
    nextOfLength.set(length, place);
  }
  const spans: Span[] = [];
  for (let place = 0; place < runs.length; place += 1) {
    const run = runs[place];
    const end = runs[closing[place] ?? -1];
    if (!run || !end || line[run.index - 1] === '\\') continue;
    spans.push({ start: run.index, end: end.index + end.length });
    place = closing[place] ?? place;
  }
  return spans;
}
