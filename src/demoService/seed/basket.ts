import { Transcript } from './transcript.ts';

const voucherSource = `/** A voucher takes a share off the sum, or an amount. */
export interface Voucher {
  readonly code: string;
  readonly percent?: number;
  readonly amountCents?: number;
}

/** The sum after the voucher, in cents. */
export function discounted(sumCents: number, voucher: Voucher | undefined): number {
  if (voucher === undefined) return sumCents;
  const { percent = 0, amountCents = 0 } = voucher;
  return sumCents * (1 - percent / 100) - amountCents;
}
`;

const voucherPatch = `*** Begin Patch
*** Update File: src/checkout.ts
@@ export async function placeOrder(basket: Basket): Promise<Order> {
   const { lines, voucher } = basket;
-  const sumCents = total(lines);
+  const sumCents = total(lines, voucher);
   return orders.create({ lines, sumCents });
*** Add File: test/voucher.test.ts
+import { expect, test } from 'vitest';
+import { discounted } from '../src/voucher';
+
+test('takes a share off the sum', () => {
+  expect(discounted(10_000, { code: 'SPRING', percent: 20 })).toBe(8_000);
+});
+
+test('never goes below zero', () => {
+  expect(discounted(300, { code: 'WELCOME', amountCents: 500 })).toBe(0);
+});
*** Delete File: src/legacyVoucher.ts
*** End Patch`;

const renamePatch = `*** Begin Patch
*** Update File: src/voucher.ts
*** Move to: src/basket/voucher.ts
*** Update File: src/basket.ts
@@
-import { discounted, type Voucher } from './voucher';
+import { discounted, type Voucher } from './basket/voucher';
*** Update File: test/voucher.test.ts
@@
-import { discounted } from '../src/voucher';
+import { discounted } from '../src/basket/voucher';
*** End Patch`;

const failedTests = ` FAIL  test/voucher.test.ts > never goes below zero
AssertionError: expected -200 to be +0

 Test files  1 failed | 5 passed (6)
      Tests  1 failed | 37 passed (38)
Command exited with code 1`;

/**
 * A finished task that changes files: it creates, edits, patches, deletes, and renames them; an edit and a test fail.
 */
export function basketTranscript(startedAtMs: number): Transcript {
  const transcript = new Transcript('basket', startedAtMs);
  transcript.user('Customers with a voucher pay the full price. Please make vouchers work in the basket.');
  look(transcript);
  change(transcript);
  verify(transcript);
  transcript.user('Good. Please move the voucher file to `src/basket`.');
  transcript.tool('apply_patch', { input: renamePatch }, 'Done. Updated 2 files, moved 1 file.');
  transcript.tool('run_command', { command: 'npm test' }, ' Test files  6 passed (6)\n      Tests  38 passed (38)');
  transcript.assistant('The file is now `src/basket/voucher.ts`. Both imports are updated, and all tests pass.', {
    openaiPhase: 'final_answer',
  });
  return transcript;
}

function look(transcript: Transcript): void {
  transcript.assistant('I look for the place where the price is computed, and for what is left of vouchers.', {
    openaiPhase: 'commentary',
  });
  transcript.tool(
    'grep',
    { pattern: 'voucher', path: 'src' },
    `src/checkout.ts:12:  const { lines, voucher } = basket;
src/legacyVoucher.ts:3:export function voucherPrice(price: number): number {`,
  );
  transcript.tool(
    'read_file',
    { path: 'src/basket.ts' },
    `1  import { round } from './money';
2  import type { Line } from './line';
3
4  /** The sum of a basket in cents. */
5  export function total(lines: readonly Line[]): number {
6    let sum = 0;
7    for (const { priceCents, count } of lines) sum += priceCents * count;
8    return round(sum);
9  }`,
  );
  transcript.tool('read_file', { path: 'src/legacyVoucher.ts' }, '1  // Not used since version 2.');
  transcript.plan(steps, 1);
}

function change(transcript: Transcript): void {
  transcript.tool('create_file', { path: 'src/voucher.ts', content: voucherSource }, 'Created src/voucher.ts');
  const path = 'src/basket.ts';
  transcript.tool(
    'edit_file',
    { path, oldText: '  return round(total);', newText: '  return round(discounted(total, voucher));' },
    'The text to replace was not found in src/basket.ts. Nothing was changed.',
    true,
  );
  const edits = [
    {
      oldText: "import type { Line } from './line';",
      newText: "import type { Line } from './line';\nimport { discounted, type Voucher } from './voucher';",
    },
    {
      oldText: 'export function total(lines: readonly Line[]): number {',
      newText: 'export function total(lines: readonly Line[], voucher?: Voucher): number {',
    },
    { oldText: '  return round(sum);', newText: '  return round(discounted(sum, voucher));' },
  ];
  transcript.tool('edit_file', { path, edits }, 'Applied 3 edits to src/basket.ts');
  transcript.tool('apply_patch', { input: voucherPatch }, 'Done. Updated 1 file, added 1 file, deleted 1 file.');
  transcript.plan(steps, 3);
}

function verify(transcript: Transcript): void {
  const command = 'npm test -- voucher basket';
  transcript.tool('run_command', { command }, failedTests);
  transcript.assistant('The test found a mistake of mine: a voucher can be worth more than the basket.', {
    openaiPhase: 'commentary',
  });
  transcript.tool(
    'edit_file',
    {
      path: 'src/voucher.ts',
      oldText: '  return sumCents * (1 - percent / 100) - amountCents;',
      newText: '  return Math.max(0, sumCents * (1 - percent / 100) - amountCents);',
    },
    'Applied 1 edit to src/voucher.ts',
  );
  transcript.tool('run_command', { command }, ' Test files  6 passed (6)\n      Tests  38 passed (38)');
  transcript.plan(steps, 4);
  transcript.assistant(
    `Vouchers work now, in the basket and at the checkout.

- \`src/voucher.ts\` computes the discount. The sum never goes below zero.
- \`total\` takes the voucher, and \`placeOrder\` passes it on.
- \`src/legacyVoucher.ts\` was unused, so I deleted it.

All 38 tests pass.`,
    { openaiPhase: 'final_answer' },
  );
}

const steps = ['Find where the price is computed', 'Compute the discount', 'Use it at the checkout', 'Run the tests'];
