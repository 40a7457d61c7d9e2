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
  { type: 'markdown', text: 'See **the** [guide](https://x.test/a_b). Step 3. is done.' },
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
  {
    type: 'fold',
    kind: 'thinking',
    title: 'Thinking',
    isError: false,
    blocks: [
      { type: 'markdown', text: '- [x] Read it\n- [ ] Change it\n  1. First\n  2. Then [x] marks\n\n> 3) Quoted' },
      {
        type: 'checklist',
        items: [
          { text: 'Find the cause', state: 'done', spoken: 'done' },
          { text: '2. Fix it', state: 'open', spoken: 'open' },
        ],
      },
    ],
  },
];

describe('a message', () => {
  it.each([
    'See the guide.',
    '_See_ the\n- `guide`',
    'done. 3 files',
    'guide. Step 3',
    'files Database Which one? PostgreSQL As the orders do. SQLite No server.',
    'server. Database',
    'Read const über = 1',
    'Read it\nChange it\nFirst\nThen [x] marks\nQuoted',
    'Find the cause\n2. Fix it',
    '2. Fix',
    '',
  ])('may contain %j', (quote) => expect(mayContain({ blocks }, quote)).toBe(true));

  it.each([
    'see the guide',
    'guide https',
    'guide QUFB',
    'Read src',
    'one q',
    'const uber',
    '4 files',
    'Fix it done',
    'Then marks',
  ])('does not contain %j', (quote) => expect(mayContain({ blocks }, quote)).toBe(false));

  it('may contain what its row does not show, because only its text is shown, or its content is cut', () => {
    for (const part of [{ isTextOnly: true }, { cut: "5 of 9 characters aren't shown." }]) {
      expect(mayContain({ blocks, ...part }, 'in a tool result')).toBe(true);
    }
  });
});
