import type { Attachable } from '../../protocol.ts';
import type { IconName } from '../icons/pictures.ts';
import type { Words } from '../words.ts';
import { MenuButton, type MenuChoice } from './menuButton.ts';

const choices = [
  { what: 'file', word: 'attachFile', picture: 'file' },
  { what: 'selection', word: 'attachSelection', picture: 'selection' },
  { what: 'pick', word: 'attachPick', picture: 'goToFile' },
  { what: 'folder', word: 'attachFolder', picture: 'folder' },
  { what: 'image', word: 'attachImages', picture: 'fileMedia' },
  { what: 'openEditors', word: 'attachOpenEditors', picture: 'files', startsGroup: true },
  { what: 'problems', word: 'attachProblems', picture: 'warning' },
  { what: 'diff', word: 'attachDiff', picture: 'diff' },
  { what: 'notebook', word: 'attachCells', picture: 'notebook' },
] as const satisfies readonly ({ what: Attachable; word: string; picture: IconName } & Partial<MenuChoice>)[];

/** The Attach button with its menu: what can be attached from here. The host knows which file and selection that is. */
export function attachMenu(words: Words, attach: (what: Attachable) => void): MenuButton {
  return new MenuButton({
    picture: 'attach',
    name: words.say('attach'),
    side: 'start',
    choices: choices.map(({ what, word, ...choice }) => ({ ...choice, id: what, label: words.say(word) })),
    choose: (id) => {
      const choice = choices.find(({ what }) => what === id);
      if (choice) attach(choice.what);
    },
    tip: words.say('dropTip'),
  });
}
