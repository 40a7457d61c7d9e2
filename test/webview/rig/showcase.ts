import type { PageBlock, PageRow } from '../../../src/shared/protocol/rowTypes.ts';
import { markdownRow, row, startMs, stepOf, stepsRow } from './samples.ts';

/** A red PNG image of a single pixel, in base64. */
export const tinyPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const answer = `The retry loop waits a **fixed** second, so every client comes back at once. Two changes fix that:

1. Take a random delay between 0 and \`min(cap, base * 2 ** attempt)\`.
2. Honour [Retry-After](https://developer.mozilla.org/docs/Web/HTTP/Headers/Retry-After) as a *minimum*.

\`\`\`ts
/** Full jitter: any delay up to the cap is as likely as any other. */
export function delayMs(attempt: number, random = Math.random): number {
  const ceilingMs = Math.min(30_000, 1_000 * 2 ** attempt);
  return Math.floor(random() * ceilingMs); // never negative
}
\`\`\`

| Attempt | Ceiling | Mean |
|:--|--:|--:|
| 1 | 2 s | 1 s |
| 2 | 4 s | 2 s |
| 5 | 30 s | 15 s |

> The old behaviour stays behind a flag until the next release.

The mean of a full jitter is $\\frac{1}{2} \\min(c, b \\cdot 2^n)$, see \`src/upload/retry.ts:12\`:

$$
\\sum_{n=0}^{k} \\frac{b \\cdot 2^n}{2} = b \\cdot \\left(2^k - \\frac{1}{2}\\right)
$$
`;

const tour = `# Tour

- [x] done with \`code\`
- [ ] not done, with a text that has to be wrapped over more than one line
  - [x] nested

## Narrow

Averyveryveryverylongwordwithoutanyplacetobreak and https://example.com/a/very/long/address/that/goes/on?with=more

| A column | Another one | A third with a long head | Fourth | Fifth |
|--|--|--|--|--|
| a_long_cell_without_any_break | text text text text | 3 | 4 | 5 |

> one
>> two
>>> three with a text that has to be wrapped
>>>> four

### End

~~gone~~ *soft* **loud**
`;

/** Code that produces every syntax color, by language. */
const samples: Readonly<Record<string, string>> = {
  python: `# comment
@decorator
class Retry(Base):
    def delay(self, attempt: int = 3) -> str:
        return f"{attempt}" + str(1.5) + r'\\d+' if True else None`,
  diff: '@@ -1 +1 @@\n- removed\n+ added',
  html: '<a href="x">y</a><!-- comment -->',
  css: '.a:hover > #b { color: #fff; width: calc(1px + var(--x)) } @media print {}',
  bash: 'for f in *; do echo "$f" | grep -c x; done # comment',
  yaml: 'key: &anchor value\nlist: [1, true, null] # comment',
};

