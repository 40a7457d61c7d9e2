import type { PageAsked, PageAskedOption, PageAskedQuestion } from '../../shared/protocol/rowTypes.ts';
import { element, setAttribute } from '../dom/element.ts';
import { icon } from '../icons/icon.ts';
import { drawFold } from './fold.ts';
import { drawMarkdown } from './markdown.ts';
import type { RenderContext } from './renderContext.ts';

/**
 * Draws what the agent asks: a card or, if it was answered or its call failed, one line that expands to the card.
 * `name` identifies the card within the conversation.
 */
export function drawAsked(asked: PageAsked, name: string, context: RenderContext): HTMLElement {
  const { state, answer } = asked;
  if (state !== 'answered' && state !== 'failed') return new AskedCard(asked, name, context).node;
  const { strings } = context;
  const fold = {
    type: 'fold',
    kind: 'asked',
    title: strings.get(asked.isApproval ? 'plan' : 'question'),
    detail: asked.questions[0]?.quote ?? '',
    isError: false,
    blocks: [],
    ...(answer === '' ? {} : { result: { text: answer, isError: state === 'failed' } }),
  } as const;
  return drawFold(fold, name, context, () => [new AskedCard(asked, name, context).node]);
}

/**
 * The questions of a tool call with their options. Choosing an option writes its text into the composer, where the user
 * sees, edits, and sends it. Nothing else happens: the API has no way to approve something.
 */
class AskedCard {
  readonly node: HTMLElement;
  readonly #asked: PageAsked;
  readonly #name: string;
  readonly #context: RenderContext;
  readonly #options: readonly OptionButton[];
  readonly #send: HTMLButtonElement;

