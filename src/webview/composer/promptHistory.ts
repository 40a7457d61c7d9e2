import type { PageDraft } from '../../shared/protocol/pageModel.ts';
import type { PromptStep } from '../../shared/protocol/vocabulary.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { Timer } from '../dom/timers.ts';
import type { ComposerActions } from './composerActions.ts';
import { isComposing, type ComposerTextField, type KeyHandler } from './composerTextField.ts';

const steps: Readonly<Record<string, PromptStep>> = { ArrowUp: 'older', ArrowDown: 'newer' };

/**
 * Shows the user's earlier messages in this session when Up or Down is pressed at the edges of the field, as in a
 * shell. The draft returns after the newest message or with Escape.
 */
export class PromptHistory implements KeyHandler, Disposable {
  readonly #field: ComposerTextField;
  readonly #actions: ComposerActions;
  readonly #edgeCheck = new Timer();
  /** The draft that was shown before the first step into the history. */
  #savedDraft: PageDraft | undefined;
  /** The earlier message that is shown, with the text as the field returns it. */
  #shown: { readonly promptId: string; readonly text: string } | undefined;
  /** The ID of the latest request; an answer to an earlier one is outdated. */
  #requestId = 0;

  constructor(field: ComposerTextField, actions: ComposerActions) {
    this.#field = field;
    this.#actions = actions;
    field.addKeyHandler(this);
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
   * Call this when the field's text is sent. Returns the draft that an earlier message replaced, if any, and forgets
   * it.
   */
  takeSavedDraft(): PageDraft | undefined {
    const draft = this.#savedDraft;
    this.forget();
    return draft;
  }

  /** Whether an earlier prompt is shown in place of the draft, and unchanged. */
  get isShown(): boolean {
    return this.#savedDraft !== undefined && this.#field.draft.text === this.#shown?.text;
  }

  /**
   * Call this before the host's draft is shown. While an earlier message is shown unchanged, the host's draft becomes
   * the draft that returns after it. Returns whether it did.
   */
  takeHostDraft(draft: PageDraft): boolean {
    if (!this.isShown) return false;
    this.#savedDraft = draft;
    this.#field.takeAdditions(draft);
    return true;
  }

  /**
   * Call this before the page or the session may go away. If an earlier message was edited, adds the draft that it
   * replaced below it, so that both are saved.
   */
  keepBoth(): void {
    const draft = this.#savedDraft;
    if (!draft || draft.text.trim() === '' || this.#field.draft.text === this.#shown?.text) return;
    this.forget();
    this.#field.append(draft.text);
  }

  /** Leaves the history, for example because another session is shown. */
  forget(): void {
    this.#edgeCheck.dispose();
    this.#savedDraft = undefined;
    this.#shown = undefined;
    this.#requestId++;
  }

  dispose(): void {
    this.#edgeCheck.dispose();
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
    this.#savedDraft ??= this.#field.draft;
    const { text } = prompt;
    const caret = step === 'older' ? 0 : text.length;
    this.#field.showInstead({ text, selectionStart: caret, selectionEnd: caret });
    this.#shown = { promptId: prompt.promptId, text: this.#field.draft.text };
  }

  #restore(): void {
    const draft = this.#savedDraft;
    this.forget();
    if (!draft) return;
    this.#field.showInstead(draft);
    this.#field.takeAdditions(draft);
    // The host may have stored an edited earlier message as the draft, so replace it with the real draft.
    this.#field.save();
  }
}
