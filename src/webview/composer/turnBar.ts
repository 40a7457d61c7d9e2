import type { PageTurn, PageTurnPart } from '../../shared/protocol/pageModel.ts';
import { sameValue } from '../../shared/equality.ts';
import { element } from '../dom/element.ts';
import type { SessionChannel } from '../sessionChannel.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/svgs.ts';
import type { Strings } from '../strings.ts';

/** What the agent did in the last turn, in one line above the composer. A click on the changes or errors shows them. */
export class TurnBar {
  readonly node = element('div', { class: 'turn-bar', role: 'group', hidden: '' });
  readonly #channel: SessionChannel;
  #shown: PageTurn | undefined;

  constructor(channel: SessionChannel, strings: Strings) {
    this.#channel = channel;
    this.node.setAttribute('aria-label', strings.get('lastTurn'));
  }

  show(turn: PageTurn | undefined): void {
    if (sameValue(turn, this.#shown)) return;
    const focused = [...this.node.children].find((part) => part === document.activeElement)?.className;
    this.#shown = turn;
    this.node.hidden = !turn;
    if (!turn) return;
    const { changes, errors, time } = turn;
    const parts = [
      ...(changes ? [this.#link('changes', changes)] : []),
      ...(errors ? [this.#link('errors', errors)] : []),
      ...(time ? [element('span', { class: 'turn-time', title: time.hint }, ...content('clockface', time))] : []),
    ];
    this.node.replaceChildren(...parts);
    parts.find(({ className }) => className === focused)?.focus();
  }

  #link(part: 'changes' | 'errors', described: PageTurnPart): HTMLElement {
    const name = part === 'changes' ? 'diff' : 'error';
    const attributes = { type: 'button', class: `turn-${part}`, title: described.hint };
    const button = element('button', attributes, ...content(name, described));
    button.addEventListener('click', () => {
      if (!this.#shown) return;
      this.#channel.post({ type: 'showTurn', key: this.#shown.messageId, part });
    });
    return button;
  }
}

function content(name: IconName, { label }: PageTurnPart): readonly Node[] {
  return [icon(name), element('span', { dir: 'auto' }, label)];
}
