import type {
  AttachmentKind,
  AttachmentMenuItem,
  ComposerAction,
  SendTime,
  UnavailableAttachments,
} from '../../shared/protocol/composerProtocol.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { iconButton } from '../dom/iconButton.ts';
import { type MenuItem, PopupMenu } from '../dom/popupMenu.ts';
import type { Words } from '../strings.ts';

export interface AttachMenuHooks {
  readonly attach: (what: AttachmentKind) => void;
  /** What cannot be attached is to be told to {@link AttachMenu.show}. */
  readonly wantHindrances: () => void;
}

/** The Attach button with its menu: what can be attached from here. The host knows which file and selection that is. */
export class AttachMenu implements Disposable {
  readonly button: HTMLButtonElement;
  readonly #menu: PopupMenu;
  #hindrances: UnavailableAttachments = {};

  constructor(words: Words, sources: readonly AttachmentMenuItem[], { attach, wantHindrances }: AttachMenuHooks) {
    const name = words.say('attach');
    this.button = iconButton('attach', name, () => undefined);
    const item = ({ kind, label, icon, startsGroup = false }: AttachmentMenuItem): MenuItem => ({
      label,
      picture: icon,
      isApart: startsGroup,
      detail: this.#hindrances[kind] ?? '',
      isEnabled: this.#hindrances[kind] === undefined,
      run: () => attach(kind),
    });
    const extras = { tip: words.say('dropTip'), opened: wantHindrances };
    this.#menu = new PopupMenu(this.button, name, () => sources.map(item), extras);
  }

  /** Why some of it cannot be attached now. */
  show(hindrances: UnavailableAttachments): void {
    this.#hindrances = hindrances;
    this.#menu.refresh();
  }

  dispose(): void {
    this.#menu.dispose();
  }
}

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
