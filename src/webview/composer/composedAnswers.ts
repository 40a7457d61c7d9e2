import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import type { Answers, AnswerView } from '../content/renderContext.ts';
import type { Submittable } from './menus.ts';
import type { ComposerTextField } from './composerTextField.ts';

/** Maximum number of characters of a draft with tracked answers: the time for each key press is proportional to it. */
const maxFollowedLength = 200_000;

/** Separates an answer from the text around it. */
const separator = '\n\n';
const noChoices: ReadonlySet<number> = new Set();

/** The text of an answer in the field. `before` and `after` were inserted to separate it from the draft around it. */
interface Insertion {
  start: number;
  readonly text: string;
  before: string;
  after: string;
  /** The indexes of the question's options that the answer consists of. */
  readonly choices: ReadonlySet<number>;
}

/**
 * The answers that question cards have written into the composer. Each is inserted at the caret, and never replaces the
 * draft: writing an answer again replaces only the text that it inserted before. Once the user has edited that text, it
 * is part of the draft.
 */
export class ComposedAnswers implements Answers, Disposable {
  readonly #field: ComposerTextField;
  readonly #composer: Submittable;
  readonly #insertions = new Map<string, Insertion>();
  readonly #disposables = new Disposables();
  /** By the name of the card, so that a new view of a card replaces the earlier view. */
  readonly #views = new Map<string, AnswerView>();
  /** The text of the field to which the positions of the insertions refer. */
  #known = '';
  #isWriting = false;

  constructor(field: ComposerTextField, composer: Submittable) {
    this.#field = field;
    this.#composer = composer;
    this.#disposables.add(field.onDidEdit(() => this.#edited()));
    this.#disposables.add(field.onDidInsert(() => this.#edited()));
  }

  follow(name: string, view: AnswerView): void {
    this.#views.set(name, view);
  }

  has(name: string): boolean {
    this.#findMoved();
    return this.#insertions.has(name);
  }

  choicesOf(name: string): ReadonlySet<number> {
    this.#findMoved();
    return this.#insertions.get(name)?.choices ?? noChoices;
  }

  write(name: string, text: string, choices = noChoices): void {
    this.#findMoved();
    this.#isWriting = true;
    const old = this.#insertions.get(name);
    if (old) this.#replace(name, old, text, choices);
    else if (text !== '') this.#insert(name, text, choices);
    this.#isWriting = false;
    this.#show();
  }

  focus(): void {
    this.#field.node.focus();
  }

  send(): void {
    this.#composer.submit();
  }

  /** Forgets all answers, for example because the field shows the draft of another session. Their text stays. */
  forget(): void {
    this.#insertions.clear();
    this.#views.clear();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #replace(name: string, old: Insertion, text: string, choices: ReadonlySet<number>): void {
    const isRemoved = text === '';
    const [start, end] = isRemoved ? this.#removable(old) : [old.start, endOf(old)];
    this.#field.write(text, start, end);
    this.#shift(end, text.length - (end - start));
    if (isRemoved) this.#insertions.delete(name);
    else this.#insertions.set(name, { ...old, text, choices });
  }

  /** The range of an answer, with its separators if they are still there. */
  #whole({ start, text, before, after }: Insertion): [start: number, end: number] {
    const { value } = this.#field.node;
    const end = start + text.length;
    const hasBefore = start >= before.length && value.startsWith(before, start - before.length);
    return [start - (hasBefore ? before.length : 0), end + (value.startsWith(after, end) ? after.length : 0)];
  }

  /**
   * The range to remove with an answer. Without the answer, the separator of a neighboring answer may be unnecessary;
   * it is then part of the range, and no longer belongs to that answer.
   */
  #removable(old: Insertion): [start: number, end: number] {
    const { value } = this.#field.node;
    const [start, end] = this.#whole(old);
    const others = [...this.#insertions.values()].filter((each) => each !== old);
    const isSeparatedBefore = start === 0 || value.endsWith(separator, start);
    const next = others.find((each) => each.before === separator && each.start === end + separator.length);
    if (next && isSeparatedBefore && value.startsWith(separator, end)) {
      next.before = '';
      return [start, next.start];
    }
    const isSeparatedAfter = end === value.length || value.startsWith(separator, end);
    const previous = others.find((each) => each.after === separator && endOf(each) === start - separator.length);
    if (!previous || !isSeparatedAfter || !value.endsWith(separator, start)) return [start, end];
    previous.after = '';
    return [endOf(previous), end];
  }

  #insert(name: string, text: string, choices: ReadonlySet<number>): void {
    const { value } = this.#field.node;
    const start = this.#caret;
    const before = missingBefore(value.slice(Math.max(0, start - separator.length), start));
    const after = missingAfter(value.slice(start, start + separator.length));
    const whole = before + text + after;
    this.#field.write(whole, start, start);
    const caret = start + before.length + text.length;
    this.#field.node.setSelectionRange(caret, caret);
    this.#shift(start, whole.length);
    this.#insertions.set(name, { start: caret - text.length, text, before, after, choices });
  }

  /** The place at which the next answer is inserted: the caret, or the end of the answer around it. */
  get #caret(): number {
    const { selectionEnd } = this.#field.node;
    for (const insertion of this.#insertions.values()) {
      const end = endOf(insertion);
      if (insertion.start < selectionEnd && selectionEnd < end) return end;
    }
    return selectionEnd;
  }

  /** Moves the insertions that start at or after `from`, and stores the field's text. */
  #shift(from: number, by: number): void {
    for (const insertion of this.#insertions.values()) if (insertion.start >= from) insertion.start += by;
    this.#known = this.#field.node.value;
  }

  #edited(): void {
    if (this.#isWriting || this.#insertions.size === 0) return;
    this.#findMoved();
    this.#show();
  }

  #show(): void {
    for (const view of this.#views.values()) view.showAnswers();
  }

  /** Moves the insertions that an edit moved, and forgets those that it changed; in a long draft, forgets all. */
  #findMoved(): void {
    const [old, { value }] = [this.#known, this.#field.node];
    if (this.#insertions.size === 0 || old === value) return;
    this.#known = value;
    if (Math.max(old.length, value.length) > maxFollowedLength) {
      this.#insertions.clear();
      return;
    }
    const shortest = Math.min(old.length, value.length);
    let same = 0;
    while (same < shortest && old.charCodeAt(same) === value.charCodeAt(same)) same += 1;
    let sameEnd = 0;
    while (sameEnd < shortest - same && old.at(-1 - sameEnd) === value.at(-1 - sameEnd)) sameEnd += 1;
    for (const [name, insertion] of this.#insertions) {
      if (insertion.start >= old.length - sameEnd) insertion.start += value.length - old.length;
      else if (endOf(insertion) > same) this.#insertions.delete(name);
    }
  }
}

function endOf({ start, text }: Insertion): number {
  return start + text.length;
}

/** The part of the separator to insert before an answer. `end` is the end of the text before the answer. */
function missingBefore(end: string): string {
  if (end === '' || end.endsWith(separator)) return '';
  return end.endsWith('\n') ? '\n' : separator;
}

/** The part of the separator to insert after an answer. `start` is the start of the text after the answer. */
function missingAfter(start: string): string {
  if (start === '' || start.startsWith(separator)) return '';
  return start.startsWith('\n') ? '\n' : separator;
}
