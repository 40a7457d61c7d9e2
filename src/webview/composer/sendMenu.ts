import type { ComposerAction, SendTime } from '../../composerProtocol.ts';
import type { Words } from '../words.ts';
import { MenuButton } from './menuButton.ts';

/** What the menu beside Send does. */
export interface SendMenuHooks {
  readonly send: (when: SendTime) => void;
  readonly act: (action: ComposerAction) => void;
  /** Whether there is something that can be sent. */
  readonly isReady: () => boolean;
}

/** Ways to send this one message, and other ways to write it. */
export function sendMenu(words: Words, { send, act, isReady }: SendMenuHooks): MenuButton {
  const acts: Readonly<Record<string, () => void>> = {
    now: () => send('now'),
    whenIdle: () => send('whenIdle'),
    chooseComputer: () => act('chooseComputer'),
    insertSnippet: () => act('insertSnippet'),
    composeInEditor: () => act('composeInEditor'),
  };
  const menu: MenuButton = new MenuButton({
    picture: 'chevronDown',
    name: words.say('sendOptions'),
    side: 'end',
    choices: [
      { id: 'now', label: words.say('sendNow'), picture: 'send' },
      { id: 'whenIdle', label: words.say('sendWhenIdle'), picture: 'watch' },
      { id: 'chooseComputer', label: words.say('chooseComputer'), picture: 'vm', startsGroup: true },
      { id: 'insertSnippet', label: words.say('insertSnippet'), picture: 'snippet', startsGroup: true },
      { id: 'composeInEditor', label: words.say('composeInEditor'), picture: 'edit' },
    ],
    choose: (id) => acts[id]?.(),
    opened: () => {
      const state = { detail: '', isEnabled: isReady() };
      menu.describe({ now: state, whenIdle: state });
    },
  });
  return menu;
}
