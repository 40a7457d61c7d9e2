import type { Announcer } from '../dom/announcer.ts';
import { element } from '../dom/element.ts';

interface NoticeButton {
  readonly label: string;
  readonly run: () => void;
}

/**
 * Notices above the text field about inserted, pasted, or dropped content. A notice closes when one of its buttons is
 * clicked.
 */
export class Notices {
  readonly node = element('div', { class: 'composer-notices' });
  readonly #announcer: Announcer;

  constructor(announcer: Announcer) {
    this.#announcer = announcer;
  }

  /** Shows and announces a notice. Returns its element, which the caller may remove. */
  show(text: string, buttons: readonly NoticeButton[]): HTMLElement {
    const label = element('span', { class: 'composer-notice-text', dir: 'auto' }, text);
    const notice = element('div', { class: 'composer-notice', role: 'group', 'aria-label': text }, label);
    for (const { label: name, run } of buttons) {
      const button = element('button', { type: 'button', class: 'link-button' }, name);
      button.addEventListener('click', () => {
        notice.remove();
        run();
      });
      notice.append(button);
    }
    this.node.append(notice);
    notice.scrollIntoView({ block: 'nearest' });
    this.#announcer.announce(text);
    return notice;
  }

  clear(): void {
    this.node.replaceChildren();
  }
}
