import type { MessageAction } from '../../shared/protocol/readingProtocol.ts';
import { iconButton } from '../dom/iconButton.ts';
import { PopupMenu, type MenuItem } from '../dom/popupMenu.ts';
import type { Words } from '../strings.ts';

/** Does something with the message of a row. */
export type ActOnMessage = (key: string, action: MessageAction) => void;

const items = [
  { action: 'copy', word: 'copyMessage', picture: 'copy' },
  { action: 'copyPlain', word: 'copyPlain' },
  { action: 'copyAnswer', word: 'copyAnswer' },
  { action: 'copyConversation', word: 'copyConversation' },
  { action: 'copyLink', word: 'copyLink' },
  { action: 'quote', word: 'quote', picture: 'quote', isApart: true },
] as const;

/** The button in a row's head that offers what can be done with its message; the menu is made when it is opened. */
export function rowMenuButton(key: string, words: Words, act: ActOnMessage): HTMLButtonElement {
  const name = words.say('moreActions');
  const menuItems = (): MenuItem[] =>
    items.map(({ action, word, ...look }) => ({ ...look, label: words.say(word), run: () => act(key, action) }));
  const button = iconButton('ellipsis', name, () => undefined);
  button.classList.add('row-action');
  PopupMenu.at(button, name, menuItems);
  return button;
}
