import { describe, expect, it } from 'vitest';
import { countHidden } from '../../../../src/shared/text/hiddenCharacters.ts';
import { describeAsked } from '../../../../src/state/presentation/describeAsked.ts';
import { corpora } from '../../../fakes/corpora.ts';
import { t } from '../samples.ts';

const asked = (name: string, input: unknown, text?: string) =>
  describeAsked(
    { type: 'tool_use', toolUseId: 'q', name, input },
    text === undefined ? { state: 'open' } : { state: 'answered', text },
    t,
  );

describe('the options of a question', () => {
  const choices = [
    { label: 'EUR', detail: '' },
    { label: 'USD', detail: '' },
  ];
  it.each([
    ['AskUserQuestion', { questions: [{ question: 'Which?', options: [{ label: 'EUR' }, { label: 'USD' }] }] }],
    ['AskUser', { questionnaire: '1. [question] Which?\n[topic] Money\n[option] EUR\n[option] USD' }],
    [
      'request_user_input',
      { questions: [{ id: 'm', question: 'Which?', options: [{ label: 'EUR' }, { label: 'USD' }] }] },
    ],
    ['vscode_askQuestions', { questions: [{ question: 'Which?', options: [{ label: 'EUR' }, { label: 'USD' }] }] }],
    ['ask_user', { question: 'Which?', choices: ['EUR', 'USD'] }],
    ['ask_followup_question', { question: 'Which?', follow_up: [{ text: 'EUR' }, { text: 'USD', mode: 'code' }] }],
    ['ask_followup_question', { question: 'Which?', options: '["EUR", "USD"]' }],
    ['question', { questions: [{ question: 'Which?', options: [{ label: 'EUR' }, { label: 'USD' }] }] }],
  ])('are read from a call of %s', (name, input) => {
    expect(asked(name, input)?.questions[0]?.options).toEqual(choices);
    expect(asked(name, input)?.label).toBe('The agent asks: Which?');
  });

  it('have their descriptions, and the question its header and kind', () => {
    const options = [{ label: 'EUR', description: 'The euro.' }];
    const [single, multiple] =
      asked('AskUserQuestion', {
        questions: [
          { question: 'Which?', header: 'Money', options },
          { question: 'Which others?', header: 'More', options, multiSelect: true },
        ],
      })?.questions ?? [];
    expect(single).toMatchObject({
      header: 'Money',
      isMultiple: false,
      options: [{ label: 'EUR', detail: 'The euro.' }],
    });
    expect(multiple).toMatchObject({ header: 'More', isMultiple: true });
  });

  it('are exactly their texts, or say why they cannot be written', () => {
    const payloads = [
      ...Object.values(corpora).flat(),
      'a\u202Egnp.exe',
      'a\u200Bb',
      'a\r\nb',
      ' a ',
      'ü\u{1F469}\u200D\u{1F4BB}',
    ];
    const readable = payloads.filter((payload) => payload.trim() !== '' && payload.length <= 1_000);
    for (const payload of readable) {
      const option = asked('ask_user', { question: 'Which?', choices: [payload] })?.questions[0]?.options[0];
      if (option?.failure === undefined) expect(option?.label).toBe(payload);
      else expect(option.failure).toContain('hidden characters');
      expect(countHidden(option?.label ?? '')).toBe(0);
    }
    const toFailure = (choice: string) =>
      asked('ask_user', { question: 'Which?', choices: [choice] })?.questions[0]?.options[0]?.failure;
    expect(toFailure('a\u202Egnp.exe')).toBe('This option contains hidden characters. Write your answer below.');
    expect(toFailure(' a ')).toBeUndefined();
    expect(toFailure('a'.repeat(1_000_000))).toBe('This option is too long. Write your answer below.');
  });

  it('are counted if they have no text that can be shown', () => {
    const choices = ['EUR', { icon: 'dollar' }, 'CHF', null];
    const question = asked('ask_user', { question: 'Which?', choices })?.questions[0];
    expect(question?.options.map(({ label }) => label)).toEqual(['EUR', 'CHF']);
    expect(question).toMatchObject({ furtherCount: 2, note: "2 more options aren't shown." });
    const many = [...choices, ...Array.from({ length: 60 }, (_, at) => `a ${at}`)];
    expect(asked('ask_user', { question: 'Which?', choices: many })?.questions[0]).toMatchObject({ furtherCount: 16 });
  });

  it('are bounded, whatever the call contains', () => {
    const choicesOf = (count: number, text: string) => Array.from({ length: count }, (_, at) => `${text} ${at}`);
    const many = asked('ask_user', { question: 'Which?', choices: choicesOf(100_000, 'a') });
    expect(many?.questions[0]?.options).toHaveLength(50);
    expect(many?.questions[0]?.note).toBe("99,950 more options aren't shown.");
    const options = choicesOf(1_000, 'b'.repeat(100_000));
    const questions = Array.from({ length: 100 }, () => ({
      question: 'c'.repeat(10_000),
      header: 'd'.repeat(1_000),
      options,
    }));
    const all = asked('AskUserQuestion', { questions });
    expect(all?.questions).toHaveLength(20);
    expect(all?.note).toBe("80 more questions aren't shown.");
    expect(all?.label).toMatch(/^The agent asks 100 questions: c/);
    expect(all?.questions.flatMap((question) => question.options)).toHaveLength(200);
    expect(all?.questions[10]?.note).toBe("1,000 more options aren't shown.");
    expect(JSON.stringify(all).length).toBeLessThan(600_000);
  });
});

