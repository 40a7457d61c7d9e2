import type { ToolExchange } from './texts.ts';

/**
 * A call that reads the function `portionPrice` in the sample project (`test/fixtures/workspace`). The function charges
 * nothing for an unknown fruit.
 */
export const freePriceExchange: ToolExchange = {
  name: 'read_file',
  announcement: "I'll read the function and the list that it searches.",
  input: { path: 'src/basket.ts', startLine: 15, endLine: 20 },
  result: `15  function portionPrice({ german, weightGrams }: Portion): Price {
16    const fruit = fruits.find((candidate) => candidate.german === german);
17    if (!fruit) return { amountCents: 0, currency: 'EUR' };
18    const { amountCents, currency } = fruit.perKilogram;
19    return { amountCents: Math.round((amountCents * weightGrams) / 1000), currency };
20  }`,
};

/** The answer about `portionPrice`. */
export const freePriceAnswer = `Because of line 17 of \`src/basket.ts\`: if \`portionPrice\` doesn't find the fruit, it returns a price of **0 cents** instead of an error.

\`\`\`ts
if (!fruit) return { amountCents: 0, currency: 'EUR' };
\`\`\`

The name has to match \`german\` in \`src/früchte.ts\` exactly, so each of these is free:

| in the basket | reason |
| --- | --- |
| \`Bananen\` | not on sale |
| \`äpfel\` | starts with a small letter |
| \`Suesskirschen\` | spelled without umlaut and ß |

To make it an error, replace the line with

\`\`\`ts
if (!fruit) throw new Error(\`\${german} is not on sale\`);
\`\`\`

\`basketPrice\` then throws for the whole basket, which the caller has to show at the till.`;
