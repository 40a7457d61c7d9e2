import type { ComposerSettings } from '../../shared/protocol/composerProtocol.ts';
import type { PageDraft } from '../../shared/protocol/pageModel.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { listen } from '../dom/listen.ts';
import { element } from '../dom/element.ts';
import { Timer } from '../dom/timers.ts';
import type { Words } from '../strings.ts';

/** What of a key press decides whether it sends. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'keyCode' | 'isComposing' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'
>;

/** Browsers give this key code to presses that an input method handles, also to the one that ends a composition. */
const inputMethodKeyCode = 229;

/** Whether an input method handles this press: it composes, or this press ends the composition. */
export function isComposing(press: Pick<KeyPress, 'isComposing' | 'keyCode'>): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing newer tells the press that ends a composition
  return press.isComposing || press.keyCode === inputMethodKeyCode;
}

/**
 * What a press of Enter does: sends, breaks the line, or, for other keys and while an input method composes, nothing
 * of ours. Shift+Enter and Alt+Enter always break the line.
 */
export function enterMeans(press: KeyPress, sendKey: ComposerSettings['sendKey']): 'send' | 'newline' | undefined {
  if (press.key !== 'Enter' || isComposing(press)) return undefined;
  if (press.shiftKey || press.altKey) return 'newline';
  const withModifier = press.ctrlKey || press.metaKey;
  return sendKey === 'enter' || withModifier ? 'send' : 'newline';
}

/** Chromium takes milliseconds for each line that a command inserts, and the page stands still meanwhile. */
const mostUndoableLines = 200;

/**
 * Puts text in the place of a part of a field as if it had been typed: Undo takes it back, and the field tells its
 * listeners. The field gets the focus, as the browser edits nothing else. A text of very many lines is put there at once
 * instead, and what was done before it cannot be undone any more.
 */
export function undoableEdit(field: HTMLTextAreaElement, start: number, end: number, text: string): void {
  if (text === '' && start === end) return;
  field.focus();
  field.setSelectionRange(start, end);
  const isQuick = text.split('\n', mostUndoableLines + 1).length <= mostUndoableLines;
  const command = text === '' ? 'delete' : 'insertText';
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing newer edits a field and keeps its undo history
  if (!isQuick || !document.execCommand(command, false, text)) {
    field.setRangeText(text, start, end, 'end');
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
}

/** A draft goes to the host so long after the last key: little is lost where a window is gone without a word. */
const draftDelayMs = 50;

/** A draft as the host is told of it. */
export type ToldDraft = PageDraft & { readonly revision: number };

/** A text that left the field to be sent. */
export interface TakenText {
  readonly text: string;
  readonly revision: number;
}

/** What the field tells its owner. */
export interface FieldHooks {
  readonly edited: () => void;
  readonly send: () => void;
  readonly draft: (draft: ToldDraft) => void;
  /** A key the field itself does not know yet; true: it is dealt with. */
  readonly pressed: (event: KeyboardEvent) => boolean;
}

/**
 * The text of the next message. It grows by its style alone, so typing reads no layout; the host keeps what is typed,
 * a moment later and at once when the page is left. What the page itself writes into it can be undone, but for the text
 * of another session.
 */
export class ComposerTextField implements Disposable {
  readonly node: HTMLTextAreaElement;
  readonly #hooks: FieldHooks;
  readonly #disposables = new Disposables();
  readonly #draftTimer = this.#disposables.add(new Timer());
  #isQuiet = false;
  /** Which state of the field the host was told last; 0: none. */
  #revision = 0;

  constructor(words: Words, sendKey: ComposerSettings['sendKey'], hooks: FieldHooks) {
    this.#hooks = hooks;
    this.node = element('textarea', {
      class: 'message-field',
      'aria-label': words.say('message'),
      'aria-describedby': 'composer-hint composer-problem',
      placeholder: words.say('messagePlaceholder'),
      dir: 'auto',
      rows: 1,
      spellcheck: 'true',
      autocomplete: 'off',
    });
    listen(this.#disposables, this.node, 'input', () => this.#edited());
    listen(this.#disposables, this.node, 'blur', () => this.flush());
    listen(this.#disposables, document, 'visibilitychange', () => this.flush());
    listen(this.#disposables, window, 'pagehide', () => this.flush());
    listen(this.#disposables, this.node, 'keydown', (event) => {
      if (!hooks.pressed(event)) this.#pressed(event, sendKey);
    });
  }

  get isBlank(): boolean {
    return !/\S/.test(this.node.value);
  }

  /** Something was typed or sent that the host did not know when it said what the draft is. */
  isAheadOf({ revision = 0 }: PageDraft): boolean {
    return this.#draftTimer.isSet || revision < this.#revision;
  }

  /** The text with the caret. */
  get draft(): PageDraft {
    const { value: text, selectionStart, selectionEnd } = this.node;
    return { text, selectionStart, selectionEnd };
  }

  /** Puts the draft of the host into the field; the same text leaves the caret alone. */
  show(draft: PageDraft): void {
    this.#draftTimer.dispose();
    if (draft.text === this.node.value) return;
    this.node.value = draft.text;
    this.#select(draft);
  }

  /** Shows a text instead of what stands there, which the host keeps as the draft; undo brings it back. */
  showInstead(draft: PageDraft): void {
    this.flush();
    this.#isQuiet = true;
    undoableEdit(this.node, 0, this.node.value.length, draft.text);
    this.#isQuiet = false;
    this.#select(draft);
    this.#hooks.edited();
  }

  /** Puts text in the place of a part, by default of what is selected, as if typed. */
  write(text: string, start = this.node.selectionStart, end = this.node.selectionEnd): void {
    undoableEdit(this.node, start, end, text);
  }

  /** Takes the text out of the field; nothing of it goes to the host as a draft any more. */
  take(): TakenText {
    const text = this.node.value;
    this.#draftTimer.dispose();
    this.node.value = '';
    return { text, revision: this.#nextRevision() };
  }

  /** A text that was taken comes back, before what was typed since. */
  giveBack(text: string): void {
    const since = this.node.value;
    this.node.value = since === '' ? text : `${text}\n${since}`;
    this.#edited();
    this.flush();
  }

  /** Sends the draft to the host now, if it has changed since the last time. */
  flush(): void {
    if (this.#draftTimer.isSet) this.save();
  }

  /** Sends the draft to the host now. */
  save(): void {
    this.#draftTimer.dispose();
    this.#hooks.draft({ ...this.draft, revision: this.#nextRevision() });
  }

  dispose(): void {
    this.flush();
    this.#disposables.dispose();
  }

  #select({ text, selectionStart, selectionEnd }: PageDraft): void {
    this.node.setSelectionRange(Math.min(selectionStart, text.length), Math.min(selectionEnd, text.length));
  }

  #edited(): void {
    if (this.#isQuiet) return;
    this.#draftTimer.set(draftDelayMs, () => this.save());
    this.#hooks.edited();
  }

  /** The clock keeps the states of a page that loaded again apart from those before. */
  #nextRevision(): number {
    this.#revision = Math.max(Date.now(), this.#revision + 1);
    return this.#revision;
  }

  #pressed(event: KeyboardEvent, sendKey: ComposerSettings['sendKey']): void {
    const meaning = enterMeans(event, sendKey);
    if (meaning === undefined) return;
    if (meaning === 'send') {
      event.preventDefault();
      this.#hooks.send();
    } else if (event.altKey || event.ctrlKey || event.metaKey) {
      // The browser breaks the line for Enter and Shift+Enter by itself, but not for these.
      event.preventDefault();
      this.write('\n');
    }
  }
}
