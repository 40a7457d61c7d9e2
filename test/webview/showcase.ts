import type { PageRow } from '../../src/pageContent.ts';
import { markdownRow, row, startMs } from './samples.ts';

/** A red PNG of one pixel, scaled by the page to nothing much. */
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
`;

/** One of every kind of thing a conversation can show, for pictures and for the accessibility checks. */
export const showcase: readonly PageRow[] = [
  markdownRow('u1', 'Uploads all retry at the same moment after an outage.\nCan you add jitter?', {
    role: 'user',
    roleLabel: 'You',
    badges: [{ label: 'from Slack', hint: 'Sent from Slack' }],
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
      isError: false,
      blocks: [{ type: 'code', text: '{ "path": "src/upload/retry.ts" }', language: 'json' }],
    },
  ]),
  row(
    't1',
    [
      {
        type: 'fold',
        kind: 'toolResult',
        title: 'run_tests',
        detail: 'exit code 1',
        isError: true,
        blocks: [{ type: 'code', text: 'FAIL retry.test.ts\n  expected 1000 to be less than 1000' }],
      },
    ],
    { role: 'tool', roleLabel: 'Tool' },
  ),
  markdownRow('a2', answer, { updatedAt: startMs + 60_000 }),
  row('a3', [
    { type: 'image', mediaType: 'image/png', base64: tinyPng },
    { type: 'note', text: 'Image not loaded: https://example.com/chart.png', href: 'https://example.com/chart.png' },
  ]),
  markdownRow('a4', 'The service stopped the run: the model is overloaded.', { isError: true }),
  markdownRow('u2', 'שלום, please run the tests again', {
    role: 'user',
    roleLabel: 'You',
    delivery: {
      entryId: 'e1',
      state: 'unknown',
      label: 'May not have been sent',
      detail: 'The connection was lost while sending. The text is kept; look for it on the service, or send it again.',
      actions: ['sendAgain', 'discard'],
    },
  }),
];
