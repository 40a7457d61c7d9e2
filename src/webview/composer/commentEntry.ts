import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import type { PageComment } from '../../shared/protocol/pageModel.ts';
import { startOfText } from '../../shared/text/cutPoint.ts';
import { element, setAttribute } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { listen } from '../dom/listen.ts';
import { Timer } from '../dom/timers.ts';
import type { Strings } from '../strings.ts';
import type { ComposerActions } from './composerActions.ts';
import { draftDelayMs, isComposing, mayRunCommand, undoableEdit } from './composerTextField.ts';

/** Maximum number of characters of a quote in names of controls. */
const maxNameLength = 60;

/** The list that a comment is in. */
export interface CommentList {
  /** Saves the text of a comment. */
  save(commentId: string, text: string): void;
  remove(entry: CommentEntry): void;
  /** Scrolls to the commented part of a message. */
  reveal(comment: PageComment): void;
  /** Moves the focus to the composer. */
  leave(): void;
}

/** A comment in the list: its quote, its text, and a button that removes it. */
export class CommentEntry implements Disposable {
  readonly node: HTMLLIElement;
  readonly #list: CommentList;
  readonly #field: HTMLTextAreaElement;
  readonly #remove: HTMLButtonElement;
  readonly #outdated: HTMLElement;
  readonly #disposables = new Disposables();
  readonly #timer = this.#disposables.add(new Timer());
  #comment: PageComment;

  constructor(comment: PageComment, strings: Strings, actions: ComposerActions, list: CommentList) {
    this.#comment = comment;
    this.#list = list;
    const name = comment.quote === '' ? strings.get('message') : lineOf(comment.quote);
    this.#field = element('textarea', {
      class: 'comment-field',
      'aria-label': strings.get('commentOn', shortened(name)),
      placeholder: strings.get('commentPlaceholder'),
      dir: 'auto',
      rows: 1,
      spellcheck: 'true',
      autocomplete: 'off',
    });
    const quote = element('button', { type: 'button', class: 'plan-button comment-quote', title: comment.quote });
    quote.append(element('bdi', { class: 'plan-current' }, name));
    quote.addEventListener('click', () => list.reveal(this.#comment));
    this.#remove = iconButton('close', strings.get('removeComment', shortened(name)), () => list.remove(this));
    this.#outdated = element('p', {
      class: 'comment-outdated',
      id: `comment-${comment.commentId}`,
      dir: 'auto',
      hidden: '',
    });
    this.#outdated.append(strings.get('messageChanged'));
    const head = element('div', { class: 'comment-head' }, quote, this.#remove);
    this.node = element('li', {}, head, this.#outdated, this.#field);
    listen(this.#disposables, this.#field, 'input', () => this.#onInput());
    listen(this.#disposables, this.#field, 'focus', () => actions.focused(true));
    listen(this.#disposables, this.#field, 'blur', () => {
      actions.focused(false);
      this.flush();
      this.show(this.#comment);
    });
    listen(this.#disposables, this.#field, 'keydown', (event) => this.#pressed(event));
  }

  get commentId(): string {
    return this.#comment.commentId;
  }

  /** Whether the text field has the focus. */
  get isWriting(): boolean {
    return this.#field === document.activeElement;
  }

  get hasFocus(): boolean {
    return this.node.contains(document.activeElement);
  }

  /**
   * Whether the message no longer contains the quote. Hiding the note about that isn't enough: `aria-describedby` also
   * refers to hidden elements.
   */
  set isOutdated(isOutdated: boolean) {
    this.#outdated.hidden = !isOutdated;
    setAttribute(this.#field, 'aria-describedby', isOutdated ? this.#outdated.id : undefined);
  }

  /** Shows the host's version of the comment, unless the user is writing it or has text that isn't saved yet. */
  show(comment: PageComment): void {
    this.#comment = comment;
    if (!this.isWriting && !this.#timer.isSet && this.#field.value !== comment.text) this.#field.value = comment.text;
  }

  focus(): void {
    this.#field.focus();
  }

  focusRemove(): void {
    this.#remove.focus();
  }

  /** Inserts a line break at the caret. */
  insertLine(): void {
    undoableEdit(this.#field, this.#field.selectionStart, this.#field.selectionEnd, '\n');
  }

  /** Saves the text on the host now if it has changed since it was last saved. */
  flush(): void {
    if (!this.#timer.isSet) return;
    this.#timer.dispose();
    this.#save();
  }

  dispose(): void {
    this.#disposables.dispose();
    this.node.remove();
  }

  #onInput(): void {
    if (!this.#timer.isSet) this.#timer.set(draftDelayMs, () => this.#save());
  }

  #save(): void {
    this.#comment = { ...this.#comment, text: this.#field.value };
    this.#list.save(this.commentId, this.#field.value);
  }

  #pressed(event: KeyboardEvent): void {
    if (mayRunCommand(event)) this.flush();
    const isDone = event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey));
    if (!isDone || isComposing(event)) return;
    event.preventDefault();
    // VS Code handles keys on the window, for example the user's key for sending a message.
    event.stopPropagation();
    // As in VS Code's own comments, Escape discards a comment without text.
    if (event.key === 'Escape' && this.#field.value.trim() === '') this.#list.remove(this);
    this.#list.leave();
  }
}

function lineOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function shortened(line: string): string {
  return line.length > maxNameLength ? `${startOfText(line, maxNameLength - 1)}…` : line;
}
