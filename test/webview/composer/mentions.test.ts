import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import { click, press, type } from '../../../tools/editor/drive/act.ts';
import type { PageSuggestion } from '../../../src/shared/protocol/pageModel.ts';
import { conversation, manyRows, setup, shownSession } from '../rig/samples.ts';
import { usePage } from '../rig/usePage.ts';

const open = usePage([setup, conversation(manyRows(3))]);

const field = () => open.page.getByRole('textbox', { name: 'Message' });
const list = () => open.page.getByRole('listbox');
const option = (path: string, matches: readonly number[] = []): PageSuggestion => {
  const label = path.slice(path.lastIndexOf('/') + 1);
  return { suggestionId: path, label, matches, detail: path.slice(0, -label.length - 1), insertion: `@${path} ` };
};
const files = [option('src/basket.ts', [0, 1]), option('test/basket.test.ts'), option('README.md')];
/**
 * Waits for the request for `query` and returns its ID. Typing also causes earlier requests, such as the one for the
 * trigger character alone.
 */
const asked = async (query: string) => {
  const isMeant = async () => {
    const asks = (await open.posted()).flatMap((message) => (message.type === 'suggest' ? [message] : []));
    return asks.findLast((ask) => ask.query === query)?.askId;
  };
  await expect.poll(isMeant).toBeDefined();
  return (await isMeant()) ?? -1;
};
const typed = async () => /(?:@|^\/)([^\s@]*)$/.exec(await field().inputValue())?.[1] ?? '';
/** Answers the request for `query` or, without it, for the current text. */
const answer = async (suggestions: readonly PageSuggestion[], note = '', query?: string) => {
  const askId = await asked(query ?? (await typed()));
  await open.tell({ type: 'answer', askId, answer: { suggestions, note } });
};
const taken = async () => (await open.posted()).filter((message) => message.type === 'takeSuggestion');
const isSelected = (name: string) => list().getByRole('option', { name }).getAttribute('aria-selected');

describe('a file after @', () => {
  it('is found by the typed characters, and its name is inserted into the text', async () => {
    await type(field(), 'Look at @ba');
    await expect
      .poll(async () => (await open.posted()).findLast(({ type }) => type === 'suggest'))
      .toMatchObject({
        kind: 'file',
        query: 'ba',
      });
    await answer(files);
    expect(await list().getAttribute('aria-label')).toBe('Files');
    expect(await field().getAttribute('aria-controls')).toBe(await list().getAttribute('id'));
    await press(field(), 'ArrowDown');
    expect(await isSelected('basket.test.ts')).toBe('true');
    const active = await field().getAttribute('aria-activedescendant');
    expect(await list().locator('[aria-selected=true]').getAttribute('id')).toBe(active);
    await press(field(), 'ArrowUp');
    await press(field(), 'ArrowUp');
    expect(await isSelected('README.md')).toBe('true');
    await press(field(), 'ArrowDown');
    await press(field(), 'Enter');
    expect(await field().inputValue()).toBe('Look at @src/basket.ts ');
    expect(await open.waitForPost('takeSuggestion')).toEqual({
      type: 'takeSuggestion',
      ...shownSession,
      kind: 'file',
      suggestionId: 'src/basket.ts',
    });
    expect(await list().isVisible()).toBe(false);
    expect(await field().getAttribute('aria-activedescendant')).toBeNull();
    await press(field(), 'Control+z');
    expect(await field().inputValue()).toBe('Look at @ba');
  });

  it('can be accepted with Tab or the mouse, and the caret stays in the field', async () => {
    await type(field(), '@');
    await answer(files);
    await press(field(), 'Tab');
    expect(await field().inputValue()).toBe('@src/basket.ts ');
    await type(field(), '@r');
    await answer(files);
    await click(list().getByRole('option', { name: 'README.md' }));
    expect(await field().inputValue()).toBe('@src/basket.ts @README.md ');
    expect(await field().evaluate((node) => node === document.activeElement)).toBe(true);
  });

  it('matches the typed characters even before the host has answered', async () => {
    await type(field(), '@');
    await answer(files);
    expect(await isSelected('basket.ts')).toBe('true');
    await type(field(), 'RD');
    expect(await list().getByRole('option').allInnerTexts()).toEqual(['README.md']);
    await press(field(), 'Tab');
    expect(await field().inputValue()).toBe('@README.md ');
    await type(field(), '@b');
    await asked('b');
    await type(field(), 'z');
    await answer(files, '', 'b');
    expect(await list().isVisible()).toBe(false);
  });

  it('is dismissed with Escape until another token starts, and Enter then sends', async () => {
    await type(field(), '@ba');
    await answer(files);
    await press(field(), 'Escape');
    expect(await list().isVisible()).toBe(false);
    const before = (await open.posted()).filter(({ type }) => type === 'suggest').length;
    await type(field(), 's');
    await press(field(), 'Enter');
    expect(await open.waitForPost('send')).toMatchObject({ text: '@bas' });
    expect((await open.posted()).filter(({ type }) => type === 'suggest').length).toBe(before);
    expect(await taken()).toEqual([]);
    await type(field(), 'x @');
    await open.waitForPost('suggest', before);
  });

  it('is not suggested inside a word, and a late answer changes nothing', async () => {
    await type(field(), 'me@example.org');
    await type(field(), ' @b');
    await open.waitForPost('suggest');
    await type(field(), ' done');
    await open.answer('suggest', { suggestions: files, note: '' });
    expect(await list().isVisible()).toBe(false);
  });

  it('that does not exist is reported, and Enter sends', async () => {
    await type(field(), '@nothing');
    await answer([], 'No file matches "nothing".');
    expect(await open.page.getByText('No file matches "nothing".').first().isVisible()).toBe(true);
    await press(field(), 'Enter');
    expect(await open.waitForPost('send')).toMatchObject({ text: '@nothing' });
  });

  it('causes no axe violations while the list is open', async () => {
    await type(field(), '@');
    await answer(files);
    await open.page.evaluate(axe.source);
    const violations = await open.page.evaluate(async () => {
      const run = Reflect.get(window, 'axe') as { run: () => Promise<{ violations: { id: string }[] }> };
      return (await run.run()).violations.map(({ id }) => id);
    });
    expect(violations).toEqual([]);
  });
});

describe('a snippet after /', () => {
  it('is suggested only at the start and replaces the typed text', async () => {
    await type(field(), '/rev');
    await expect
      .poll(async () => (await open.posted()).findLast(({ type }) => type === 'suggest'))
      .toMatchObject({
        kind: 'snippet',
        query: 'rev',
      });
    const review = { suggestionId: 'review', label: 'review', matches: [0, 1, 2], detail: 'Review it', insertion: '' };
    await answer([review]);
    await press(field(), 'Enter');
    expect(await field().inputValue()).toBe('');
    expect(await open.waitForPost('takeSuggestion')).toMatchObject({ kind: 'snippet', suggestionId: 'review' });
    await open.tell({ type: 'insertText', ...shownSession, text: 'Review it' });
    expect(await field().inputValue()).toBe('Review it');
    const before = (await open.posted()).filter(({ type }) => type === 'suggest').length;
    await type(field(), ' /rev');
    await field().blur();
    expect((await open.posted()).filter(({ type }) => type === 'suggest').length).toBe(before);
  });
});
