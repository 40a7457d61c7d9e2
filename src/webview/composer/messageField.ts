import type { PageDraft } from '../../pageContent.ts';
import type { PageSetup } from '../../protocol.ts';
import { element } from '../element.ts';
import { Owner, Timer, type Owned } from '../ownership.ts';
import type { Words } from '../words.ts';
import { enterMeans } from './sendKey.ts';

/** A draft goes to the host so long after the last key. */
const draftDelayMs = 200;

/** What the field tells its owner. */
export interface FieldHooks {
  readonly edited: () => void;
  readonly send: () => void;
  readonly draft: (draft: PageDraft) => void;
}

/**
 * The text of the next message. It grows by its style alone, so typing reads no layout; the host keeps what is typed,
 * a moment later and at once when the page is left.
 */
export class MessageField implements Owned {
  readonly node: HTMLTextAreaElement;
  readonly #hooks: FieldHooks;
  readonly #owner = new Owner();
  readonly #draftTimer = new Timer();

  constructor(words: Words, sendKey: PageSetup['sendKey'], hooks: FieldHooks) {
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
    this.#owner.own(this.#draftTimer);
    this.#owner.listen(this.node, 'input', () => this.#edited());
    this.#owner.listen(this.node, 'blur', () => this.flush());
    this.#owner.listen(document, 'visibilitychange', () => this.flush());
    this.#owner.listen(window, 'pagehide', () => this.flush());
    this.#owner.listen(this.node, 'keydown', (event) => this.#pressed(event, sendKey));
  }

  get text(): string {
    return this.node.value;
  }

  get isBlank(): boolean {
    return !/\S/.test(this.node.value);
  }

  /** Something was typed that the host has not been told yet. */
  get hasUnsaved(): boolean {
    return this.#draftTimer.isSet;
  }

  /** Puts the draft of the host into the field; the same text leaves the caret alone. */
  show(draft: PageDraft): void {
    this.#draftTimer.dispose();
    if (draft.text === this.node.value) return;
    this.node.value = draft.text;
    const end = draft.text.length;
    this.node.setSelectionRange(Math.min(draft.selectionStart, end), Math.min(draft.selectionEnd, end));
  }

  /** Takes the text out of the field; nothing of it goes to the host as a draft any more. */
  take(): string {
    const text = this.node.value;
    this.#draftTimer.dispose();
    this.node.value = '';
    return text;
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
    if (!this.#draftTimer.isSet) return;
    this.#draftTimer.dispose();
    const { value: text, selectionStart, selectionEnd } = this.node;
    this.#hooks.draft({ text, selectionStart, selectionEnd });
  }

  dispose(): void {
    this.flush();
    this.#owner.dispose();
  }

  #edited(): void {
    this.#draftTimer.set(draftDelayMs, () => {
      const { value: text, selectionStart, selectionEnd } = this.node;
      this.#hooks.draft({ text, selectionStart, selectionEnd });
    });
    this.#hooks.edited();
  }

  #pressed(event: KeyboardEvent, sendKey: PageSetup['sendKey']): void {
    const meaning = enterMeans(event, sendKey);
    if (meaning === undefined) return;
    if (meaning === 'send') {
      event.preventDefault();
      this.#hooks.send();
    } else if (event.altKey || event.ctrlKey || event.metaKey) {
      // The browser breaks the line for Enter and Shift+Enter by itself, but not for these.
      event.preventDefault();
      this.node.setRangeText('\n', this.node.selectionStart, this.node.selectionEnd, 'end');
      this.#edited();
    }
  }
}
