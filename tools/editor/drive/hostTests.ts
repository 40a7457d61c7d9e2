/** Tests that run inside the extension host of VS Code, by name. A test fails if it throws or rejects. */
export type HostTests = Readonly<Record<string, () => void | Promise<void>>>;

/** The result of one test. */
export interface HostTestResult {
  readonly name: string;
  readonly durationMs: number;
  /** The error with its stack; undefined if the test passed. */
  readonly failure?: string;
}
