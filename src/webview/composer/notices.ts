import { element } from '../dom/element.ts';

/** One thing that can be done about a notice. */
export interface NoticeButton {
  readonly label: string;
  readonly run: () => void;
}

/** Lines above the field that ask or tell something about what was just pasted; each goes when it is answered. */
export class Notices {
  readonly node = element('div', { class: 'composer-notices' });
  readonly #announce: (text: string) => void;

  constructor(announce: (text: string) => void) {
    this.#announce = announce;
  }

  /** Shows one; the function returned takes it away. */
  show(text: string, buttons: readonly NoticeButton[]): () => void {
    const words = element('span', { class: 'composer-notice-text', dir: 'auto' }, text);
    const notice = element('div', { class: 'composer-notice', role: 'group', 'aria-label': text }, words);
    const remove = () => notice.remove();
    for (const { label, run } of buttons) {
      const button = element('button', { type: 'button', class: 'link-button' }, label);
      button.addEventListener('click', () => {
        remove();
        run();
      });
      notice.append(button);
    }
    this.node.append(notice);
    notice.scrollIntoView({ block: 'nearest' });
    this.#announce(text);
    return remove;
  }

  clear(): void {
    this.node.replaceChildren();
  }
}
