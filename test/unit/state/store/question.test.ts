import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/api/resources/message.ts';
import { questionOf } from '../../../../src/state/store/question.ts';

const askedIn = (content: Message['content'], role?: Message['role']) =>
  questionOf({ id: 'm', createdAt: 0, updatedAt: 0, content, ...(role && { role }) });
const asked = (text: string) => askedIn([{ type: 'text', text }], 'assistant');

/** Ends of answers that ask the person, and what they ask. */
const questions: readonly (readonly [text: string, question: string])[] = [
  ['Shall I go on?\n\n- Yes, with the tests\n- No, stop here', 'Shall I go on?'],
  [
    'I found two ways.\n\n**Which approach do you prefer?**\n\n1. A new table\n2. A new column\n',
    'Which approach do you prefer?',
  ],
  ['Which one should I use?\n1) Redis\n2) Postgres\n3) Both', 'Which one should I use?'],
  ['Do you want me to:\n- fix it', ''],
  ['Would you like me to continue?\n\nThe migration takes about five minutes.', 'Would you like me to continue?'],
  ['Should I also update the docs? It would take five minutes.', 'Should I also update the docs?'],
  ['Should I merge this?\n\n(a) squash\n(b) rebase\n\nI will wait for your answer.', 'Should I merge this?'],
  ['Which approach?\n1. A new table\n2. A new column', 'Which approach?'],
  ['Want me to open a pull request?\n\nOtherwise I stop here.', 'Want me to open a pull request?'],
  ['Is this ok?\n- A: keep it\n- B: drop it', 'Is this ok?'],
  ['Let me know what you prefer: A or B?', 'Let me know what you prefer: A or B?'],
  ['The question is: should we keep the old form?', 'The question is: should we keep the old form?'],
  ['I will stop here. Any objections?', 'Any objections?'],
  ['I found the bug. Fix it now? (y/n)', 'Fix it now?'],
  ['**Delete the branch? [Y/n]:**', 'Delete the branch?'],
  ['Overwrite `a.ts`?  (yes/no) ', 'Overwrite a.ts?'],
  ['Proceed?\n\n- yes\n- no', 'Proceed?'],
  ['Soll ich weitermachen?\n\n- Ja\n- Nein', 'Soll ich weitermachen?'],
  ['Möchten Sie, dass ich den Test lösche? Er ist veraltet.', 'Möchten Sie, dass ich den Test lösche?'],
  ['続けますか？\n\n- はい\n- いいえ', '続けますか？'],
  ['どちらの方法がよろしいですか？\n\n1. 方法A\n2. 方法B', 'どちらの方法がよろしいですか？'],
  ['どれを使うべきですか？\n\n- Redis\n- Postgres', 'どれを使うべきですか？'],
  ['How should errors be reported?\n\n- throw\n- return a result', 'How should errors be reported?'],
  ['Which branch should it target?\n1. main\n2. next', 'Which branch should it target?'],
  ['是否继续？\n\n1. 是\n2. 否', '是否继续？'],
  ['Voulez-vous que je continue ?\n\n- Oui\n- Non', 'Voulez-vous que je continue ?'],
  ['¿Quieres que siga?\n\n- Sí\n- No', '¿Quieres que siga?'],
  ['Θέλετε να συνεχίσω;', 'Θέλετε να συνεχίσω;'],
  ['계속 진행할까요?\n\n1. 예\n2. 아니요', '계속 진행할까요?'],
  ['Хотите, чтобы я продолжил? Это займёт минуту.', 'Хотите, чтобы я продолжил?'],
  ['Devo continuare?\n- sì\n- no', 'Devo continuare?'],
  ['Which do you prefer?\n\n**Option A**: a table\n**Option B**: a column', 'Which do you prefer?'],
  ['(Should I also update the docs?)', 'Should I also update the docs?'],
  ['Shall I go on? 👇\n\n- yes\n- no', 'Shall I go on?'],
  ['Shall I go on?<br>', 'Shall I go on?'],
  ['Shall I go on?!', 'Shall I go on?'],
  ['Should I open a pull request against https://a.test/b?', 'Should I open a pull request against https://a.test/b?'],
  ['Should I continue? Let me know.', 'Should I continue?'],
  ['It prints: one. Want me to?', 'Want me to?'],
  ['## Should I continue?', 'Should I continue?'],
  ['How do you see this fitting in? It is new.', 'How do you see this fitting in?'],
  ['Is the table that I need to migrate still in use?', 'Is the table that I need to migrate still in use?'],
  ['Is it right that a > b?', 'Is it right that a > b?'],
  ['The page https://a.test/faq is down. Go on?', 'Go on?'],
  ['A fence is ``` or ~~~. Shall I go on?', 'Shall I go on?'],
  ['```\nnpm test\n```\nShall I run this?', 'Shall I run this?'],
  ['~~~\nnpm test\n~~~\nShall I run this?', 'Shall I run this?'],
  [`Shall I go on?\n\n${'- a choice\n'.repeat(8)}`, 'Shall I go on?'],
  [`Shall I go on?\n\n${'x'.repeat(200)}`, 'Shall I go on?'],
  [`Shall I go on?\n\n- ${'x'.repeat(198)}\n- no`, 'Shall I go on?'],
  ['How should I proceed? Let me know.', 'How should I proceed?'],
  ['How should I proceed?\n\nLet me know!', 'How should I proceed?'],
  ['How should we handle the conflict? Both ways work.', 'How should we handle the conflict?'],
  ['## How should I proceed?', 'How should I proceed?'],
  ['## Which database?', 'Which database?'],
  ['So how should I name it? Please pick one.', 'So how should I name it?'],
  ['How can I help you? I can read files.', 'How can I help you?'],
  ['How do you handle retries today? I found no code.', 'How do you handle retries today?'],
  ['Why should I keep it? Please explain.', 'Why should I keep it?'],
  ['How would you handle this? Both ways work.', 'How would you handle this?'],
  ['May I ask why? It matters for the schema.', 'May I ask why?'],
  ['Should I continue? Yes or no.', 'Should I continue?'],
  ['Should I continue? Yes/no.', 'Should I continue?'],
  ['Would you like me to continue? No changes have been committed yet.', 'Would you like me to continue?'],
  ['Should I push? Not without your OK.', 'Should I push?'],
  ['Shall I go on? Maybe after lunch.', 'Shall I go on?'],
  ['Should I commit this?\n\nI think it is ready.', 'Should I commit this?'],
  ['Is this OK? I chose Redis, which is there already.', 'Is this OK?'],
  ["Should I merge it? Let's decide before the release.", 'Should I merge it?'],
  ['Do you want me to apply it?\n\nRun `git diff` to see the changes first.', 'Do you want me to apply it?'],
  ['Should I apply it? See the diff above.', 'Should I apply it?'],
  ['Want me to fix it? Run `npm test` to see it fail.', 'Want me to fix it?'],
  ['Should I go ahead?\n\nUse option 1 or 2.', 'Should I go ahead?'],
  ['Should I go ahead?\n\nOption 1 is faster.', 'Should I go ahead?'],
  ['Should I use npm? `pnpm` is not installed.', 'Should I use npm?'],
  ['Should I add it? iOS needs it.', 'Should I add it?'],
  ['Question 1: Which database should I use?', 'Question 1: Which database should I use?'],
  ['Q1: Do you want tests?', 'Q1: Do you want tests?'],
  ['The log shows a deadlock: should I add a timeout?', 'The log shows a deadlock: should I add a timeout?'],
  ['Warning: this deletes the table, should I continue?', 'Warning: this deletes the table, should I continue?'],
  ['But what about the tests?', 'But what about the tests?'],
  ['Does it use node.js/deno?', 'Does it use node.js/deno?'],
  ['Which database is it? Please let me know.', 'Which database is it?'],
  ['Where is the config?\n\nTell me, and I go on.', 'Where is the config?'],
  ["What is the name of the branch? I'll wait.", 'What is the name of the branch?'],
  ['Να το κάνω;', 'Να το κάνω;'],
  ['Which of these should I fix first?\n\n- `a.ts`: null\n  in two places\n- `b.ts`: types', ''],
];

