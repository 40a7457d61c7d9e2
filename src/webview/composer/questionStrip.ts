import { element } from '../dom/element.ts';
import { icon } from '../icons/icon.ts';

/** The question that the conversation ends with, in one line above the composer. A click shows its card. */
export class QuestionStrip {
  readonly node = element('div', { class: 'question-strip', hidden: '' });
  readonly #button = element('button', { type: 'button', class: 'plan-button' });
  #key: string | undefined;
  #label = '';

  /** @param reveal shows the card in the row with this key. */
  constructor(reveal: (key: string) => void) {
    this.#button.addEventListener('click', () => {
      if (this.#key !== undefined) reveal(this.#key);
    });
    this.node.append(this.#button);
  }

  show(question: { readonly key: string; readonly label: string } | undefined): void {
    this.#key = question?.key;
    this.node.hidden = !question;
    if (!question || question.label === this.#label) return;
    this.#label = question.label;
    const label = element('bdi', { class: 'plan-current', title: question.label }, question.label);
    this.#button.replaceChildren(icon('question'), label);
  }
}
