import type { Attachable, AttachHindrances } from '../../shared/protocol/composerProtocol.ts';
import { iconButton } from '../dom/iconButton.ts';
import type { IconName } from '../icons/svgs.ts';
import type { Owned } from '../dom/timers.ts';
import { PopupMenu, type MenuItem } from '../dom/popupMenu.ts';
import type { Words } from '../strings.ts';

const choices = [
  { what: 'file', word: 'attachFile', picture: 'file' },
  { what: 'selection', word: 'attachSelection', picture: 'selection' },
  { what: 'pick', word: 'attachPick', picture: 'goToFile' },
  { what: 'folder', word: 'attachFolder', picture: 'folder' },
  { what: 'image', word: 'attachImages', picture: 'fileMedia' },
  { what: 'openEditors', word: 'attachOpenEditors', picture: 'files', isApart: true },
  { what: 'problems', word: 'attachProblems', picture: 'warning' },
  { what: 'diff', word: 'attachDiff', picture: 'diff' },
  { what: 'notebook', word: 'attachCells', picture: 'notebook' },
] as const satisfies readonly ({ what: Attachable; word: string; picture: IconName } & Partial<MenuItem>)[];

export interface AttachMenuHooks {
  readonly attach: (what: Attachable) => void;
  /** What cannot be attached is to be told to {@link AttachMenu.show}. */
  readonly wantHindrances: () => void;
}

/** The Attach button with its menu: what can be attached from here. The host knows which file and selection that is. */
export class AttachMenu implements Owned {
  readonly button: HTMLButtonElement;
  readonly #menu: PopupMenu;
  #hindrances: AttachHindrances = {};

  constructor(words: Words, { attach, wantHindrances }: AttachMenuHooks) {
    const name = words.say('attach');
    this.button = iconButton('attach', name, () => undefined);
    const item = ({ what, word, ...look }: (typeof choices)[number]): MenuItem => ({
      ...look,
      label: words.say(word),
      detail: this.#hindrances[what] ?? '',
      isEnabled: this.#hindrances[what] === undefined,
      run: () => attach(what),
    });
    const extras = { tip: words.say('dropTip'), opened: wantHindrances };
    this.#menu = new PopupMenu(this.button, name, () => choices.map(item), extras);
  }

  /** Why some of it cannot be attached now. */
  show(hindrances: AttachHindrances): void {
    this.#hindrances = hindrances;
    this.#menu.refresh();
  }

  dispose(): void {
    this.#menu.dispose();
  }
}
