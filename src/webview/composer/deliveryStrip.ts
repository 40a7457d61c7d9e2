import type { PageComposer } from '../../shared/protocol/pageModel.ts';
import type { Announcer } from '../dom/announcer.ts';
import { sentenceParts } from '../dom/bidiControls.ts';
import { element, setAttribute } from '../dom/element.ts';
import { sameValue } from '../../shared/equality.ts';
import type { SessionChannel } from '../sessionChannel.ts';
import { icon } from '../icons/icon.ts';
import type { Strings } from '../strings.ts';

/**
 * The first outgoing message that the user has to decide about, with the possible actions, above the composer. While
 * there is one, the focus stays here when the buttons change.
 */
export class DeliveryStrip {
  readonly node = element('div', { class: 'delivery-strip', role: 'group', tabindex: -1, hidden: '' });
  readonly #channel: SessionChannel;
  readonly #strings: Strings;
  readonly #announcer: Announcer;
  readonly #label = element('p', { class: 'delivery-strip-label', dir: 'auto' });
  readonly #actions = element('div', { class: 'failure-actions' });
  #shown: PageComposer['undecided'];

  constructor(channel: SessionChannel, strings: Strings, announcer: Announcer) {
    this.#channel = channel;
    this.#strings = strings;
    this.#announcer = announcer;
    this.node.append(icon('warning'), this.#label, this.#actions);
  }

  show(undecided: PageComposer['undecided']): void {
    const before = this.#shown;
    if (sameValue(undecided, before)) return;
    this.#shown = undecided;
    this.node.hidden = !undecided;
    if (!undecided) return;
    const { entryId, label } = undecided;
    this.#label.replaceChildren(...sentenceParts(label));
    setAttribute(this.node, 'aria-label', this.#label.textContent);
    // The next message can have the same label, and is announced, too.
    if (entryId !== before?.entryId || label !== before.label) this.#announcer.announce(this.#label.textContent);
    const buttons = undecided.actions.map((action) => {
      const button = element('button', { type: 'button', class: 'link-button' }, this.#strings.get(action));
      button.addEventListener('click', () => this.#channel.post({ type: 'delivery', entryId, action }));
      return button;
    });
    this.#actions.replaceChildren(...buttons);
  }
}
