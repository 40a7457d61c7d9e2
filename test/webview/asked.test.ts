import { describe, expect, it } from 'vitest';
import { click, hold, press, type } from '../../tools/editor/drive/act.ts';
import type { PageAsked } from '../../src/shared/protocol/rowTypes.ts';
import { translator } from '../../src/shared/translate.ts';
import { describeAsked, type KnownAnswer } from '../../src/state/presentation/describeAsked.ts';
import { conversation, markdownRow, row, setup, words } from './rig/samples.ts';
import { usePage } from './rig/usePage.ts';

const t = translator('en');

/** The card of a call, as the host describes it. */
function cardOf(name: string, input: unknown, answer: KnownAnswer = { state: 'open' }): PageAsked {
  const asked = describeAsked({ type: 'tool_use', toolUseId: 'q', name, input }, answer, t);
  if (!asked) throw new Error('The call asks nothing.');
  return asked;
}

const database = {
  question: 'Which **database** should the basket use?',
  header: 'Database',
  options: [
    { label: 'PostgreSQL', description: 'As the orders do.' },
    { label: 'SQLite (in a file)', description: 'No server.' },
  ],
};
const features = {
  question: 'Which features come first?',
  multiSelect: true,
  options: [{ label: 'Taxes' }, { label: 'Discounts, all of them' }, { label: 'Gift cards' }],
};
const one = cardOf('AskUserQuestion', { questions: [database] });
const several = cardOf('AskUserQuestion', { questions: [database, features] });
const free = cardOf('ask_followup_question', { question: 'What is the name of the table?' });
const plan = cardOf('ExitPlanMode', { plan: '# Move the basket\n\n1. Move the **code**\n2. Run the tests' });

const open = usePage([setup]);
const show = (...asked: readonly PageAsked[]) =>
  open.tell(
    conversation([markdownRow('p', 'Go on', { role: 'user' }), ...asked.map((card, at) => row(`q${at}`, [card]))]),
  );
const field = () => open.page.getByRole('textbox', { name: 'Message' });
const text = () => field().inputValue();
const option = (name: string) => open.page.locator('.asked-option', { hasText: name });
const button = (name: string) => open.page.getByRole('button', { name, exact: true }).first();
const card = () => open.page.locator('.asked').first();
const sent = async () => (await open.waitForPost('send')).text;
/** Types into the composer, which must have the focus already. */
async function typeOn(more: string): Promise<void> {
  expect(await field().evaluate((node) => node === document.activeElement)).toBe(true);
  await type(field(), more);
}
const strip = () => open.page.locator('.question-strip button');

