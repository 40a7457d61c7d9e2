import type { ComposerHostMessage } from '../../shared/protocol/composerProtocol.ts';
import type { PageDraft } from '../../shared/protocol/pageModel.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { Timer } from '../dom/timers.ts';
import { isComposing, type ComposerTextField } from './textField.ts';

type Step = 'older' | 'newer';
const steps: Readonly<Record<string, Step>> = { ArrowUp: 'older', ArrowDown: 'newer' };

/**
 * Up and Down at the edges of the field bring the person's earlier messages of this session, as in a shell; the draft is
 * kept and comes back after the newest of them, or with Escape.
 */
export class PromptHistory implements Disposable {
  readonly #field: ComposerTextField;
  readonly #ask: (step: Step, from?: string) => void;
  readonly #look = new Timer();
  /** The draft as it was before the first step. */
  #kept: PageDraft | undefined;
  #shownId: string | undefined;
  #isAsked = false;

  /** @param ask for the message before or after the one named; the answer comes to {@link show}. */
  constructor(field: ComposerTextField, ask: (step: Step, from?: string) => void) {
    this.#field = field;
    this.#ask = ask;
  }

  /** @returns whether the key press was dealt with. */
  pressed(event: KeyboardEvent): boolean {
    if (isComposing(event) || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false;
    if (event.key === 'Escape' && this.#kept) {
      event.preventDefault();
      this.#restore();
      return true;
    }
    const step = steps[event.key];
    if (step !== undefined && (step === 'older' || this.#kept)) this.#stepIfAtEdge(step);
    return false;
  }

  /** The host's answer. */
  show({ step, prompt }: Extract<ComposerHostMessage, { type: 'prompt' }>): void {
    if (!this.#isAsked) return;
    this.#isAsked = false;
    if (!prompt) {
      if (step === 'newer') this.#restore();
      return;
    }
    this.#kept ??= this.#field.draft;
    this.#shownId = prompt.promptId;
    const { text } = prompt;
    const caret = step === 'older' ? 0 : text.length;
    this.#field.showInstead({ text, selectionStart: caret, selectionEnd: caret });
  }

  /** What is in the field was sent: the draft it stood in for, if it did, which is then forgotten here. */
  takeKept(): PageDraft | undefined {
    const kept = this.#kept;
    this.forget();
    return kept;
  }

  /** What is in the field belongs to another session. */
  forget(): void {
    this.#look.dispose();
    this.#kept = undefined;
    this.#shownId = undefined;
    this.#isAsked = false;
  }

  dispose(): void {
    this.#look.dispose();
  }

  /** The browser knows where lines wrap: where its own step does not move the caret, that was the edge. */
  #stepIfAtEdge(step: Step): void {
    const before = this.#field.draft;
    if (before.selectionStart !== before.selectionEnd) return;
    this.#look.set(0, () => {
      const { text, selectionStart, selectionEnd } = this.#field.draft;
      const isStill = text === before.text && selectionStart === selectionEnd;
      if (!isStill || selectionStart !== before.selectionStart) return;
      this.#isAsked = true;
      this.#ask(step, this.#shownId);
    });
  }

  #restore(): void {
    const kept = this.#kept;
    this.forget();
    if (!kept) return;
    this.#field.showInstead(kept);
    // An earlier message that was changed has become the draft.
    this.#field.save();
  }
}