describe('the answer of a question', () => {
  const questions = [
    { question: 'Which?', options: [] },
    { question: 'When?', options: [] },
  ];
  it.each([
    ['User has answered your questions: "Which?"="EUR", "When?"="Now". You can continue.', 'EUR, Now'],
    ['"Which?"="use "core" here". You can now continue.', 'use "core" here'],
    ['"Which?"="the "core"", "When?"="Now"', 'the "core", Now'],
    ['"Which?"="EUR" user notes: soon, "When?"="Now". You can continue.', 'EUR, Now'],
    ['"Which?"="EUR" (the first)', 'EUR'],
    ['"Which?"="Use "foo", not bar". You can now continue.', 'Use "foo", not bar'],
    [
      '"Which?"="Use "foo", not bar", "When?"="The "core", now". You can now continue with it.',
      'Use "foo", not bar, The "core", now',
    ],
    ['"Which?"="Use "a". Not "b"" user notes: "c", d. You can continue.', 'Use "a". Not "b"'],
    ['"Which?"="Use "a", not b" selected preview:\n"x", y', 'Use "a", not b'],
    ['"Which?"="Use "a", not b"\n', 'Use "a", not b'],
    ['EUR', 'EUR'],
    ['> Which?\n\nEUR\n\n> When?\n\nNow\u202E', 'EUR Now<U+202E>'],
    ['"Which?"="never closed', '"Which?"="never closed'],
    ['The user denied this operation.', 'Rejected'],
    ['Answer questions?', 'Rejected'],
    [
      'The user rejected permission to use this specific tool call with the following feedback: Euros',
      'Rejected: Euros',
    ],
  ])('%j is shown as %j', (text, answer) => {
    expect(asked('AskUserQuestion', { questions }, text)?.answer).toBe(answer);
  });
});

it.each([
  [
    '<tool_use_error>InputValidationError: AskUserQuestion failed\nThe options are missing.</tool_use_error>',
    'InputValidationError: AskUserQuestion failed',
  ],
  ['\n\nNo client is connected.', 'No client is connected.'],
  ['', 'no output'],
  [undefined, ''],
])('a question whose call failed has the reason instead of an answer: %j', (text, answer) => {
  const input = { questions: [{ question: 'Which?', options: [] }] };
  const use = { type: 'tool_use', toolUseId: 'q', name: 'AskUserQuestion', input } as const;
  expect(describeAsked(use, { state: 'failed', text }, t)).toMatchObject({ state: 'failed', answer });
});

it('a plan to approve is a question without options, with or without its text', () => {
  expect(asked('ExitPlanMode', { plan: '# Move it\n\nAll of it' })).toMatchObject({
    ...{ label: 'The agent asks you to approve its plan: Move it', isApproval: true },
    questions: [{ text: '# Move it\n\nAll of it', quote: 'Move it', options: [] }],
  });
  expect(asked('exit_plan_mode', { plan_filename: 'plan.md' })?.label).toBe('The agent asks you to approve its plan');
});

it('a call that asks nothing has no card', () => {
  expect(asked('bash', { command: 'ls' })).toBeUndefined();
});