describe('a question', () => {
  it('is as prominent as an answer, also in a progress update', async () => {
    await open.tell(conversation([row('q', [one], { phase: 'commentary' }), markdownRow('a', 'An answer.')]));
    const color = (selector: string) => open.page.locator(selector).evaluate((node) => getComputedStyle(node).color);
    expect(await color('.asked-question p')).toBe(await color('article[data-key="a"] .row-body p'));
    expect(await color('.asked-option >> nth=0')).toBe(await color('article[data-key="a"] .row-body p'));
  });

  it('is a group with a name, drawn whole, and says that its answer is text', async () => {
    await show(one);
    const group = open.page.getByRole('group', { name: 'The agent asks: Which database should the basket use?' });
    expect(await group.innerText()).toContain(words.answerIsText);
    expect(await group.innerText()).toContain(words.waitingForAnswer);
    expect(await group.locator('strong').innerText()).toBe('database');
    expect(await open.page.locator('.asked-option').allInnerTexts()).toEqual([
      '1\nPostgreSQL\nAs the orders do.',
      '2\nSQLite (in a file)\nNo server.',
    ]);
    expect(await open.page.locator('.step').count()).toBe(0);
  });

  it('is answered with the exact text of an option, and Enter', async () => {
    await show(one);
    await click(option('SQLite'));
    expect(await text()).toBe('SQLite (in a file)');
    expect(await option('SQLite').getAttribute('aria-pressed')).toBe('true');
    expect(await open.posted()).not.toContainEqual(expect.objectContaining({ type: 'send' }));
    expect(await field().evaluate((node) => node === document.activeElement)).toBe(true);
    await press(field(), 'Enter');
    expect(await sent()).toBe('SQLite (in a file)');
  });

  it('is answered with a digit, only while the card has the focus, and with its Send', async () => {
    await show(one);
    await type(field(), '1');
    expect(await text()).toBe('1');
    await press(field(), 'Backspace');
    await click(strip());
    expect(await card().evaluate((node) => node === document.activeElement)).toBe(true);
    await press(open.page, '2');
    expect(await text()).toBe('SQLite (in a file)');
    await click(card().getByRole('button', { name: 'Send Answer' }));
    expect(await sent()).toBe('SQLite (in a file)');
  });

  it('is open again as soon as its answer is sent, before the host redraws its row', async () => {
    await show(one);
    await click(option('SQLite'));
    const send = card().getByRole('button', { name: 'Send Answer' });
    expect(await send.isEnabled()).toBe(true);
    await press(field(), 'Enter');
    expect(await sent()).toBe('SQLite (in a file)');
    expect(await option('SQLite').getAttribute('aria-pressed')).toBe('false');
    expect(await send.isEnabled()).toBe(false);
  });

  it('has no answer in a draft that became too long to follow', async () => {
    await show(one);
    const draft = { text: 'long '.repeat(40_001), selectionStart: 0, selectionEnd: 0 };
    await open.tell({ type: 'draft', draft });
    await press(field(), 'ArrowUp');
    await open.answer('getPrompt', { prompt: { promptId: 'm8', text: 'Earlier' } });
    await expect.poll(text).toBe('Earlier');
    await click(option('SQLite'));
    expect(await option('SQLite').getAttribute('aria-pressed')).toBe('true');
    // The host changes the draft, which then returns below the edited earlier message.
    const { revision } = await open.waitForPost('draft');
    await open.tell({ type: 'draft', draft: { ...draft, text: `${await text()}\n\n${draft.text}added`, revision } });
    expect(await option('SQLite').getAttribute('aria-pressed')).toBe('false');
  });

  it('is answered once while a digit or Enter is held, and the key does not reach the composer', async () => {
    await show(one);
    await click(strip());
    await hold(open.page, '1', 4);
    expect(await text()).toBe('PostgreSQL');
    await option('SQLite').focus();
    await hold(open.page, 'Enter', 4);
    expect(await text()).toBe('SQLite (in a file)');
    expect(await open.posted()).not.toContainEqual(expect.objectContaining({ type: 'send' }));
    await field().focus();
    await hold(open.page, '!', 3);
    expect(await text()).toBe('SQLite (in a file)!!!');
  });

  it('is reached with the arrow keys', async () => {
    await show(one);
    await click(strip());
    await press(open.page, 'ArrowDown');
    await press(open.page, 'ArrowDown');
    await press(open.page, 'Enter');
    expect(await text()).toBe('SQLite (in a file)');
  });

  it('replaces only its own insertion, and never the draft', async () => {
    await show(one);
    await type(field(), 'before after');
    for (let count = 0; count < 6; count += 1) await press(field(), 'ArrowLeft');
    await click(option('PostgreSQL'));
    expect(await text()).toBe('before\n\nPostgreSQL\n\n after');
    await type(field(), '!');
    // A character next to the answer belongs to the draft.
    await click(option('SQLite'));
    expect(await text()).toBe('before\n\nSQLite (in a file)!\n\n after');
    await click(option('SQLite'));
    expect(await text()).toBe('before!\n\n after');
  });

  it('replaces its insertion after the draft around it was edited', async () => {
    await show(one);
    await type(field(), 'PostgreSQL?');
    await click(option('PostgreSQL'));
    expect(await text()).toBe('PostgreSQL?\n\nPostgreSQL');
    await press(field(), 'Control+Home');
    await type(field(), 'So: ');
    await press(field(), 'Control+End');
    await type(field(), ', please');
    await click(option('SQLite'));
    expect(await text()).toBe('So: PostgreSQL?\n\nSQLite (in a file), please');
    await click(option('SQLite'));
    expect(await text()).toBe('So: PostgreSQL?, please');
  });

  it('leaves an answer alone that the user edited', async () => {
    await show(one);
    await click(option('PostgreSQL'));
    await press(field(), 'Backspace');
    expect(await option('PostgreSQL').getAttribute('aria-pressed')).toBe('false');
    await click(option('SQLite'));
    expect(await text()).toBe('PostgreSQ\n\nSQLite (in a file)');
  });

  it('does not replace a selection', async () => {
    await show(one);
    await type(field(), 'keep this');
    await press(field(), 'Control+a');
    await click(option('PostgreSQL'));
    expect(await text()).toBe('keep this\n\nPostgreSQL');
  });

  it('can be undone', async () => {
    await show(one);
    await type(field(), 'draft');
    await click(option('PostgreSQL'));
    await press(field(), 'Control+z');
    expect(await text()).toBe('draft');
    expect(await option('PostgreSQL').getAttribute('aria-pressed')).toBe('false');
  });
});

