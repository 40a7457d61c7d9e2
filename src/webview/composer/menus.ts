import type { AttachmentMenuItem, UnavailableAttachments } from '../../shared/protocol/pageModel.ts';
import type { SendTime } from '../../shared/protocol/vocabulary.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { iconButton } from '../dom/iconButton.ts';
import { type MenuItem, PopupMenu } from '../dom/popupMenu.ts';
import type { Strings } from '../strings.ts';
import type { ComposerActions } from './composerActions.ts';

/** The Attach button and its menu. The host determines the file or selection of each entry. */
export class AttachMenu implements Disposable {
  readonly button: HTMLButtonElement;
  readonly #menu: PopupMenu;
  #unavailableAttachments: UnavailableAttachments = {};

  constructor(strings: Strings, entries: readonly AttachmentMenuItem[], actions: ComposerActions) {
    const name = strings.get('attach');
    this.button = iconButton('attach', name, () => undefined);
    const item = ({ kind, label, icon, startsGroup = false }: AttachmentMenuItem): MenuItem => ({
      label,
      picture: icon,
      startsGroup,
      detail: this.#unavailableAttachments[kind] ?? '',
      isEnabled: this.#unavailableAttachments[kind] === undefined,
      run: () => actions.attach(kind),
    });
    const extras = { tip: strings.get('dropTip'), onOpen: () => void this.#showUnavailable(actions) };
    this.#menu = new PopupMenu(this.button, name, () => entries.map(item), extras);
  }

  dispose(): void {
    this.#menu.dispose();
  }

  /** Disables the unavailable entries, and shows why they are unavailable. */
  async #showUnavailable(actions: ComposerActions): Promise<void> {
    this.#unavailableAttachments = (await actions.getUnavailableAttachments()) ?? {};
    this.#menu.refresh();
  }
}

/** The message in the composer. */
export interface Submittable {
  /** Whether the message can be sent now. */
  readonly canSubmit: boolean;
  /**
   * Sends the message if it can be sent. `when` overrides the user's setting for messages that are sent while the agent
   * is running.
   */
  submit(when?: SendTime): void;
  /** Lets the user choose when the message is sent, and sends it unless the user cancels. */
  submitLater(): Promise<void>;
}

/** The button next to Send and its menu: other ways to send or write the message. */
export function sendMenuButton(strings: Strings, actions: ComposerActions, message: Submittable): HTMLButtonElement {
  const name = strings.get('sendOptions');
  const button = iconButton('chevronDown', name, () => undefined);
  const items = (): MenuItem[] => {
    const isEnabled = message.canSubmit;
    return [
      { label: strings.get('sendNow'), picture: 'send', isEnabled, run: () => message.submit('now') },
      { label: strings.get('sendWhenIdle'), picture: 'clockface', isEnabled, run: () => message.submit('whenIdle') },
      { label: strings.get('sendLater'), picture: 'calendar', isEnabled, run: () => void message.submitLater() },
      {
        label: strings.get('chooseComputer'),
        picture: 'vm',
        startsGroup: true,
        run: () => actions.compose('chooseComputer'),
      },
      {
        label: strings.get('insertSnippet'),
        picture: 'snippet',
        startsGroup: true,
        run: () => actions.compose('insertSnippet'),
      },
      { label: strings.get('composeInEditor'), picture: 'edit', run: () => actions.compose('composeInEditor') },
    ];
  };
  PopupMenu.attach(button, name, items);
  return button;
}
