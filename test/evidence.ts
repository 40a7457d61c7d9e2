/** What a failed test leaves behind to explain it. Vitest's report carries it to the end of the run. */
export interface Evidence {
  /** The file name of a screenshot in test-results. */
  readonly picture?: string;
  /** The last lines of the extension's log. */
  readonly log?: readonly string[];
}

declare module 'vitest' {
  interface TaskMeta {
    evidence?: Evidence;
  }
}
