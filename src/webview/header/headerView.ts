import type { PageHeader, PageStatus } from '../../shared/protocol/pageModel.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { element, sameContent, setText } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/svgs.ts';
import type { Announcer } from '../dom/announcer.ts';
import type { HostChannel } from '../hostChannel.ts';
import type { Strings } from '../strings.ts';
import { FilterMenu, type FilterTarget } from './filterMenu.ts';

/** The tools that the header's buttons control. */
export interface HeaderTools extends FilterTarget {
  openFind(): void;
}

const statusIcons: Readonly<Record<PageStatus, IconName>> = {
  idle: 'check',
  pending: 'watch',
  running: 'loading',
  unknown: 'question',
  unreachable: 'debugDisconnect',
  refused: 'key',
  none: 'circleOutline',
};

/** The header of the conversation: title, status and its age, filter, and the current problem. */
export class HeaderView implements Disposable {
  readonly node = element('header', { class: 'page-head' });
  readonly #strings: Strings;
  readonly #channel: HostChannel;
  readonly #announcer: Announcer;
  readonly #title = element('h1', { class: 'page-title' });
  readonly #status = element('div', { class: 'page-status' });
  readonly #filter: FilterMenu;
  readonly #disposables = new Disposables();
  readonly #problem = element('div', { class: 'problem', hidden: true });
  #shown: PageHeader | undefined;

  constructor(strings: Strings, channel: HostChannel, announcer: Announcer, tools: HeaderTools) {
    this.#strings = strings;
    this.#channel = channel;
    this.#announcer = announcer;
    this.#filter = this.#disposables.add(new FilterMenu(strings, tools));
    const buttons = element(
      'div',
      { class: 'page-buttons' },
      iconButton('search', strings.get('findInConversation'), () => tools.openFind()),
      this.#filter.button,
      iconButton('refresh', strings.get('refresh'), () => channel.post({ type: 'act', action: 'refresh' })),
    );
    const facts = element('div', { class: 'page-facts' }, this.#title, buttons, this.#status, this.#filter.summary);
    this.node.append(facts, this.#problem);
  }

  show(header: PageHeader): void {
    if (sameContent(this.#shown, header)) return;
    const before = this.#shown;
    this.#shown = header;
    if (this.#title.textContent !== header.title) this.#title.replaceChildren(element('bdi', {}, header.title));
    const hints = [header.title, ...header.marks.map(({ hint }) => hint), header.sessionId];
    this.#title.title = hints.join('\n');
    this.#showStatus(header);
    this.#filter.show(header.filter);
    if (!sameContent(before?.problem, header.problem)) this.#showProblem(header.problem);
    if (before && before.statusLabel !== header.statusLabel) this.#announcer.announce(header.statusLabel);
    if (before && before.filter.detailLevel !== header.filter.detailLevel) this.#announcer.announce(this.#filter.label);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #showStatus(header: PageHeader): void {
    const isMoving = header.status === 'running' && !header.isStale;
    const parts: Node[] = [
      icon(statusIcons[header.status], isMoving ? 'is-spinning' : ''),
      element('span', { class: 'status-label', dir: 'auto' }, header.statusLabel),
    ];
    if (header.asOf !== undefined) {
      // The time of a current status is shown to the minute, that of a stale status to the second.
      const clock = header.isStale ? this.#strings.clock(header.asOf) : this.#strings.moment(header.asOf);
      parts.push(element('span', { class: 'status-age' }, this.#strings.get('asOf', clock)));
    }
    if (header.model) parts.push(element('bdi', { class: 'model', title: header.model }, header.model));
    for (const { label, hint } of header.marks)
      parts.push(element('span', { class: 'session-mark', title: hint }, label));
    this.#status.dataset['status'] = header.status;
    this.#status.classList.toggle('is-stale', header.isStale);
    this.#status.replaceChildren(...parts);
  }

  #showProblem(problem: PageHeader['problem']): void {
    this.#problem.hidden = !problem;
    if (!problem) {
      this.#problem.replaceChildren();
      return;
    }
    const text = element('p', { class: 'problem-text', dir: 'auto' });
    setText(text, problem.text);
    const buttons = problem.actions.map(({ label, action }) => {
      const button = element('button', { type: 'button', class: 'link-button' }, label);
      button.addEventListener('click', () => this.#channel.post({ type: 'act', action }));
      return button;
    });
    this.#problem.replaceChildren(icon('warning'), text, element('div', { class: 'problem-actions' }, ...buttons));
    this.#announcer.announce(problem.text);
  }
}
