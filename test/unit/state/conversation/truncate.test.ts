import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PageAsked, PageBlock } from '../../../../src/shared/protocol/rowTypes.ts';
import { cutBlocks } from '../../../../src/state/conversation/truncate.ts';
import { openFenceAtEnd } from '../../../../src/state/markdown/codeBlocks.ts';
import { describeAsked } from '../../../../src/state/presentation/describeAsked.ts';
import { t } from '../samples.ts';

const markdown = (text: string): PageBlock => ({ type: 'markdown', text });
const lines = (count: number, line = 'line') => Array.from({ length: count }, () => line).join('\n');
const textOf = (block: PageBlock | undefined) => (block && 'text' in block ? block.text : '');

const askedIn = (blocks: readonly PageBlock[]) => blocks.flatMap((block) => (block.type === 'asked' ? [block] : []));

/** The cards of `count` calls that ask four questions each, all with the same options. */
function cardsOf(count: number, options: readonly unknown[]): readonly PageAsked[] {
  const input = { questions: ['a', 'b', 'c', 'd'].map((question) => ({ question, options })) };
  const use = { type: 'tool_use', toolUseId: 'q', name: 'AskUserQuestion', input } as const;
  return Array.from({ length: count }, () => describeAsked(use, { state: 'open' }, t) ?? []).flat();
}

describe('a message on the page', () => {
  it('is shown in full up to a readable size', () => {
    const blocks = [markdown(lines(2_000)), markdown('x'.repeat(100_000))];
    expect(cutBlocks(blocks, t)).toEqual({ blocks });
  });

  it('with many lines or characters is truncated at a line break and states the number of hidden characters', () => {
    const long = cutBlocks([markdown(lines(20_000))], t);
    expect(textOf(long.blocks[0])).toBe(`${lines(2_000)}\n…`);
    expect(long.cut).toBe("90,000 of 99,999 characters aren't shown.");
    const wide = cutBlocks([markdown(lines(1_000, 'x'.repeat(999)))], t);
    expect(textOf(wide.blocks[0])).toBe(`${lines(100, 'x'.repeat(999))}\n…`);
    const one = cutBlocks([{ type: 'code', text: 'x'.repeat(1_000_000) }], t);
    expect(textOf(one.blocks[0])).toHaveLength(100_002);
  });

  it('has no open code block where it is truncated', () => {
    const { blocks } = cutBlocks([markdown(`Look:\n\n\`\`\`\`js\n${lines(30_000, 'let x;')}\n\`\`\`\``)], t);
    expect(textOf(blocks[0])).toMatch(/let x;\n…\n````$/);
    expect(openFenceAtEnd(textOf(blocks[0]))).toBeUndefined();
  });

  it('with many blocks is truncated at one limit for all of them, including folds, and keeps other content', () => {
    const fold: PageBlock = {
      ...{ type: 'fold', kind: 'toolResult', title: 'Result', isError: false },
      blocks: [{ type: 'code', text: 'y'.repeat(90_000) }],
    };
    const file: PageBlock = { type: 'file', name: 'a', detail: '' };
    const { blocks, cut } = cutBlocks([fold, fold, fold, fold, file, markdown('the end')], t);
    expect(blocks.map(({ type }) => type)).toEqual(['fold', 'fold', 'fold', 'fold', 'file']);
    const shown = blocks.flatMap((block) => (block.type === 'fold' ? block.blocks : [])).map(textOf);
    expect(shown.map(({ length }) => length)).toEqual([90_000, 90_000, 90_000, 30_002]);
    expect(cut).toBe("60,007 of 360,007 characters aren't shown.");
  });

  it('counts the options of questions, and drops those beyond the limit', () => {
    const text = (letter: string, length: number) => letter.repeat(length);
    const options = Array.from({ length: 50 }, () => ({ label: text('l', 990), description: text('d', 300) }));
    const { blocks, cut } = cutBlocks(cardsOf(40, options), t);
    const questions = askedIn(blocks).flatMap((card) => card.questions);
    const shown = questions.flatMap((question) => question.options);
    expect(blocks).toHaveLength(40);
    expect(shown).toHaveLength(232);
    expect(shown.every(({ label }) => label === text('l', 990))).toBe(true);
    expect(JSON.stringify(blocks).length).toBeLessThan(400_000);
    expect(questions.map(({ note }) => note).slice(3, 6)).toEqual([
      undefined,
      "18 more options aren't shown.",
      "50 more options aren't shown.",
    ]);
    expect(cut).toMatch(/^10,\d{3},\d{3} of 10,\d{3},\d{3} characters aren't shown\.$/);
  });

  it('has a limited number of options, and counts those that were dropped before', () => {
    const short = Array.from({ length: 60 }, (_, at) => ({ label: String(at % 10) }));
    const { blocks, cut } = cutBlocks(cardsOf(6, short), t);
    const cards = askedIn(blocks).map(({ questions }) => questions.map((question) => question.options.length));
    expect(cards.flat().reduce((sum, count) => sum + count, 0)).toBe(1_000);
    expect(cards.at(-1)).toEqual([0, 0, 0, 0]);
    expect(askedIn(blocks).at(-1)?.questions[0]?.note).toBe("60 more options aren't shown.");
    expect(cut).toContain('characters');
  });

  it('never splits a character, and reports missing text exactly if there is any', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('😀', 'x', '\n', 'yy'), { minLength: 1, maxLength: 5 }), (parts) => {
        const text = parts.join('').repeat(60_000);
        const { blocks, cut } = cutBlocks([markdown(text)], t);
        const shown = textOf(blocks[0]);
        expect(Buffer.from(shown).toString()).toBe(shown);
        expect(cut === undefined).toBe(shown === text);
        if (cut !== undefined) expect(text.startsWith(shown.slice(0, shown.lastIndexOf('\n')))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