describe('a card', () => {
  const name = 'שם';
  const words = {
    ...setup.words,
    agentAsks: name,
    agentAsksApproval: name,
    waitingForAnswer: name,
    answerIsText: name,
    approvalIsText: name,
  };
  const options = [{ label: name, detail: name }, ...[{ label: name, detail: name, failure: name }]];
  const hebrew: PageAsked = {
    ...{ type: 'asked', state: 'open', label: name, answer: '', isApproval: false, note: name },
    questions: [{ header: name, text: name, quote: name, isMultiple: false, options, furtherCount: 1, note: name }],
  };

  it.each([false, true])(
    'has its texts in their own direction, and remarks in small text (approval: %s)',
    async (isApproval) => {
      await open.tell({ ...setup, words });
      await show({ ...hebrew, isApproval });
      expect(await card().locator('.asked-title svg').isVisible()).toBe(true);
      const texts = await card().evaluate((root, text) => {
        const [fullSize] = [getComputedStyle(root).fontSize];
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const found: string[] = [];
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          if (node.textContent !== text || !node.parentElement) continue;
          const { direction, fontSize } = getComputedStyle(node.parentElement);
          found.push(`${direction} ${fontSize === fullSize ? 'full' : 'small'}`);
        }
        return found;
      }, name);
      const [head, header, question] = [['full', 'small'], ['small'], ['full']];
      const [choice, disabled, notes] = [
        ['full', 'small'],
        ['full', 'small', 'small'],
        ['small', 'small', 'small'],
      ];
      const sizes = [...head, ...header, ...question, ...choice, ...disabled, ...notes];
      expect(texts).toEqual(sizes.map((size) => `rtl ${size}`));
    },
  );

  it('has a group for each question, named by its header or else by the question', async () => {
    await show(several);
    expect(
      await card()
        .getByRole('group')
        .evaluateAll((all) => all.map((one) => one.ariaLabel)),
    ).toEqual(['Database', 'Which features come first?']);
  });

  it('has numbers for the first nine options, and no others', async () => {
    const many = Array.from({ length: 11 }, (_, index) => ({ label: `option ${index}` }));
    await show(cardOf('AskUserQuestion', { questions: [{ question: 'Which?', options: many }] }));
    const numbers = await card().locator('.asked-key').allTextContents();
    expect(numbers).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '', '']);
  });

  it.each([
    ['one question', one, ['Other...\nSend Answer']],
    ['several questions', several, ['Other...', 'Other...', 'Send Answer']],
    ['a question without options', free, ['Reply...\nSend Answer']],
    ['a plan', plan, ['Approve\nReply...\nSend Answer']],
  ] as const)('has the buttons for %s, and Send Answer stands out', async (_, shown, expected) => {
    await show(shown);
    expect(await card().locator('.asked-actions').allInnerTexts()).toEqual(expected);
    const colors = await card()
      .locator('.asked-actions button')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
    expect(new Set(colors.slice(0, -1))).not.toContain(colors.at(-1));
  });

  it('shows the whole text of its options, one below the other, and a check mark in the chosen one', async () => {
    const options = [{ label: 'two  spaces' }, { label: 'none' }];
    await show(cardOf('AskUserQuestion', { questions: [{ question: 'Which?', options }] }));
    expect(await option('spaces').innerText()).toContain('two  spaces');
    const [first, second] = [await option('spaces').boundingBox(), await option('none').boundingBox()];
    expect(second!.y - first!.y - first!.height).toBeGreaterThan(2);
    const isChecked = () =>
      card()
        .locator('.asked-check')
        .evaluateAll((all) => all.map((one) => getComputedStyle(one).visibility === 'visible'));
    expect(await isChecked()).toEqual([false, false]);
    await click(option('spaces'));
    expect(await isChecked()).toEqual([true, false]);
  });

  it('ignores digits without an option, and with modifier keys', async () => {
    await show(several);
    await option('PostgreSQL').focus();
    for (const key of ['3', '0', 'F1', 'a', 'Alt+1', 'Control+1', 'Meta+1']) await press(open.page, key);
    expect(await text()).toBe('');
    expect(await option('PostgreSQL').evaluate((node) => node === document.activeElement)).toBe(true);
    await press(open.page, '2');
    expect(await text()).toContain('SQLite');
  });

  it('can be answered with digits on a keyboard that needs Shift for them', async () => {
    await show(one);
    await option('PostgreSQL').evaluate((node) => {
      node.dispatchEvent(new KeyboardEvent('keydown', { key: '2', shiftKey: true, bubbles: true, cancelable: true }));
    });
    expect(await text()).toBe('SQLite (in a file)');
  });
});

