/** Tests that run inside VS Code's extension host: a name each; one that throws or rejects has failed. */
export type HostTests = Readonly<Record<string, () => void | Promise<void>>>;

/** How one of them went. */
export interface HostTestResult {
  readonly name: string;
  readonly durationMs: number;
  /** The error with its stack; undefined if the test passed. */
  readonly failure?: string;
}
