import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { ContentBlock } from '../../../../src/api/resources/contentBlock.ts';
import type { Message } from '../../../../src/api/resources/message.ts';
import {
  contentText,
  estimateTextLines,
  fieldNames,
  headerFields,
  headerVersion,
  sameHeader,
  summarizeMessage,
} from '../../../../src/state/store/messageHeader.ts';
import { headerOf } from '../samples.ts';

const differentOf = { number: 99, string: 'other', boolean: true, undefined: 'final' } as const;

it.each(fieldNames)('a header with a different %s is not equal and has a different version', (name) => {
  const header = headerOf('m1');
  const value = header[name];
  const other = typeof value === 'boolean' ? !value : differentOf[typeof value as keyof typeof differentOf];
  const changed = { ...header, [name]: other };
  expect(sameHeader(header, { ...header })).toBe(true);
  expect(sameHeader(header, changed)).toBe(false);
  expect(headerVersion(changed)).not.toBe(headerVersion(header));
});

it('a header does not hold the text of its message in memory (R38)', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const usedMB = () => {
    collect();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const before = usedMB();
  const headers = Array.from({ length: 200 }, (_, place) => {
    // As when parsed from JSON, each text is a separate string.
    const text = JSON.parse(`"message ${place} ${'with a long text '.repeat(12_000)}"`) as string;
    return summarizeMessage({ id: `m${place}`, createdAt: 1, updatedAt: 1, content: [{ type: 'text', text }] });
  });
  expect(usedMB() - before).toBeLessThan(10);
  expect(headers[1]?.firstLine).toMatch(/^message 1 with a long text .*…$/);
});

it.each<[string, string | undefined]>([
  ['Done.', undefined],
  ['I found two places. Should I change both?', 'Should I change both?'],
  ['Which one?\n\nThanks.', undefined],
  ['One\n\n**Shall I continue?**\n', 'Shall I continue?'],
  ['はじめますか？', 'はじめますか？'],
  ['See `a ? b`', undefined],
  ['Should I run `npm test`?', 'Should I run npm test?'],
  ['It now prints `continue?`', undefined],
  ['The search is at https://search.test/find?', undefined],
  ['(See www.search.test/?)', undefined],
  ['The page asks "Continue?"', undefined],
  ['It asks “Continue?”', undefined],
  ['As you wrote:\n\n> Should I continue?', undefined],
  ['```\nif (a) b = c ?', undefined],
  ['```\na ?\n```\nShould I commit it?', 'Should I commit it?'],
  ['```\na ?\n```\n~~~\nb ?', undefined],
  ['Is a > b?', 'Is a > b?'],
  ['See https://a.test/x first, then: shall I go on?', 'See https://a.test/x first, then: shall I go on?'],
  ['Shall I continue?_', 'Shall I continue?'],
])('a header contains the question at the end of the text: %j', (text, question) => {
  const content = [{ type: 'text', text } as const];
  expect(summarizeMessage({ id: 'm1', role: 'assistant', createdAt: 1, updatedAt: 1, content }).question).toBe(
    question,
  );
  expect(summarizeMessage({ id: 'm1', role: 'user', createdAt: 1, updatedAt: 1, content }).question).toBeUndefined();
});

it.each<[string, ContentBlock[]]>([
  ['a call', [{ type: 'tool_use', toolUseId: 'a', name: 'read', input: {} }]],
  ['a result', [{ type: 'tool_result', toolUseId: 'a', isError: false, content: [] }]],
])('a header contains no question if %s follows it', (_, following) => {
  const content: ContentBlock[] = [{ type: 'text', text: 'Shall I look?' }, ...following];
  expect(
    summarizeMessage({ id: 'm1', role: 'assistant', createdAt: 1, updatedAt: 1, content }).question,
  ).toBeUndefined();
});

const summaryOf = (content: readonly ContentBlock[], part: Partial<Message> = {}) =>
  summarizeMessage({ id: 'm1', role: 'assistant', createdAt: 1, updatedAt: 1, content, ...part });