/** Ends of answers that don't ask the person: the agent asks itself, says what it does, or quotes. */
const others = [
  'Let me check how the tree is built - does it accumulate files or replace them?',
  'Now let me look: is the lock released?',
  "But first, let's see - what happens at the end?",
  'The key question is: does the session end here?',
  'I want to check one more scenario - what happens without a commit?',
  'See https://a.test/faq?',
  'It is on www.a.test/faq?',
  '```\nShould I continue?',
  '~~~\nShould I continue?',
  '```\na\n```\nb\n```\nShould I continue?',
  'Shall I go on?\n\nThe first - slow\nThe second - fast',
  'Shall I go on? It is late. And slow.',
  'Shall I go on?\n\nIt is late. And slow.',
  'The log says which way?\n- a\n- b',
  '「どれですか？」とは何？\n- a\n- b',
  '「続けますか？」とは何？\n- a\n- b',
  'I can do what you want. It is easy.',
  'Why did it not continue?\n- the lock\n- the cache',
  `Shall I go on?\n\n${'- a choice\n'.repeat(9)}`,
  `Shall I go on?\n\n${'x'.repeat(201)}`,
  `Shall I go on?\n\n- ${'x'.repeat(199)}\n- no`,
  'What changed?\n- Renamed `a`\n- Added `b`',
  'Which files changed?\n- a.ts\n- b.ts',
  'How should it work?\n\nEach worker takes one file.',
  'どれが変わりましたか\n- a.ts\n- b.ts',
  'Why did it fail? The lock is never released.',
  'Why?\n\nThe cache was stale.',
  'The script prints a prompt (y/n)',
  'Why did it ask? (yes/no) It reads a flag.',
  'What is left?\n\n1. Tests\n2. Docs',
  'How does it work?\n\nEach worker takes one file.',
  '## What was wrong?\n\nThe index was missing.',
  'Where is it used?\n- `a.ts`\n- `b.ts`',
  'The FAQ has "Do you ship abroad?"\n- yes\n- no',
  '> Should I continue?\n\nYes, I did.',
  '```\nShould I continue?\n```\n- yes\n- no',
  '```\nShould I continue?\n```',
  'It prints:\n\n~~~\nProceed? [y/N]\n~~~\n',
  'Should I continue?\n\nYes. I went on and changed the parser. All tests pass.',
  'Should I use a map?\n\n```ts\nconst a = new Map();\n```',
  'Should I continue?\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nDone. All of it.',
  `Shall I go on?\n\n${'- a choice\n'.repeat(12)}`,
  `Shall I go on?\n\n${'A long explanation that goes on, '.repeat(20)}`,
  'See https://a.test/should-I?\n- a\n- b',
  'See a.test/search?',
  'Can I use it in production? Yes.',
  'Should I use tabs? No, spaces.',
  'Should I fix it? I think so, and I did.',
  'Should we use a map?\n\nNo: the keys are sorted.',
  "Can we do better?\n\nLet's use a map.",
  'Soll ich weitermachen? Ja, es geht weiter.',
  'Does it work? Let me check.',
  'Is this OK? It is.',
  'Did you know? It is fast.',
  'Ready to go? Run `npm start`.',
  'How do you run it? With npm.',
  'Why should I care?\n- speed\n- size',
  'When should you use it?\n- on errors\n- on warnings',
  'The user asked: should I proceed?',
  'The tool now prompts: Overwrite? (y/n)',
  'What would you like to do? is in the menu',
  'Error: Did you mean `foo`?',
  'TODO: should we remove this?',
  '// should we remove this?',
  '<!-- should we remove this? -->',
  '**Q: Can I use it?**\n\nYes, you can.',
  '### How often is it called?',
  '- [ ] Should we remove it?',
  'Now, where is the config?',
  'Hmm, why is that?',
  'The rate is λ;',
  'const a = α;',
  'where the angle is θ;',
  'The constants are α, β;',
  'Should we rename it? Probably not.',
  'Can I merge? **No**, it fails.',
  'Should I use tabs? Yes - the file has them.',
  'Did it work? Not yet.',
  'The user asked me: should I proceed?',
  'Why does it fail? Let me know if I should fix it.',
  'How can you tell? The log has it.',
  '- a\n- b',
  'Done.\n- a\n- b',
  '',
];