describe('several questions', () => {
  it('are quoted, each with its header, and answered one after the other', async () => {
    await show(several);
    expect(await open.page.locator('.asked-header').innerText()).toBe('Database');
    await click(option('PostgreSQL'));
    expect(await card().getByRole('button', { name: 'Send Answer' }).isEnabled()).toBe(true);
    await click(option('Gift cards'));
    await click(option('Taxes'));
    expect(await text()).toBe(
      '> Which database should the basket use?\n\nPostgreSQL\n\n> Which features come first?\n\nTaxes\nGift cards',
    );
    await click(option('SQLite'));
    await click(option('Gift cards'));
    await click(card().getByRole('button', { name: 'Send Answer' }));
    expect(await sent()).toBe(
      '> Which database should the basket use?\n\nSQLite (in a file)\n\n> Which features come first?\n\nTaxes',
    );
  });

  it('are answered with the option alone if there is nothing to quote', async () => {
    const question = { ...one.questions[0]!, quote: '' };
    await show({ ...one, questions: [question, question] });
    await click(option('SQLite').first());
    expect(await text()).toBe('SQLite (in a file)');
  });

  it('are answered by keyboard, and keep the focus', async () => {
    await show(several);
    await click(strip());
    for (const key of ['1', 'ArrowDown', 'ArrowDown', 'ArrowDown', '2', '3']) await press(open.page, key);
    expect(await text()).toBe(
      '> Which database should the basket use?\n\nPostgreSQL\n\n' +
        '> Which features come first?\n\nDiscounts, all of them\nGift cards',
    );
  });

  it('lets the user write another answer below the question', async () => {
    await show(several);
    await click(open.page.getByRole('button', { name: 'Other...' }).first());
    await typeOn('MySQL');
    // A second click only moves the focus.
    await click(open.page.getByRole('button', { name: 'Other...' }).first());
    expect(await text()).toBe('> Which database should the basket use?\n\nMySQL');
  });
});

