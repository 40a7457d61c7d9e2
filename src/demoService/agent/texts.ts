/** A tool call, with the agent's announcement and the tool's result. */
export interface ToolExchange {
  readonly name: string;
  readonly announcement: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: string;
  readonly isError?: boolean;
}

export const thoughts = [
  'The question is about behavior, not style. I should look at the code that runs, find its callers, and check whether a test already covers this.',
  'There are two readings of this. The safer one keeps the public signature as it is and changes only what happens inside. Let me confirm with a search that nothing else depends on the old order.',
  'Before I change anything, I want to see it fail: first a small test, then the fix, then the whole suite.',
] as const;

export const taskNotes = [
  'The next module still imports the old loader; I move it and run its tests.',
  'Type definitions for this package differ; the import has to name the file.',
  'This plugin has no counterpart, but its job is three lines of configuration now.',
] as const;

const planSteps = [
  'List entries, loaders, and outputs',
  'Build both entries with esbuild',
  'Move the development server',
  'Move the end-to-end tests',
  'Build in continuous integration',
  'Remove webpack and its plugins',
] as const;

/**
 * The call that updates the to-do list of the running session. The first `done` items are completed, and the next one
 * is current.
 */
export function planExchange(done: number): ToolExchange {
  const todos = planSteps.map((content, index) => ({
    content,
    status: index < done ? 'completed' : index === done ? 'in_progress' : 'pending',
  }));
  return {
    name: 'todo_write',
    announcement: "I'll update the list.",
    input: { todos },
    result: `The list has ${todos.length} items. ${Math.min(done, todos.length)} are completed.`,
  };
}

export const toolExchanges: readonly [ToolExchange, ...ToolExchange[]] = [
  {
    name: 'read_file',
    announcement: "I'll read the file first.",
    input: { path: 'src/session/guard.ts', startLine: 1, endLine: 12 },
    result: `1  import { readSession } from './store';
2
3  /** Lets a signed-in user pass and sends everyone else to the login page. */
4  export async function guard(request: Request): Promise<Response | undefined> {
5    const session = await readSession(request);
6    if (session?.expiresAt && session.expiresAt > Date.now()) return undefined;
7    return Response.redirect('/login?next=' + encodeURIComponent(request.url));
8  }`,
  },
  {
    name: 'grep',
    announcement: 'Let me see who calls it.',
    input: { pattern: 'guard\\(', path: 'src', include: '*.ts' },
    result: `src/server.ts:41:  const refused = await guard(request);
src/admin/routes.ts:17:  const refused = await guard(request);
test/guard.test.ts:9:    expect(await guard(signedIn)).toBeUndefined();`,
  },
  {
    name: 'run_tests',
    announcement: "I'll run the tests that cover this.",
    input: { command: 'npm test -- --reporter dot', timeoutSeconds: 120 },
    result: `..........................................
Test files  6 passed (6)
     Tests  42 passed (42)
  Duration  1.84s`,
  },
];

export const answers = [
  `Here is what I found.

1. The **happy path** is fine: the value is read once and never written again.
2. The *error path* swallows the reason. A caller can't tell "not found" from "not allowed".
3. There is no test for an empty list.

\`\`\`ts
export function firstMatch<T>(items: readonly T[], test: (item: T) => boolean): T | undefined {
  for (const item of items) {
    if (test(item)) return item;
  }
  return undefined;
}
\`\`\`

I would fix 2 first; it is a change of four lines. Shall I go on?`,
  `Done. The change is small:

\`\`\`diff
-  const result = cache.get(key) ?? compute(key);
+  const cached = cache.get(key);
+  const result = cached === undefined ? compute(key) : cached;
\`\`\`

The old line recomputed the value if the cached one was \`null\`, which is a valid result. I added a test that fails without the change:

| case | before | after |
| --- | --- | --- |
| missing | computed | computed |
| \`null\` | computed **again** | cached |
| value | cached | cached |

All 42 tests pass.`,
  `Short answer: **yes**, but only for requests that carry no body.

> A server MAY close the connection after an error, so a client has to be ready to open a new one.

- [x] Read requests are retried.
- [x] The delay grows with each attempt.
- [ ] Writes are retried. (They can't be, because they have no key.)

\`\`\`python
def backoff(attempt: int, cap: float = 30.0) -> float:
    """Full jitter: any delay up to the cap."""
    return random.uniform(0, min(cap, 2**attempt))
\`\`\`

I can add this to \`docs/retries.md\` if you like.`,
] as const;