const text = (of: string): ContentBlock => ({ type: 'text', text: of });
const image: ContentBlock = { type: 'image', source: {} };
const document: ContentBlock = { type: 'document', source: {} };
const unknown: ContentBlock = { type: 'unknown', kind: 'chart', raw: 1 };
const thought: ContentBlock = { type: 'thinking', thinking: 'Hm.' };
const hiddenThought: ContentBlock = { type: 'redacted_thinking', sizeChars: 3 };
const call: ContentBlock = { type: 'tool_use', name: 'ls', input: {} };
const result = (isError: boolean, ...content: ContentBlock[]): ContentBlock => ({
  type: 'tool_result',
  isError,
  content,
});

it.each([
  [{ updatedAt: 2_000 }, true],
  [{ createdAt: 2_000 }, false],
  [{ role: 'tool' }, true],
  [{ isGone: true }, true],
  [{ isDetached: true }, true],
] as const)('a header with %j is not equal', (part, hasOtherVersion) => {
  const header = headerOf('m1');
  expect(sameHeader(header, { ...header, ...part })).toBe(false);
  expect(headerVersion({ ...header, ...part }) !== headerVersion(header)).toBe(hasOtherVersion);
});

it.each([
  [text('a'), 'a'],
  [thought, 'Hm.'],
  [call, 'ls'],
  [result(false, text('a'), image, text('b')), 'a\n\nb'],
  [{ ...document, name: 'plan.pdf' }, 'plan.pdf'],
  [document, ''],
  [image, ''],
  [hiddenThought, ''],
  [unknown, ''],
])('the text of %j is %j', (block, shown) => {
  expect(contentText(block)).toBe(shown);
});

it.each([
  [text('a'), true],
  [text(' \n'), false],
  [image, true],
  [document, true],
  [unknown, true],
  [thought, false],
  [hiddenThought, false],
  [call, false],
  [result(false, text('a')), false],
])('a header shows whether there is something to read in %j: %s', (block, hasText) => {
  expect(summaryOf([block])).toMatchObject({ hasText });
  expect(summaryOf([thought, block])).toMatchObject({ hasText });
});

it('a header shows whether there are thoughts, in whatever field they are', () => {
  expect(summaryOf([text('a'), call])).toMatchObject({ hasThinking: false });
  expect(summaryOf([], { openaiReasoningSummary: '', chatCompletionReasoningContent: '' }).hasThinking).toBe(false);
  for (const block of [thought, hiddenThought]) expect(summaryOf([text('a'), block]).hasThinking).toBe(true);
  expect(summaryOf([], { openaiReasoningSummary: 'Hm.' }).hasThinking).toBe(true);
  expect(summaryOf([], { chatCompletionReasoningContent: 'Hm.' }).hasThinking).toBe(true);
});

it('a header counts tool calls, results, and failures', () => {
  const content = [text('a'), call, result(false), result(true), result(true)];
  expect(summaryOf(content)).toMatchObject({ toolCount: 4, errorCount: 2, isError: true });
  const rejected = { type: 'tool_result', isError: true, content: [text('The user denied this operation.')] } as const;
  expect(summaryOf([rejected])).toMatchObject({ toolCount: 1, errorCount: 0, isError: false });
  expect(summaryOf([rejected], { isError: true })).toMatchObject({ errorCount: 0, isError: false });
  expect(summaryOf([text('a')], { isError: true })).toMatchObject({ errorCount: 0, isError: true });
  expect(summaryOf([text('a'), result(false)])).toMatchObject({ toolCount: 1, errorCount: 0, isError: false });
});

it.each([
  ['final_answer', 'final'],
  ['commentary', 'commentary'],
  ['unknown', undefined],
  [undefined, undefined],
] as const)('a header of the phase %s has the phase %s', (openaiPhase, phase) => {
  expect(summaryOf([], { openaiPhase }).phase).toBe(phase);
});

