import type { ComposerAction, SendTime } from '../../shared/protocol/composerProtocol.ts';
import { iconButton } from '../dom/iconButton.ts';
import { PopupMenu, type MenuItem } from '../dom/popupMenu.ts';
import type { Words } from '../strings.ts';

/** What the menu beside Send does. */
export interface SendMenuHooks {
  readonly send: (when: SendTime) => void;
  readonly act: (action: ComposerAction) => void;
  /** Whether there is something that can be sent. */
  readonly isReady: () => boolean;
}

/** The button beside Send, with its menu: ways to send this one message, and other ways to write it. */
export function sendMenuButton(words: Words, { send, act, isReady }: SendMenuHooks): HTMLButtonElement {
  const name = words.say('sendOptions');
  const button = iconButton('chevronDown', name, () => undefined);
  const items = (): MenuItem[] => {
    const isEnabled = isReady();
    return [
      { label: words.say('sendNow'), picture: 'send', isEnabled, run: () => send('now') },
      { label: words.say('sendWhenIdle'), picture: 'watch', isEnabled, run: () => send('whenIdle') },
      { label: words.say('chooseComputer'), picture: 'vm', isApart: true, run: () => act('chooseComputer') },
      { label: words.say('insertSnippet'), picture: 'snippet', isApart: true, run: () => act('insertSnippet') },
      { label: words.say('composeInEditor'), picture: 'edit', run: () => act('composeInEditor') },
    ];
  };
  PopupMenu.at(button, name, items);
  return button;
}
