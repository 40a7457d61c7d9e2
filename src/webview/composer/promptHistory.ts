import type { PageDraft } from '../../shared/protocol/pageModel.ts';
import type { PromptStep } from '../../shared/protocol/vocabulary.ts';
import { paragraphs } from '../../shared/text/paragraphs.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { Timer } from '../dom/timers.ts';
import type { ComposerActions } from './composerActions.ts';
import { isComposing, type ComposerTextField, type KeptText, type KeyHandler } from './composerTextField.ts';

const steps: Readonly<Record<string, PromptStep>> = { ArrowUp: 'older', ArrowDown: 'newer' };

/**
 * Shows the user's prompts in this session when Up or Down is pressed at the edges of the field, as in a shell. Escape,
 * or Down after the newest prompt, restores the draft. Until then, an edited prompt is saved together with the draft.
 */
export class PromptHistory implements KeyHandler, KeptText, Disposable {
  readonly #field: ComposerTextField;
  readonly #actions: ComposerActions;
  readonly #disposables = new Disposables();
  readonly #edgeCheck = new Timer();
  /** The draft that a prompt replaced, or the host's newer version of it; undefined outside the history. */
  #savedDraft: PageDraft | undefined;
  /** The prompt that is shown, with its text as read back from the field. */
  #shown: { readonly promptId: string; readonly text: string } | undefined;
  /** The ID of the latest request; an answer to an earlier one is outdated. */
  #requestId = 0;

  constructor(field: ComposerTextField, actions: ComposerActions) {
    this.#field = field;
    this.#actions = actions;
    field.addKeyHandler(this);
    field.keepWith(this);
    this.#disposables.add(this.#edgeCheck);
    this.#disposables.add(field.onDidEdit(() => this.#onEdit()));
  }

  pressed(event: KeyboardEvent): boolean {
    if (isComposing(event) || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false;
    if (event.key === 'Escape' && this.#savedDraft) {
      event.preventDefault();
      this.#restore();
      return true;
    }
    const step = steps[event.key];
    if (step !== undefined && (step === 'older' || this.#savedDraft)) this.#stepIfAtEdge(step);
    return false;
  }

  /**
   * Call this when the field's text is sent. Returns the draft that a prompt replaced, if any, and leaves the history.
   */
  takeSavedDraft(): PageDraft | undefined {
    const draft = this.#savedDraft;
    this.forget();
    return draft;
  }

  /** Whether the field shows a prompt, possibly an edited one, in place of the draft. */
  get isActive(): boolean {
    return this.#savedDraft !== undefined;
  }

  /** The text of the draft that a prompt replaced; empty outside the history. */
  get keptText(): string {
    return this.#savedDraft?.text ?? '';
  }

  /**
   * Call this before the host's draft is shown. While a prompt is shown unchanged, keeps the host's draft to show it
   * when the user leaves the history, and returns true. If the host only repeats what the page saved, also returns true.
   * Otherwise, leaves the history, because the host's draft contains the draft that an edited prompt replaced, and
   * returns false.
   */
  takeHostDraft(draft: PageDraft): boolean {
    // The host repeats a draft if something else has changed, for example because a file was attached.
    if (this.#savedDraft && draft.text === paragraphs(this.#field.draft.text, this.keptText)) {
      this.#field.takeAdditions(draft);
      return true;
    }
    if (!this.#isShown) {
      this.forget();
      return false;
    }
    this.#savedDraft = draft;
    this.#field.takeAdditions(draft);
    return true;
  }

  /**
   * Call this before a text that returns to the start of the draft is added to the field. While a prompt is shown
   * unchanged, adds the text to the draft that the prompt replaced, unless it is already there, and returns true.
   * Otherwise, returns false. If an edited prompt is shown, also leaves the history, and adds the draft that the prompt
   * replaced to the end of the field.
   */
  takeReturned(text: string): boolean {
    const draft = this.#savedDraft;
    if (!draft) return false;
    if (!this.#isShown) {
      this.forget();
      this.#field.append(draft.text);
      return false;
    }
    if (!draft.text.startsWith(text)) {
      const caret = { selectionStart: text.length, selectionEnd: text.length };
      this.#savedDraft = { ...draft, ...caret, text: paragraphs(text, draft.text) };
    }
    return true;
  }

  /** Leaves the history, for example because another session is shown. */
  forget(): void {
    this.#edgeCheck.dispose();
    this.#savedDraft = undefined;
    this.#shown = undefined;
    this.#requestId++;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Leaves the history if the draft is shown again, because the user has undone the step into the history. */
  #onEdit(): void {
    const { text } = this.#field.draft;
    if (this.#shown && text !== this.#shown.text && text === this.#savedDraft?.text) this.forget();
  }

  /** Whether a prompt from the history is shown, unchanged, in place of the draft. */
  get #isShown(): boolean {
    return this.#savedDraft !== undefined && this.#field.draft.text === this.#shown?.text;
  }

  /**
   * Requests a prompt unless the key moves the caret. Only the browser knows where lines wrap, so the check waits until
   * the browser has handled the key. If the caret didn't move, it was at the edge of the field.
   */
  #stepIfAtEdge(step: PromptStep): void {
    const before = this.#field.draft;
    if (before.selectionStart !== before.selectionEnd) return;
    this.#edgeCheck.set(0, () => {
      const { text, selectionStart, selectionEnd } = this.#field.draft;
      const isStill = text === before.text && selectionStart === selectionEnd;
      if (!isStill || selectionStart !== before.selectionStart) return;
      void this.#request(step);
    });
  }

  async #request(step: PromptStep): Promise<void> {
    const requestId = ++this.#requestId;
    const { prompt } = await this.#actions.getPrompt(step, this.#shown?.promptId);
    // The answer is outdated after a newer request, after the user has sent the text, or if another session is shown.
    if (requestId !== this.#requestId) return;
    if (!prompt) {
      if (step === 'newer') this.#restore();
      return;
    }
    // Save the draft before it becomes the kept text. Afterward, it would be saved with its text twice.
    this.#field.flush();
    this.#savedDraft ??= this.#field.draft;
    const { text } = prompt;
    const caret = step === 'older' ? 0 : text.length;
    // The prompt can be equal to the draft, which must not look like a return to the draft.
    this.#shown = undefined;
    this.#field.showInstead({ text, selectionStart: caret, selectionEnd: caret });
    this.#shown = { promptId: prompt.promptId, text: this.#field.draft.text };
  }

  #restore(): void {
    const draft = this.#savedDraft;
    this.forget();
    if (!draft) return;
    this.#field.showInstead(draft);
    this.#field.takeAdditions(draft);
    // The host may have stored an edited prompt as the draft, so replace it with the real draft.
    this.#field.save();
  }
}