it.each([
  [{ visibility: 'llm_only' }, true],
  [{ isUserVisible: false }, true],
  [{ visibility: 'both', isUserVisible: true }, false],
  [{}, false],
] as const)('a header of a message with %j is for the model only: %s', (part, isModelOnly) => {
  expect(summaryOf([], part).isModelOnly).toBe(isModelOnly);
});

it.each([
  ['x'.repeat(120), 'x'.repeat(120)],
  ['x'.repeat(121), `${'x'.repeat(119)}…`],
  [`${'x'.repeat(118)}🚀x`, `${'x'.repeat(118)}…`],
  [`${' '.repeat(958)}x🚀`, 'x'],
  [`${'\n'.repeat(959)}x`, 'x'],
  [`${'\n'.repeat(960)}x`, ''],
  ['a # b - c > d', 'a # b - c > d'],
  ['> - **a**', 'a'],
  ['> quoted\n>\n\nWhy?', 'Why?'],
  ['> quoted\n\n', 'quoted'],
  ['_It is done._', 'It is done.'],
  ['*all* of it', 'all of it'],
  ['snake_case_name, 2 * 3 * 4, _ and *', 'snake_case_name, 2 * 3 * 4, _ and *'],
])('the first line of %j is %j', (of, firstLine) => {
  expect(summaryOf([text(of)]).firstLine).toBe(firstLine);
});

it.each([
  [[thought, text('Done.')], 'Done.'],
  [[result(false, text('output')), text('And now?')], 'And now?'],
  [[thought, text(' '), call, text('Later.')], 'Later.'],
  [[{ type: 'thinking', thinking: 'Hm.' }, call], 'Hm.'],
] as const)('the first line of %j is %j, that of a text if there is one', (content, firstLine) => {
  expect(summaryOf(content).firstLine).toBe(firstLine);
});

it.each([
  [`${'x'.repeat(199)}?`, 200],
  [`${'x'.repeat(200)}?`, 200],
])('a question has at most 200 characters', (of, length) => {
  expect(summaryOf([text(of)]).question).toHaveLength(length);
});

it('a question never begins within a character', () => {
  expect(summaryOf([text(`🚀${'x'.repeat(198)}?`)]).question).toBe(`${'x'.repeat(198)}?`);
});

it('a question can mention a fence, and is none in the result of a tool', () => {
  expect(summaryOf([text('Is ``` a fence?')]).question).toBe('Is ``` a fence?');
  expect(summaryOf([text('Really?')], { role: 'tool' }).question).toBeUndefined();
  expect(summaryOf([text('Really?'), image]).question).toBe('Really?');
});

it('the cache index stores each field where earlier versions stored it', () => {
  expect(Object.fromEntries(fieldNames.map((name) => [name, headerFields[name].column]))).toEqual({
    firstLine: { texts: 'firstLines' },
    estimatedLines: { number: 0 },
    isError: { bit: 1 },
    hasText: { bit: 4 },
    hasThinking: { bit: 8 },
    toolCount: { number: 2 },
    errorCount: { number: 3 },
    phase: { bits: { commentary: 32, final: 64 } },
    isModelOnly: { bit: 16 },
    hasAddedText: { bit: 128 },
    expansion: { bits: { command: 256, skill: 512, candidate: 1_024, found: 2_048 } },
    parentId: { texts: 'parentIds' },
    tools: { texts: 'tools' },
    question: { texts: 'questions' },
    workingFolder: { texts: 'workingFolders' },
  });
});

it('a text that is too long to be read for open code has no question', () => {
  const long = 'word '.repeat(50_000);
  expect(summaryOf([text(`${long.slice(0, -10)} Done?`)]).question).toMatch(/Done\?$/);
  expect(summaryOf([text(`${long} Done?`)]).question).toBeUndefined();
});

it('an estimated height is that of the first 100,000 lines', () => {
  expect(estimateTextLines('\n'.repeat(99_998))).toBe(99_999);
  expect(estimateTextLines('\n'.repeat(300_000))).toBe(100_000);
  expect(summaryOf([text('\n'.repeat(99_998)), text('a\n\n')]).estimatedLines).toBe(100_000);
});