  constructor(asked: PageAsked, name: string, context: RenderContext) {
    const { answers } = context;
    const isOpen = asked.state === 'open';
    this.#asked = asked;
    this.#name = name;
    this.#context = context;
    this.#send = this.#button('sendAnswer', () => answers.send());
    this.#send.classList.add('is-primary');
    this.node = element('div', {
      class: 'asked',
      role: 'group',
      'aria-label': asked.label,
      'data-state': asked.state,
      tabindex: isOpen ? -1 : undefined,
    });
    const drawn = asked.questions.map((question, index) => this.#drawQuestion(question, index));
    this.#options = drawn.flatMap(({ buttons }) => buttons);
    if (isOpen) this.node.append(this.#head());
    this.node.append(...drawn.map(({ node }) => node));
    if (asked.note !== undefined) this.node.append(element('p', { class: 'asked-note', dir: 'auto' }, asked.note));
    if (!isOpen) return;
    if (asked.isApproval) this.#addNote('approvalIsText');
    else if (this.#options.some(({ node }) => !node.disabled)) this.#addNote('answerIsText');
    this.node.append(this.#actions());
    this.node.addEventListener('keydown', (event) => this.#pressed(event));
    answers.follow(name, this);
    this.showAnswers();
  }

  #addNote(word: 'approvalIsText' | 'answerIsText'): void {
    this.node.append(element('p', { class: 'asked-note', dir: 'auto' }, this.#context.strings.get(word)));
  }

  /** Shows which options the composer contains. */
  showAnswers(): void {
    const { answers } = this.#context;
    for (const option of this.#options) option.isChosen = answers.choicesOf(option.name).has(option.index);
    this.#send.disabled = !this.#asked.questions.some((_, index) => answers.has(this.#answerName(index)));
  }

  #head(): HTMLElement {
    const { strings } = this.#context;
    const words = strings.get(this.#asked.isApproval ? 'agentAsksApproval' : 'agentAsks');
    const title = element('span', { class: 'asked-title' }, icon('question'), element('span', { dir: 'auto' }, words));
    const state = element('span', { class: 'asked-state', dir: 'auto' }, strings.get('waitingForAnswer'));
    return element('div', { class: 'asked-head' }, title, state);
  }

  #actions(): HTMLElement {
    const { questions, isApproval } = this.#asked;
    const bar = element('div', { class: 'asked-actions' });
    if (isApproval) bar.append(this.#button('approve', () => this.#approve()));
    if (isApproval || questions.length === 1) bar.append(this.#replyButton(0));
    bar.append(this.#send);
    return bar;
  }

  #drawQuestion(
    question: PageAskedQuestion,
    index: number,
  ): { readonly node: HTMLElement; readonly buttons: readonly OptionButton[] } {
    const { header, text, quote, options, note, isMultiple } = question;
    const node = element('div', { class: 'asked-question', role: 'group', 'aria-label': header || quote });
    if (header !== '') node.append(element('div', { class: 'asked-header', dir: 'auto' }, header));
    if (text !== '') node.append(drawMarkdown(text, false, this.#context));
    const isOpen = this.#asked.state === 'open';
    if (isOpen && isMultiple && options.length > 1) {
      const hint = this.#context.strings.get('selectSeveral');
      node.append(element('p', { class: 'asked-note', dir: 'auto' }, hint));
    }
    const name = this.#answerName(index);
    const buttons = options.map((option, at) => {
      const choose = isOpen && option.failure === undefined ? () => this.#choose(index, at) : undefined;
      return new OptionButton(option, name, at, choose);
    });
    const list = element('div', { class: 'asked-options' });
    for (const button of buttons) list.append(button.node);
    if (buttons.length > 0) node.append(list);
    if (note !== undefined) node.append(element('p', { class: 'asked-note', dir: 'auto' }, note));
    if (isOpen && !this.#asked.isApproval && this.#asked.questions.length > 1) {
      node.append(element('div', { class: 'asked-actions' }, this.#replyButton(index)));
    }
    return { node, buttons };
  }

  /** A button for an answer in the user's own words. */
  #replyButton(index: number): HTMLButtonElement {
    const { isApproval, questions } = this.#asked;
    const hasOptions = (questions[index]?.options.length ?? 0) > 0;
    return this.#button(hasOptions && !isApproval ? 'otherAnswer' : 'replyTo', () => this.#reply(index));
  }

  #button(word: 'sendAnswer' | 'approve' | 'replyTo' | 'otherAnswer', run: () => void): HTMLButtonElement {
    const button = element('button', { type: 'button', class: 'button' }, this.#context.strings.get(word));
    button.addEventListener('click', run);
    return button;
  }

  #choose(index: number, at: number): void {
    const { answers } = this.#context;
    const { questions } = this.#asked;
    const question = questions[index];
    if (!question) return;
    const name = this.#answerName(index);
    const before = answers.choicesOf(name);
    const isChosen = !before.has(at);
    const kept = question.isMultiple ? [...before].filter((other) => other !== at) : [];
    const choices = new Set(isChosen ? [...kept, at] : kept);
    const texts = question.options.flatMap(({ label }, place) => (choices.has(place) ? [label] : []));
    answers.write(name, texts.length === 0 ? '' : this.#quoted(question) + texts.join('\n'), choices);
    // If further answers may follow, the focus returns to the option. Otherwise, it stays in the composer: Enter sends.
    if (questions.length > 1 || question.isMultiple) this.#focusOption(name, at);
  }

  #focusOption(name: string, at: number): void {
    const option = this.#options.find((each) => each.name === name && each.index === at);
    option?.node.focus({ preventScroll: true });
  }

  #approve(): void {
    const { answers, strings } = this.#context;
    const name = this.#answerName(0);
    answers.write(name, strings.get('approvedText'));
  }

  /**
   * Lets the user write an answer. The answer begins with a quote of the question if the card has several questions or
   * asks for approval.
   */
  #reply(index: number): void {
    const { answers } = this.#context;
    const question = this.#asked.questions[index];
    const name = this.#answerName(index);
    if (question && !answers.has(name)) answers.write(name, this.#quoted(question));
    answers.focus();
  }

  #quoted({ quote }: PageAskedQuestion): string {
    const { questions, isApproval } = this.#asked;
    return quote === '' || (questions.length === 1 && !isApproval) ? '' : `> ${quote}\n\n`;
  }

  /** A digit chooses an option of the question that has the focus, or else of the first one. A held key acts once. */
  #pressed(event: KeyboardEvent): void {
    const { key, altKey, ctrlKey, metaKey, target } = event;
    if (event.repeat) {
      // The browser clicks a button again while Enter is held.
      if (key === 'Enter') event.preventDefault();
      return;
    }
    // Shift is needed for digits on some keyboards, such as French ones.
    if (altKey || ctrlKey || metaKey) return;
    const focused = target instanceof Element ? target.closest('.asked-question') : null;
    const group = focused ?? this.node.querySelector('.asked-question');
    const option = group?.querySelectorAll<HTMLElement>('.asked-option')[Number(key) - 1];
    if (!option) return;
    event.preventDefault();
    option.click();
  }

  #answerName(index: number): string {
    return `${this.#name} ${index}`;
  }
}

/** An option as a button. If the option can't be written into the composer, the button says why. */
class OptionButton {
  readonly node: HTMLButtonElement;
  readonly name: string;
  readonly index: number;

  /**
   * @param name the name of the answer in `Answers`.
   * @param index the index of the option in its question.
   * @param choose undefined if the option can't be chosen.
   */
  constructor(
    { label, detail, failure }: PageAskedOption,
    name: string,
    index: number,
    choose: (() => void) | undefined,
  ) {
    this.name = name;
    this.index = index;
    const text = element('div', { class: 'asked-text' }, element('div', { class: 'asked-label', dir: 'auto' }, label));
    if (detail !== '') text.append(element('div', { class: 'asked-detail', dir: 'auto' }, detail));
    if (failure !== undefined) text.append(element('div', { class: 'asked-note', dir: 'auto' }, failure));
    const number = element('span', { class: 'asked-key', 'aria-hidden': 'true' }, index < 9 ? String(index + 1) : '');
    this.node = element(
      'button',
      { type: 'button', class: 'asked-option' },
      number,
      text,
      icon('check', 'asked-check'),
    );
    this.node.disabled = choose === undefined;
    if (choose) this.node.addEventListener('click', choose);
  }

  set isChosen(isChosen: boolean) {
    setAttribute(this.node, 'aria-pressed', String(isChosen));
  }
}