describe('answers that were inserted one before the other', () => {
  const boxes = ['A', 'B', 'C'].map((label) => ({ question: `Is it ${label}?`, options: [{ label }] }));
  const cards = boxes.map((box) => cardOf('AskUserQuestion', { questions: [box] }));
  const choose = (name: string) => click(open.page.getByRole('button', { name, exact: true }));
  /** Inserts A, then C before A, and then B after A. */
  async function insertThree(): Promise<void> {
    await show(...cards);
    await choose('A');
    await press(field(), 'Control+Home');
    await choose('C');
    await press(field(), 'Control+End');
    await choose('B');
    expect(await text()).toBe('C\n\nA\n\nB');
  }

  it.each([
    ['A', 'C\n\nB'],
    ['B', 'C\n\nA'],
    ['C', 'A\n\nB'],
  ])('are separated once after %s is removed, and leave nothing', async (first, left) => {
    await insertThree();
    await choose(first);
    expect(await text()).toBe(left);
    const [one = '', other = ''] = left.split('\n\n');
    await choose(one);
    expect(await text()).toBe(other);
    await choose(other);
    expect(await text()).toBe('');
    await insertThree();
    await choose(first);
    await choose(other);
    expect(await text()).toBe(one);
  });

  it('keep the empty lines of the user when they are removed', async () => {
    await show(...cards);
    await type(field(), 'mine');
    for (const key of ['Shift+Enter', 'Shift+Enter']) await press(field(), key);
    await choose('A');
    await choose('B');
    expect(await text()).toBe('mine\n\nA\n\nB');
    await choose('A');
    expect(await text()).toBe('mine\n\nB');
    await choose('B');
    expect(await text()).toBe('mine\n\n');
  });
});

describe('a multiple choice', () => {
  it('says so, unlike a question with one answer', async () => {
    await show(several);
    const questions = card().locator('.asked-question');
    expect(await questions.nth(0).innerText()).not.toContain(words.selectSeveral);
    expect(await questions.nth(1).innerText()).toContain(words.selectSeveral);
    for (const count of [1, 2]) {
      await show(
        cardOf('AskUserQuestion', { questions: [{ ...features, options: features.options.slice(0, count) }] }),
      );
      expect((await card().innerText()).includes(words.selectSeveral)).toBe(count === 2);
    }
  });

  it('writes the chosen options in their order, one on each line', async () => {
    await show(cardOf('AskUserQuestion', { questions: [features] }));
    for (const name of ['Gift', 'Discounts', 'Taxes', 'Gift']) await click(option(name));
    expect(await text()).toBe('Taxes\nDiscounts, all of them');
  });

  it('chooses an option once while its key is held', async () => {
    await show(cardOf('AskUserQuestion', { questions: [features] }));
    await click(strip());
    await hold(open.page, '2', 4);
    expect(await text()).toBe('Discounts, all of them');
    await option('Gift').focus();
    await hold(open.page, 'Enter', 4);
    expect(await text()).toBe('Discounts, all of them\nGift cards');
  });
});

describe('a question without options', () => {
  it('moves the focus to the composer', async () => {
    await show(free);
    await click(button('Reply...'));
    await typeOn('baskets');
    expect(await text()).toBe('baskets');
    expect(await open.page.locator('.asked-option').count()).toBe(0);
  });

  it('says nothing about options', async () => {
    await show(free);
    expect(await card().innerText()).not.toContain(words.answerIsText);
    expect(await card().locator('.asked-note').count()).toBe(0);
  });
});

