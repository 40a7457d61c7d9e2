import type { ComposerSettings, PageDraft } from '../../shared/protocol/pageModel.ts';
import { paragraphs } from '../../shared/text/paragraphs.ts';
import { defined } from '../../shared/defined.ts';
import { type Disposable, Disposables, Emitter } from '../../shared/lifecycle.ts';
import { listen } from '../dom/listen.ts';
import { element } from '../dom/element.ts';
import { Timer } from '../dom/timers.ts';
import type { Strings } from '../strings.ts';
import type { ComposerActions, TakenText } from './composerActions.ts';

/** The properties of a key press that decide whether it sends the message. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'keyCode' | 'isComposing' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'
>;

/** Browsers use this key code for presses handled by an input method, including the one that ends a composition. */
const inputMethodKeyCode = 229;

/** Whether an input method handles this press, including the one that ends a composition. */
export function isComposing(press: Pick<KeyPress, 'isComposing' | 'keyCode'>): boolean {
  // oxlint-disable-next-line typescript/no-deprecated -- no other property identifies the press that ends a composition
  return press.isComposing || press.keyCode === inputMethodKeyCode;
}

/**
 * Whether pressing Enter sends the message or inserts a line break; undefined for other keys and while an input method
 * is composing. Shift+Enter and Alt+Enter always insert a line break.
 */
export function enterMeans(press: KeyPress, sendKey: ComposerSettings['sendKey']): 'send' | 'newline' | undefined {
  if (press.key !== 'Enter' || isComposing(press)) return undefined;
  if (press.shiftKey || press.altKey) return 'newline';
  const withModifier = press.ctrlKey || press.metaKey;
  return sendKey === 'enter' || withModifier ? 'send' : 'newline';
}

/**
 * Whether VS Code may run a command for this press. The command may close the page, which can't save anything
 * afterward, so save first: VS Code receives messages and key presses in order.
 */
export function mayRunCommand({ key, altKey, ctrlKey, metaKey }: KeyPress): boolean {
  return altKey || ctrlKey || metaKey || /^(?:Escape|F\d+)$/.test(key);
}

/**
 * Text with more lines is inserted directly: Chromium takes milliseconds for each line that an editing command inserts,
 * and the page is blocked in the meantime.
 */
const maxUndoableLines = 200;

/**
 * Replaces part of a field's text as if it had been typed: it can be undone, and the field fires its events. The field
 * gets the focus, because the browser only edits the focused field. Text with too many lines is inserted directly
 * instead, which clears the undo history.
 */
