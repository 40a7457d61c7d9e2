import { element, setText } from '../dom/element.ts';
import { icon } from '../icons/icon.ts';
import { Owner, type Owned } from '../dom/timers.ts';
import type { Words } from '../strings.ts';
import { dropped, mayAttach, type Transferred } from './transfers.ts';

/**
 * Takes what is dropped anywhere on the page. The editor hands a drag over to a page only while Shift is held, so that
 * is what is said as soon as one comes in without it.
 */
export class DropTarget implements Owned {
  readonly node = element('div', { class: 'drop-target', hidden: true });
  readonly #words: Words;
  readonly #text = element('span');
  readonly #owner = new Owner();

  constructor(words: Words, take: (transferred: Transferred) => void) {
    this.#words = words;
    this.node.append(icon('attach'), this.#text);
    this.#owner.listen(document, 'dragenter', (event) => this.#over(event));
    this.#owner.listen(document, 'dragover', (event) => this.#over(event));
    this.#owner.listen(document, 'dragleave', (event) => {
      if (event.relatedTarget === null) this.node.hidden = true;
    });
    this.#owner.listen(document, 'dragend', () => (this.node.hidden = true));
    this.#owner.listen(window, 'blur', () => (this.node.hidden = true));
    this.#owner.listen(document, 'drop', (event) => {
      this.node.hidden = true;
      const transferred = event.dataTransfer ? dropped(event.dataTransfer) : { files: [], uris: [] };
      const isText = transferred.files.length + transferred.uris.length === 0;
      // Text goes where the browser puts it; anywhere else it would open an address that was dropped.
      if (isText && event.target instanceof HTMLTextAreaElement) return;
      event.preventDefault();
      if (!isText) take(transferred);
    });
  }

  dispose(): void {
    this.#owner.dispose();
  }

  #over(event: DragEvent): void {
    if (!mayAttach(event.dataTransfer)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    setText(this.#text, this.#words.say(event.shiftKey ? 'dropToAttach' : 'holdShift'));
    this.node.hidden = false;
  }
}
