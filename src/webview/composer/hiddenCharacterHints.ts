import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { countHidden, removeHidden, showHidden } from '../../shared/text/hiddenCharacters.ts';
import { listen } from '../dom/listen.ts';
import type { Strings } from '../strings.ts';
import type { Notices } from './notices.ts';
import { undoableEdit } from './composerTextField.ts';

/** The input types of text that isn't typed. Undo and Redo can bring such text back. */
const insertions: ReadonlySet<string> = new Set([
  'insertFromPaste',
  'insertFromDrop',
  'insertFromYank',
  'historyUndo',
  'historyRedo',
]);

/**
 * Shows a notice when hidden characters were pasted, dropped, or inserted by a command into a text area of the page, or
 * are in a draft from the host, because an agent reads what the user can't see (R49). The user can remove them, or
 * replace them with visible codes. Typed text is never checked: input methods need some of these characters.
 */
export class HiddenCharacterHints implements Disposable {
  readonly #strings: Strings;
  readonly #notices: Notices;
  readonly #shown = new Map<HTMLTextAreaElement, HTMLElement>();
  readonly #disposables = new Disposables();

  constructor(strings: Strings, notices: Notices) {
    this.#strings = strings;
    this.#notices = notices;
    listen(this.#disposables, document, 'input', (event) => {
      const { target } = event;
      if (!(target instanceof HTMLTextAreaElement) || !(event instanceof InputEvent)) return;
      if (insertions.has(event.inputType)) this.check(target, event.data ?? target.value);
      else this.update();
    });
  }

  /** Shows a notice if text that was inserted into a field contains hidden characters. */
  check(field: HTMLTextAreaElement, inserted: string): void {
    this.update();
    if (countHidden(inserted) > 0) this.#show(field);
  }

  /**
   * Removes the notices for fields that no longer contain hidden characters, for example because the message was sent.
   */
  update(): void {
    for (const [field, notice] of this.#shown) {
      if (field.isConnected && countHidden(field.value) > 0) continue;
      notice.remove();
      this.#shown.delete(field);
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #show(field: HTMLTextAreaElement): void {
    const count = countHidden(field.value);
    if (count === 0) return;
    // An earlier notice for the field is replaced. It may already have been closed, or cleared with the session.
    this.#shown.get(field)?.remove();
    const replaceBy = (changed: (text: string) => string) => () => {
      this.#shown.delete(field);
      const caret = changed(field.value.slice(0, field.selectionEnd)).length;
      undoableEdit(field, 0, field.value.length, changed(field.value));
      field.setSelectionRange(caret, caret);
    };
    const notice = this.#notices.show(this.#strings.get('hiddenCharacters', count), [
      { label: this.#strings.get('removeHidden'), run: replaceBy(removeHidden) },
      { label: this.#strings.get('showHidden'), run: replaceBy(showHidden) },
      { label: this.#strings.get('keepHidden'), run: () => field.focus() },
    ]);
    this.#shown.set(field, notice);
  }
}