describe('a plan to approve', () => {
  it('is drawn as Markdown, and Approve writes into the composer', async () => {
    await show(plan);
    expect(await card().locator('ol > li').allInnerTexts()).toEqual(['Move the code', 'Run the tests']);
    await click(button('Approve'));
    expect(await text()).toBe('I approve this plan.');
    expect(await open.posted()).not.toContainEqual(expect.objectContaining({ type: 'send' }));
    await press(field(), 'Enter');
    expect(await sent()).toBe('I approve this plan.');
  });

  it('is quoted for a reply', async () => {
    await show(plan);
    await click(button('Reply...'));
    await typeOn('Not now');
    expect(await text()).toBe('> Move the basket\n\nNot now');
  });
});

describe('a question that was answered', () => {
  const answered = cardOf('AskUserQuestion', { questions: [database] }, { state: 'answered', text: 'PostgreSQL' });

  it('is one line that expands to a card without effect', async () => {
    await show(answered);
    const line = open.page.locator('.fold[data-kind="asked"] > .fold-button');
    expect(await line.innerText()).toMatch(/Question\s*Which database should the basket use\?[\s\S]*PostgreSQL/);
    expect(await line.locator('.fold-error').count()).toBe(0);
    expect(await strip().isVisible()).toBe(false);
    await click(line);
    expect(await card().isVisible()).toBe(true);
    expect(await card().getByRole('button', { disabled: false }).count()).toBe(0);
  });

  it('shows the error of its call as an error, not as an answer', async () => {
    const text = '<tool_use_error>InputValidationError: no options</tool_use_error>';
    await show(cardOf('AskUserQuestion', { questions: [database] }, { state: 'failed', text }));
    const line = open.page.locator('.fold[data-kind="asked"] > .fold-button');
    expect(await line.locator('.fold-error').count()).toBe(1);
    expect(await line.locator('.fold-result').innerText()).toBe('InputValidationError: no options');
    expect(await line.locator('.visually-hidden').textContent()).toContain(words.toolFailed.split('{0}')[0]);
    expect(await strip().isVisible()).toBe(false);
  });

  it('has the line of a plan, and nothing behind it if the answer is not known', async () => {
    const input = { plan: 'Move it' };
    await show(cardOf('ExitPlanMode', input, { state: 'answered' }), { ...answered, questions: [] });
    const lines = open.page.locator('.fold-button');
    expect(await lines.locator('.fold-title').allTextContents()).toEqual(['Plan', 'Question']);
    expect(await lines.locator('.fold-detail').allTextContents()).toEqual(['Move it']);
    expect(await lines.first().locator('.fold-result').count()).toBe(0);
  });

  it('can no longer be answered when something follows it', async () => {
    await show(cardOf('AskUserQuestion', { questions: [database, features] }, { state: 'passed' }));
    expect(await card().locator('.asked-option').count()).toBe(5);
    expect(await card().getByRole('button', { disabled: false }).count()).toBe(0);
    expect(await card().innerText()).not.toContain(words.selectSeveral);
    expect(await card().innerText()).not.toContain(words.waitingForAnswer);
    expect(await strip().isVisible()).toBe(false);
  });

  it('becomes one line when the answer arrives, and the strip goes', async () => {
    await show(one);
    expect(await strip().innerText()).toBe('The agent asks: Which database should the basket use?');
    await open.tell({ type: 'patch', patches: [{ op: 'replace', row: row('q0', [answered]), estimatedLines: 1 }] });
    expect(await strip().isVisible()).toBe(false);
    expect(await open.page.locator('.asked').count()).toBe(0);
  });
});

it('a question is announced once', async () => {
  await show();
  const insert = {
    op: 'insert',
    index: 1,
    rowStubs: [{ key: 'q', estimatedLines: 4 }],
    rows: [row('q', [one])],
  } as const;
  const status = { type: 'header', header: { ...conversation([]).conversation.header, status: 'idle' } } as const;
  await open.tell(status, { type: 'patch', patches: [insert] });
  await expect
    .poll(() => open.page.locator('[role="status"]').first().innerText())
    .toBe('The agent asks: Which database should the basket use?');
});