export function undoableEdit(field: HTMLTextAreaElement, start: number, end: number, text: string): void {
  if (text === '' && start === end) return;
  field.focus();
  field.setSelectionRange(start, end);
  const isQuick = text.split('\n', maxUndoableLines + 1).length <= maxUndoableLines;
  const command = text === '' ? 'delete' : 'insertText';
  // oxlint-disable-next-line typescript/no-deprecated -- no other API edits a field and keeps its undo history
  if (!isQuick || !document.execCommand(command, false, text)) {
    field.setRangeText(text, start, end, 'end');
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
}

/**
 * Delay between the first unsaved key and saving the draft or a comment. It is short because a window may close without
 * warning.
 */
export const draftDelayMs = 50;

/**
 * After something other than the user has changed the text, the send key doesn't send for this long. An Enter press in
 * this time was meant for the text before the change.
 */
const unreadMs = 1_000;

/** Handles keys before the text field does. */
export interface KeyHandler {
  /** @returns whether the key press was handled. */
  pressed(event: KeyboardEvent): boolean;
}

/** Text that belongs to the draft although the field doesn't show it. */
export interface KeptText {
  /** Saved as the last paragraph of the draft; empty if there is none. */
  readonly keptText: string;
}

/**
 * The text of the next message. The field grows by CSS alone, so typing doesn't force a layout. The draft is sent to
 * the host after a short delay, and immediately when the field loses the focus, the page is hidden, or VS Code may run
 * a command for a key press. Undo works for `write` and `showInstead`, unless the text has too many lines. All other
 * changes by the page clear the undo history.
 */
export class ComposerTextField implements Disposable {
  readonly node: HTMLTextAreaElement;
  readonly #actions: ComposerActions;
  readonly #keyHandlers: KeyHandler[] = [];
  #kept: KeptText | undefined;
  readonly #disposables = new Disposables();
  readonly #draftTimer = this.#disposables.add(new Timer());
  readonly #edited = this.#disposables.add(new Emitter<void>());
  readonly #submitted = this.#disposables.add(new Emitter<void>());
  readonly #inserted = this.#disposables.add(new Emitter<string>());
  /** Fires when the user or the page has edited the text, but not when the host's draft is shown. */
  readonly onDidEdit = this.#edited.event;
  /** Fires when the user has pressed the send key, except for key repeats and while the text {@link isUnread}. */
  readonly onDidSubmit = this.#submitted.event;
  /**
   * Fires with the text of each {@link write}, for example text that a command inserts, and with the whole draft when
   * the host's draft is shown.
   */
  readonly onDidInsert = this.#inserted.event;
  #isReplacing = false;
  /** When something other than the user changed the text while the field had the focus, in Unix ms. */
  #changedAt = 0;
  /** The keys that are held down and were pressed in the field. */
  readonly #heldCodes = new Set<string>();
  /** The last revision that was sent to the host; 0 if none was sent. */
  #revision = 0;
  /** The `addedId` of the draft in the field; undefined if it has none. */
  #addedId: number | undefined;
  /**
   * The last draft that was sent to the host for each session, by the key of the session. If the page returns to a
   * session quickly, the host's draft can be older.
   */
  readonly #latest = new Map<string, PageDraft & { readonly revision: number }>();

  constructor(strings: Strings, sendKey: ComposerSettings['sendKey'], actions: ComposerActions) {
    this.#actions = actions;
    this.node = element('textarea', {
      class: 'message-field',
      'aria-label': strings.get('message'),
      'aria-describedby': 'composer-hint composer-failure help-hint',
      placeholder: strings.get('messagePlaceholder'),
      dir: 'auto',
      rows: 1,
      spellcheck: 'true',
      autocomplete: 'off',
    });
    listen(this.#disposables, this.node, 'input', () => this.#onInput());
    listen(this.#disposables, this.node, 'blur', () => {
      this.#heldCodes.clear();
      this.flush();
    });
    listen(this.#disposables, this.node, 'keyup', ({ code }) => void this.#heldCodes.delete(code));
    listen(this.#disposables, document, 'visibilitychange', () => this.flush());
    listen(this.#disposables, window, 'pagehide', () => this.flush());
    listen(this.#disposables, this.node, 'keydown', (event) => {
      if (mayRunCommand(event)) this.flush();
      if (this.#isHeldFromElsewhere(event)) event.preventDefault();
      else if (!this.#keyHandlers.some((handler) => handler.pressed(event))) this.#pressed(event, sendKey);
    });
  }

  /** Handlers are called in the order in which they were added, until one handles the key. */
  addKeyHandler(handler: KeyHandler): void {
    this.#keyHandlers.push(handler);
  }

  /** Makes each save of the draft include this text. */
  keepWith(kept: KeptText): void {
    this.#kept = kept;
  }

  get isBlank(): boolean {
    return !/\S/.test(this.node.value);
  }

  /**
   * Whether something other than the user changed the text a moment ago, while the user could be typing: another
   * session's draft, or an addition to this one. The send key must not send such a text.
   */
  get isUnread(): boolean {
    const ageMs = Date.now() - this.#changedAt;
    return ageMs >= 0 && ageMs < unreadMs;
  }

  /** Whether the user typed or sent something that the host hadn't received when it sent this draft. */
  isAheadOf({ revision = 0 }: PageDraft): boolean {
    return this.#draftTimer.isSet || revision < this.#revision;
  }

  /** The draft in the field, without a revision. */
  get draft(): PageDraft {
    const { value: text, selectionStart, selectionEnd } = this.node;
    return { text, selectionStart, selectionEnd, ...defined({ addedId: this.#addedId }) };
  }

  /**
   * Shows the host's draft or, if the page has sent a newer one for this session, that draft. If the text is the same,
   * the caret doesn't move.
   */
  show(given: PageDraft): void {
    this.#draftTimer.dispose();
    const latest = this.#latest.get(this.#actions.shownKey);
    const draft = latest && latest.revision > (given.revision ?? 0) ? latest : given;
    this.takeAdditions(draft);
    if (draft.text === this.node.value) return;
    this.#noteChange();
    this.node.value = draft.text;
    this.#select(draft);
    this.#inserted.fire(draft.text);
  }

  /**
   * Stores the `addedId` of the host's draft: the ID of the last text that something other than the user added to it.
   * The page sends the ID with its own drafts, so that the host keeps text that was added later. Call this when the
   * field shows the host's draft, or will show it once the user leaves the prompt history.
   */
  takeAdditions({ addedId }: PageDraft): void {
    this.#addedId = addedId;
  }

  /** Shows other text in place of the draft without sending it to the host as the draft. Undo restores the draft. */
  showInstead(draft: PageDraft): void {
    this.flush();
    this.#isReplacing = true;
    undoableEdit(this.node, 0, this.node.value.length, draft.text);
    this.#isReplacing = false;
    this.#select(draft);
    this.#edited.fire();
  }

  /** Replaces part of the text, by default the selection, as if it had been typed. Focuses the field. */
  write(text: string, start = this.node.selectionStart, end = this.node.selectionEnd): void {
    undoableEdit(this.node, start, end, text);
    this.#inserted.fire(text);
  }

  /** Removes the text from the field and returns it. Unsaved changes are no longer sent to the host as a draft. */
  take(): TakenText {
    const { draft } = this;
    this.#draftTimer.dispose();
    this.node.value = '';
    const taken = this.#take(this.#actions.shownKey, draft);
    this.#edited.fire();
    return taken;
  }

  /**
   * Takes the text of a session that isn't shown anymore, like {@link take}. `draft` was in the field, and was saved,
   * while the session was shown; returns undefined if the user has changed it in this page since.
   */
  takeHidden(shownKey: string, draft: PageDraft): TakenText | undefined {
    return this.#latest.get(shownKey)?.text === draft.text ? this.#take(shownKey, draft) : undefined;
  }

  /** Restores text that was taken, and saves the draft now. Text typed since then follows it as a paragraph. */
  restore(text: string): void {
    this.#noteChange();
    this.node.value = paragraphs(text, this.node.value);
    this.#onInput();
    this.flush();
  }

  /** Adds a paragraph at the start, with the caret at its end, and saves the draft now. */
  prepend(text: string): void {
    this.#noteChange();
    this.node.value = paragraphs(text, this.node.value);
    this.#select({ text: this.node.value, selectionStart: text.length, selectionEnd: text.length });
    this.save();
    this.#edited.fire();
  }

  /** Adds a paragraph at the end. The draft is saved after the usual delay. */
  append(text: string): void {
    this.node.value = paragraphs(this.node.value, text);
    this.#onInput();
  }

  /** Call this before something other than the user changes the text. */
  #noteChange(): void {
    if (document.hasFocus() && document.activeElement === this.node) this.#changedAt = Date.now();
  }

  /** Saves the draft now if it has changed since it was last saved. */
  flush(): void {
    if (this.#draftTimer.isSet) this.save();
  }

  /** Saves the draft on the host now. */
  save(): void {
    this.#draftTimer.dispose();
    const { text, ...shown } = this.draft;
    const whole = paragraphs(text, this.#kept?.keptText ?? '');
    const draft = { ...shown, text: whole, revision: this.#nextRevision() };
    this.#latest.set(this.#actions.shownKey, draft);
    this.#actions.saveDraft(draft);
  }

  dispose(): void {
    this.flush();
    this.#disposables.dispose();
  }

  /**
   * Whether the key was pressed before the field got the focus, for example to choose an answer, and is still held
   * down. Such a key must not type or send.
   */
  #isHeldFromElsewhere({ repeat, code }: KeyboardEvent): boolean {
    if (!repeat) this.#heldCodes.add(code);
    return repeat && !this.#heldCodes.has(code);
  }

  #take(shownKey: string, { text, addedId }: PageDraft): TakenText {
    const sent = { revision: this.#nextRevision(), ...defined({ addedId }) };
    this.#latest.set(shownKey, { text: '', selectionStart: 0, selectionEnd: 0, ...sent });
    return { text, ...sent };
  }

  #select({ text, selectionStart, selectionEnd }: PageDraft): void {
    this.node.setSelectionRange(Math.min(selectionStart, text.length), Math.min(selectionEnd, text.length));
  }

  #onInput(): void {
    if (this.#isReplacing) return;
    // The delay isn't restarted, because a key that is held down would then keep the draft from being saved.
    if (!this.#draftTimer.isSet) this.#draftTimer.set(draftDelayMs, () => this.save());
    this.#edited.fire();
  }

  /** Revisions are based on the clock, so that they keep growing across page reloads, unless the clock is set back. */
  #nextRevision(): number {
    this.#revision = Math.max(Date.now(), this.#revision + 1);
    return this.#revision;
  }

  #pressed(event: KeyboardEvent, sendKey: ComposerSettings['sendKey']): void {
    const meaning = enterMeans(event, sendKey);
    if (meaning === undefined) return;
    if (meaning === 'send') {
      event.preventDefault();
      // A key that is held down was meant for the text that has just been sent.
      if (!event.repeat && !this.isUnread) this.#submitted.fire();
    } else if (event.altKey || event.ctrlKey || event.metaKey) {
      // The browser only inserts a line break for Enter and Shift+Enter, so insert it for other combinations.
      event.preventDefault();
      this.write('\n');
    }
  }
}
