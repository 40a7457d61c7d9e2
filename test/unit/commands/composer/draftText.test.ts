import { describe, expect, it } from 'vitest';
import { addBelowDraft } from '../../../../src/commands/composer/draftText.ts';
import { emptyDraft, type Draft } from '../../../../src/state/store/sessionRecord.ts';

const key = { origin: 'https://service.test', sessionId: 's1' };

/** A draft that the page replaces with the given texts, one after each change. */
class TypedDraft {
  text: string;
  readonly #typed: string[];

  constructor(text: string, ...typed: readonly string[]) {
    this.text = text;
    this.#typed = [...typed];
  }

  get(): Draft {
    return { ...emptyDraft, text: this.text };
  }

  set(_key: typeof key, { text }: Draft): void {
    this.text = text;
  }

  /** Saves what the user typed, as the page does. */
  settle = (): Promise<void> => {
    this.text = this.#typed.shift() ?? this.text;
    return Promise.resolve();
  };
}

describe('text that is added to a draft', () => {
  it.each([
    ['', 'added'],
    ['Own words \n', 'Own words\n\nadded'],
  ])('is below %j', async (own, expected) => {
    const draft = new TypedDraft(own);
    expect(await addBelowDraft(draft, key, 'added', draft.settle)).toBe(true);
    expect(draft.text).toBe(expected);
  });

  it('is added again if the page replaces the draft with what the user typed', async () => {
    const draft = new TypedDraft('', 'Own', 'Own words');
    expect(await addBelowDraft(draft, key, 'added', draft.settle)).toBe(true);
    expect(draft.text).toBe('Own words\n\nadded');
  });

  it('is reported as not added if the user goes on typing, and nothing typed is lost', async () => {
    const typed = Array.from({ length: 10 }, (_, index) => `Own words ${index}`);
    const draft = new TypedDraft('', ...typed);
    expect(await addBelowDraft(draft, key, 'added', draft.settle)).toBe(false);
    expect(draft.text).toBe('Own words 9');
  });
});
