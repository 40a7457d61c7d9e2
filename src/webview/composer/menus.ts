import type { AttachmentMenuItem, SendTime, UnavailableAttachments } from '../../shared/protocol/composerProtocol.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { iconButton } from '../dom/iconButton.ts';
import { type MenuItem, PopupMenu } from '../dom/popupMenu.ts';
import type { Words } from '../strings.ts';
import type { ComposerActions } from './composerActions.ts';

/** The Attach button and its menu. The host decides which file or selection an entry stands for. */
export class AttachMenu implements Disposable {
  readonly button: HTMLButtonElement;
  readonly #menu: PopupMenu;
  #hindrances: UnavailableAttachments = {};

  constructor(words: Words, entries: readonly AttachmentMenuItem[], actions: ComposerActions) {
    const name = words.say('attach');
    this.button = iconButton('attach', name, () => undefined);
    const item = ({ kind, label, icon, startsGroup = false }: AttachmentMenuItem): MenuItem => ({
      label,
      picture: icon,
      startsGroup,
      detail: this.#hindrances[kind] ?? '',
      isEnabled: this.#hindrances[kind] === undefined,
      run: () => actions.attach(kind),
    });
    const extras = { tip: words.say('dropTip'), onOpen: () => actions.wantHindrances() };
    this.#menu = new PopupMenu(this.button, name, () => entries.map(item), extras);
  }

  /** Shows why some kinds of attachments are unavailable. */
  show(hindrances: UnavailableAttachments): void {
    this.#hindrances = hindrances;
    this.#menu.refresh();
  }

  dispose(): void {
    this.#menu.dispose();
  }
}

/** A message that is being written. */
export interface Submittable {
  /** Whether the message can be sent now. */
  readonly canSubmit: boolean;
  /** Sends the message. `when` overrides the setting for this message. */
  submit(when?: SendTime): void;
}

/** The button next to Send and its menu: other ways to send or write the message. */
export function sendMenuButton(words: Words, actions: ComposerActions, message: Submittable): HTMLButtonElement {
  const name = words.say('sendOptions');
  const button = iconButton('chevronDown', name, () => undefined);
  const items = (): MenuItem[] => {
    const isEnabled = message.canSubmit;
    return [
      { label: words.say('sendNow'), picture: 'send', isEnabled, run: () => message.submit('now') },
      { label: words.say('sendWhenIdle'), picture: 'watch', isEnabled, run: () => message.submit('whenIdle') },
      {
        label: words.say('chooseComputer'),
        picture: 'vm',
        startsGroup: true,
        run: () => actions.compose('chooseComputer'),
      },
      {
        label: words.say('insertSnippet'),
        picture: 'snippet',
        startsGroup: true,
        run: () => actions.compose('insertSnippet'),
      },
      { label: words.say('composeInEditor'), picture: 'edit', run: () => actions.compose('composeInEditor') },
    ];
  };
  PopupMenu.attach(button, name, items);
  return button;
}
