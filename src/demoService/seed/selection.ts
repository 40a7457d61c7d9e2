import type { ContentBlock } from '../resources.ts';
import { Transcript } from './transcript.ts';

const path = 'src/basket.ts';
const testPath = 'tests/basket.test.ts';

/** Lines 15 to 20 of `src/basket.ts` in the sample project, `test/fixtures/workspace`. */
const selectedLines = `function portionPrice({ german, weightGrams }: Portion): Price {
  const fruit = fruits.find((candidate) => candidate.german === german);
  if (!fruit) return { amountCents: 0, currency: 'EUR' };
  const { amountCents, currency } = fruit.perKilogram;
  return { amountCents: Math.round((amountCents * weightGrams) / 1000), currency };
}`;

const testsBefore = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { basketPrice } from '../src/basket.ts';
import { formatPrice } from '../src/price.ts';

test('a basket of apples and cherries', () => {
  const price = basketPrice([
    { german: 'Äpfel', weightGrams: 1500 },
    { german: 'Süßkirschen', weightGrams: 250 },
  ]);
  assert.equal(formatPrice(price), '6,74 €');
});`;

const question = [
  { type: 'text', text: "A fruit that isn't on sale costs nothing. Make that an error, and add a test." },
  {
    type: 'document',
    name: 'basket.ts#L15-L20',
    mediaType: 'text/plain',
    path,
    source: { type: 'base64', mediaType: 'text/plain', data: Buffer.from(selectedLines).toString('base64') },
  },
] as const satisfies readonly ContentBlock[];

/**
 * The session that the demo opens: a selection from the sample project, the agent's plan, edits, and tests, and an
 * answer.
 */
export function selectionTranscript(startedAtMs: number): Transcript {
  const transcript = new Transcript('selection', startedAtMs);
  transcript.user(question, { userMessageSource: 'sessions_api' });
  transcript.plan(steps, 0);
  transcript.tool('read_file', { path: testPath }, testsBefore);
  transcript.tool(
    'edit_file',
    {
      path,
      oldText: "  if (!fruit) return { amountCents: 0, currency: 'EUR' };",
      newText: '  if (!fruit) throw new Error(`${german} is not on sale`);',
    },
    `Applied 1 edit to ${path}`,
  );
  transcript.tool(
    'edit_file',
    {
      path: testPath,
      oldText: "  assert.equal(formatPrice(price), '6,74 €');\n});",
      newText: `  assert.equal(formatPrice(price), '6,74 €');
});

test('a fruit that is not on sale', () => {
  assert.throws(() => basketPrice([{ german: 'Bananen', weightGrams: 500 }]), /Bananen is not on sale/);
});`,
    },
    `Applied 1 edit to ${testPath}`,
  );
  transcript.tool('run_command', { command: 'npm test' }, '# tests 2\n# pass 2\n# fail 0');
  transcript.plan(steps, steps.length);
  transcript.assistant(
    `A fruit that isn't on sale is now an error that names it, such as \`Bananen is not on sale\`.

- \`src/basket.ts\`: \`portionPrice\` throws instead of charging 0 cents.
- \`tests/basket.test.ts\`: a new test with bananas.

Both tests pass.`,
    { openaiPhase: 'final_answer' },
  );
  return transcript;
}

const steps = ['Throw an error for an unknown fruit', 'Add a test', 'Run the tests'];