describe('a question', () => {
  it.each(questions.filter(([, question]) => question !== ''))(
    'ends in its choices or an explanation: %s',
    (text, question) => {
      expect(asked(text)).toBe(question);
    },
  );

  it.each([...others, ...questions.filter(([, question]) => question === '').map(([text]) => text)])(
    'is not: %s',
    (text) => {
      expect(asked(text)).toBeUndefined();
    },
  );

  it('is in the last content that a person can see', () => {
    const text = { type: 'text', text: 'Shall I go on?' } as const;
    const thinking = { type: 'thinking', thinking: 'Hm.' } as const;
    const use = { type: 'tool_use', name: 'a', input: {} } as const;
    const result = { type: 'tool_result', isError: false, content: [] } as const;
    const unknown = { type: 'unknown', kind: 'new', raw: {} } as const;
    for (const role of ['assistant', 'system', undefined] as const) {
      expect([role, askedIn([text], role)]).toEqual([role, 'Shall I go on?']);
    }
    for (const role of ['user', 'tool'] as const) expect([role, askedIn([text], role)]).toEqual([role, undefined]);
    expect(askedIn([])).toBeUndefined();
    expect(askedIn([text, thinking])).toBe('Shall I go on?');
    expect(askedIn([use, text])).toBe('Shall I go on?');
    for (const after of [use, result, unknown]) expect([after, askedIn([text, after])]).toEqual([after, undefined]);
  });

  it('of a long line is its end', () => {
    expect(asked(`${'a '.repeat(300)}ok?`)).toBe(`${'a '.repeat(98)}a ok?`.slice(-200));
  });

  it('is not searched for in very long texts', () => {
    const end = '\nShall I go on?';
    expect(asked('a'.repeat(250_000 - end.length) + end)).toBe('Shall I go on?');
    expect(asked('a'.repeat(250_001 - end.length) + end)).toBeUndefined();
  });
});