/** Rows with most kinds of content in a conversation, but without question cards, for accessibility checks. */
export const showcase: readonly PageRow[] = [
  markdownRow('u1', 'Uploads all retry at the same moment after an outage.\nCan you add jitter?', {
    role: 'user',
    roleLabel: 'You',
    badges: [{ label: 'via Slack', hint: 'Sent from Slack' }],
    place: { startsDay: true },
  }),
  row('f1', [{ type: 'file', name: 'src/upload/retry.ts#L10-L42', detail: '1.2 KB' }], {
    role: 'user',
    roleLabel: 'You',
  }),
  row('a1', [
    {
      type: 'fold',
      kind: 'thinking',
      title: 'Thinking',
      isError: false,
      blocks: [{ type: 'markdown', text: 'The loop sleeps a constant.' }],
    },
    {
      type: 'fold',
      kind: 'toolUse',
      title: 'read_file',
      detail: 'src/upload/retry.ts',
      result: { text: 'export async function upload(file: File) {', isError: false },
      isError: false,
      blocks: [{ type: 'code', text: '{ "path": "src/upload/retry.ts" }', language: 'json' }],
    },
  ]),
  markdownRow('c1', 'I look at the retry loop first; the tests come **after** that.', {
    phase: 'commentary',
    badges: [{ label: 'Progress update', hint: 'Intermediate message. The final answer follows.' }],
  }),
  row('a2b', [
    {
      type: 'fold',
      kind: 'toolUse',
      title: 'run_tests',
      detail: 'npm test -- retry',
      result: { text: 'FAIL retry.test.ts', isError: true },
      isError: false,
      blocks: [],
    },
  ]),
  row(
    't1',
    [
      {
        type: 'fold',
        kind: 'toolResult',
        title: 'Error from run_tests',
        detail: 'npm test -- retry · FAIL retry.test.ts',
        isError: true,
        blocks: [{ type: 'code', text: 'FAIL retry.test.ts\n  expected 1000 to be less than 1000' }],
      },
    ],
    { role: 'tool', roleLabel: 'Tool' },
  ),
  markdownRow('a2', answer, {
    updatedAt: startMs + 60_000,
    phase: 'final',
    badges: [{ label: 'Final answer', hint: 'The answer of this turn.' }],
    place: {
      took: { label: '4 min 12 s', hint: 'Time from the prompt to the end of the turn' },
      branch: { label: 'Branch 2 of 3', previousId: 'b1', nextId: 'b3' },
    },
  }),
  stepsRow(
    'g1',
    [
      stepOf('failed', { index: 4, status: 'failed', failure: 'FAIL retry.test.ts', took: '12 s' }),
      stepOf('running', { index: 13, kind: 'write', label: 'Editing {0}', object: 'src/upload/retry.ts' }),
    ],
    {
      label: 'Edited 3 files, ran 5 commands, 1 failed',
      hint: 'Edited 3 files, ran 5 commands, read 2 files, 1 failed, 4 min 2 s',
      isOpen: false,
      hasErrors: true,
    },
  ),
  stepsRow('g2', [
    stepOf('done', { messageId: 'g2', kind: 'read', label: 'Read {0}', object: 'src/upload/retry.ts' }),
    stepOf('done', {
      ...{ messageId: 'g2', index: 1, kind: 'write', label: 'Edited {0}', object: 'src/upload/retry.ts' },
      ...{ changed: '+12 −3', took: '3 s' },
    }),
    stepOf('unanswered', { messageId: 'g2', index: 2, status: 'no result' }),
  ]),
  markdownRow('l1', 'The beginning of a long log.', { cut: "1,900,000 of 2,000,000 characters aren't shown." }),
  row('a3', [
    { type: 'image', mediaType: 'image/png', base64: tinyPng, part: { messageId: 'a3', path: '0' } },
    { type: 'file', name: 'plan.pdf', detail: 'application/pdf, 12.4 KB', part: { messageId: 'a3', path: '1' } },
    {
      type: 'note',
      text: 'Remote image (not loaded): https://example.com/chart.png',
      href: 'https://example.com/chart.png',
    },
  ]),
  markdownRow('a4', 'The service stopped the run: the model is overloaded.', { isError: true }),
  markdownRow('a5', tour, {
    badges: [
      { label: 'via api.integration.example.com', hint: 'Sent by a program' },
      { label: 'Hidden from the agent', hint: 'For people only' },
    ],
  }),
  row('a6', [
    { type: 'fold', kind: 'raw', title: 'Unsupported content (diagram)', isError: false, blocks: [] },
    ...Object.entries(samples).map(([language, text]): PageBlock => ({ type: 'code', text, language })),
  ]),
  markdownRow('u2', 'שלום, please run the tests again', {
    role: 'user',
    roleLabel: 'You',
    delivery: {
      entryId: 'e1',
      state: 'unknown',
      label: "Couldn't confirm delivery",
      detail: 'The connection was lost while sending. The text is kept; look for it on the service, or send it again.',
      actions: ['sendAgain', 'discard'],
    },
  }),
];
