import { describe, expect, it } from 'vitest';
import type { PageBlock } from '../../../../src/shared/protocol/rowTypes.ts';
import { mayContain } from '../../../../src/webview/content/quotes.ts';

const options = [
  { label: 'PostgreSQL', detail: 'As the orders do.' },
  { label: 'SQLite', detail: 'No server.' },
];
const question = {
  header: 'Database',
  text: 'Which **one**?',
  quote: 'q',
  isMultiple: false,
  options,
  furtherCount: 0,
};
const blocks: readonly PageBlock[] = [
  { type: 'markdown', text: 'See **the** [guide](https://x.test/a_b).' },
  { type: 'image', mediaType: 'image/png', base64: 'QUFB' },
  { type: 'note', text: '3 files' },
  { type: 'asked', state: 'open', label: 'l', answer: 'a', isApproval: false, questions: [question, question] },
  {
    type: 'fold',
    kind: 'toolUse',
    title: 'Read',
    detail: 'src/a.ts',
    isError: false,
    blocks: [{ type: 'code', text: 'const über = 1;' }],
  },
];

describe('a message', () => {
  it.each([
    'See the guide.',
    '_See_ the\n- `guide`',
    'guide 3 files',
    'files Database Which one? PostgreSQL As the orders do. SQLite No server.',
    'server. Database',
    'Read const über = 1',
    '',
  ])('may contain %j', (quote) => expect(mayContain(blocks, quote)).toBe(true));

  it.each(['see the guide', 'guide https', 'guide QUFB', 'Read src', 'one q', 'const uber', '4 files'])(
    'does not contain %j',
    (quote) => expect(mayContain(blocks, quote)).toBe(false),
  );
});
