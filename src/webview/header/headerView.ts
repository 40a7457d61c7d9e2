import type { PageHeader, PageStatus } from '../../shared/protocol/pageModel.ts';
import { element, setAttribute, setText } from '../dom/element.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { sameValue } from '../../shared/equality.ts';
import { iconButton } from '../dom/iconButton.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/svgs.ts';
import type { Announcer } from '../dom/announcer.ts';
import type { SessionChannel } from '../sessionChannel.ts';
import type { Strings } from '../strings.ts';
import type { FilterMenu } from './filterMenu.ts';
import { RetryCountdown } from './retryCountdown.ts';

/** The tools that the header's buttons control. */
export interface HeaderTools {
  openFind(): void;
}

const statusIcons: Readonly<Record<PageStatus, IconName>> = {
  idle: 'check',
  pending: 'clockface',
  running: 'loading',
  unknown: 'circleSlash',
  unreachable: 'debugDisconnect',
  rejected: 'key',
  none: 'circleOutline',
};

/**
 * The header of the conversation: a line with the title, the status, and buttons; then notes about missing messages and
 * the filter, and the current failure. The time of the last refresh and an idle status are visible only if the status
 * is stale. Otherwise, like the facts about the session, they are only in the tooltip of the title and in hidden text
 * for screen readers.
 */
export class HeaderView implements Disposable {
  readonly node = element('header', { class: 'page-head' });
  readonly #strings: Strings;
  readonly #channel: SessionChannel;
  readonly #announcer: Announcer;
  readonly #title = element('h1', { class: 'page-title' });
  readonly #status = element('div', { class: 'page-status' });
  readonly #statusAge = element('span');
  readonly #incomplete = element('div', { class: 'page-note', dir: 'auto', hidden: true });
  readonly #buttons = element('div', { class: 'page-buttons' });
  readonly #failure = element('div', { class: 'failure', role: 'group', tabindex: -1, hidden: true });
  readonly #countdown: RetryCountdown;
  #shown: PageHeader | undefined;

  constructor(
    strings: Strings,
    channel: SessionChannel,
    announcer: Announcer,
    tools: HeaderTools,
    filter: Pick<FilterMenu, 'button' | 'summary'>,
  ) {
    this.#strings = strings;
    this.#channel = channel;
    this.#announcer = announcer;
    this.#countdown = new RetryCountdown(strings);
    this.#buttons.append(
      filter.button,
      iconButton('search', strings.get('findInConversation'), () => tools.openFind()),
      iconButton('refresh', strings.get('refresh'), () => channel.post({ type: 'act', action: 'refresh' })),
    );
    const line = element('div', { class: 'page-line' }, this.#title, this.#status, this.#buttons);
    this.node.append(line, this.#incomplete, filter.summary, this.#failure);
  }

  dispose(): void {
    this.#countdown.dispose();
  }

  show(header: PageHeader): void {
    const before = this.#shown;
    this.#shown = header;
    // After midnight, the time needs a date even if the header hasn't changed.
    setAttribute(this.#title, 'title', this.#facts(header).join('\n'));
    setText(this.#statusAge, this.#age(header));
    // Most polls change only the time, which is hidden unless the status is stale. Don't draw a frame for that.
    if (sameValue({ ...before, asOf: 0 }, { ...header, asOf: 0 })) return;
    if (this.#title.textContent !== header.title) this.#title.replaceChildren(element('bdi', {}, header.title));
    this.#showStatus(header);
    setAttribute(this.node, 'data-session-id', header.sessionId);
    setText(this.#incomplete, header.incomplete?.label ?? '');
    setAttribute(this.#incomplete, 'title', header.incomplete?.hint);
    this.#incomplete.hidden = !header.incomplete;
    // Each attempt changes the time of the next one. Drawing the failure again would move the focus, and announce the
    // failure again.
    if (!sameValue({ ...before?.failure, retryAt: 0 }, { ...header.failure, retryAt: 0 }))
      this.#showFailure(header.failure);
    this.#countdown.show(header.failure?.retryAt);
    if (before && before.statusLabel !== header.statusLabel) this.#announcer.announce(header.statusLabel);
  }

  /** What the tooltip of the title shows. */
  #facts(header: PageHeader): string[] {
    const { title, statusLabel, model, marks } = header;
    const status = [statusLabel, this.#age(header)].filter((part) => part !== '').join(' ');
    return [title, status, ...(model === undefined ? [] : [model]), ...marks.map(({ hint }) => hint)];
  }

  /** The time of a current status is shown to the minute, and that of a stale one to the second if it is from today. */
  #age({ asOf, isStale }: PageHeader): string {
    if (asOf === undefined) return '';
    return this.#strings.get('asOf', isStale ? this.#strings.clock(asOf) : this.#strings.moment(asOf));
  }

  #showStatus(header: PageHeader): void {
    this.#statusAge.className = header.isStale ? 'status-age' : 'visually-hidden';
    const marks = header.marks.map(({ label }) => element('span', { class: 'visually-hidden' }, label));
    this.#status.dataset['status'] = header.status;
    this.#status.classList.toggle('is-stale', header.isStale);
    this.#status.classList.toggle('visually-hidden', header.status === 'idle' && !header.isStale);
    this.#status.replaceChildren(
      icon(statusIcons[header.status]),
      element('span', { class: 'status-label', dir: 'auto' }, header.statusLabel),
      this.#statusAge,
      ...marks,
    );
  }

  #showFailure(failure: PageHeader['failure']): void {
    this.#failure.hidden = !failure;
    if (!failure) {
      this.#failure.replaceChildren();
      return;
    }
    const text = element('p', { class: 'failure-text', dir: 'auto' }, `${failure.text} `, this.#countdown.node);
    const buttons = failure.actions.map(({ label, action }) => {
      const button = element('button', { type: 'button', class: 'link-button' }, label);
      button.addEventListener('click', () => this.#channel.post({ type: 'act', action }));
      return button;
    });
    // The focus stays in this group when the buttons change, so the group has a name.
    setAttribute(this.#failure, 'aria-label', failure.text);
    this.#failure.replaceChildren(icon('warning'), text, element('div', { class: 'failure-actions' }, ...buttons));
    this.#announcer.announce(failure.text);
  }
}
