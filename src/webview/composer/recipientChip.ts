import { element, setText } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { icon } from '../icons/icon.ts';
import type { Words } from '../strings.ts';

/** The computer that this one message goes to, where the person chose one. */
export class RecipientChip {
  readonly node: HTMLElement;
  readonly #name = element('bdi', { class: 'chip-name' });

  constructor(words: Words, forget: () => void) {
    const close = iconButton('close', words.say('forgetComputer'), forget);
    this.node = element('span', { class: 'chip recipient', hidden: true }, icon('vm'), this.#name, close);
  }

  show(computer: string | undefined): void {
    setText(this.#name, computer ?? '');
    this.node.title = computer ?? '';
    this.node.hidden = computer === undefined;
  }
}
