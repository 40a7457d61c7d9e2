import { Transcript } from './transcript.ts';

/** A session that waits for the user: it ends with a tool call that asks a question and has no result. */
export function currencyTranscript(startedAtMs: number): Transcript {
  const transcript = new Transcript('currency', startedAtMs);
  transcript.user('Show every price of the shop in euros and in Swiss francs.', { userMessageSource: 'desktop' });
  transcript.tool(
    'grep',
    { pattern: 'formatPrice\\(', path: 'src' },
    `src/money.ts:8:export function formatPrice(cents: number): string {
src/pages/product.tsx:21:      <strong>{formatPrice(product.priceCents)}</strong>
src/pages/basket.tsx:34:      <td>{formatPrice(total(lines))}</td>`,
  );
  transcript.tool(
    'read_file',
    { path: 'src/money.ts' },
    `8   export function formatPrice(cents: number): string {
9     return new Intl.NumberFormat('de-AT', { style: 'currency', currency: 'EUR' }).format(cents / 100);
10  }`,
  );
  transcript.call(
    'ask_user',
    {
      question: 'Which exchange rate should the prices in Swiss francs use?',
      options: ['The rate of the day', 'A fixed rate in the settings of the shop'],
    },
    'All prices go through `formatPrice`, so the display is a small change. The rate is a decision about the shop.',
  );
  return transcript;
}
