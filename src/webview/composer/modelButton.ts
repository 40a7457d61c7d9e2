import { element, setAttribute, setText } from '../dom/element.ts';
import type { SessionChannel } from '../sessionChannel.ts';
import type { Strings } from '../strings.ts';

/** The button in the composer that shows the session's model and changes it. Hidden if the model isn't known. */
export class ModelButton {
  readonly node = element('button', { type: 'button', class: 'model-button', hidden: true });
  readonly #name = element('bdi', { class: 'model-name' });
  readonly #strings: Strings;

  constructor(strings: Strings, channel: SessionChannel) {
    this.#strings = strings;
    this.node.append(this.#name);
    this.node.addEventListener('click', () => channel.post({ type: 'act', action: 'changeModel' }));
  }

  show(model: string | undefined): void {
    this.node.hidden = model === undefined;
    if (model === undefined) return;
    setText(this.#name, model);
    const label = this.#strings.get('model', model);
    setAttribute(this.node, 'title', label);
    this.node.setAttribute('aria-label', label);
  }
}
