import type { PageStepContent } from '../../shared/protocol/pageMessages.ts';
import type { PageRow, PageStep, PageSteps, StepId } from '../../shared/protocol/rowTypes.ts';
import type { StepKind } from '../../shared/protocol/vocabulary.ts';
import { renderBlock } from '../content/renderBlock.ts';
import { element, setAttribute } from '../dom/element.ts';
import { sameValue } from '../../shared/equality.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/svgs.ts';
import { type RowContext, setPlace } from './rowParts.ts';

const kindIcons: Readonly<Record<StepKind, IconName>> = {
  write: 'edit',
  read: 'file',
  list: 'folder',
  search: 'search',
  execute: 'terminal',
  fetch: 'globe',
  plan: 'checklist',
  question: 'question',
  agent: 'agent',
  skill: 'notebook',
  thinking: 'thinking',
  result: 'output',
  other: 'tools',
};

/** A row of steps of the agent's work: a summary that expands and collapses them, and one line for each step. */
export class StepsView {
  readonly node = element('article', { class: 'row is-steps', 'data-role': 'tool', tabindex: 0 });
  readonly #context: RowContext;
  readonly #list = element('ul', { class: 'steps' });
  #summary: HTMLElement | undefined;
  #lines: readonly StepLine[] = [];
  #drawn: PageSteps['summary'];

  constructor(context: RowContext) {
    this.#context = context;
    this.node.append(this.#list);
  }

  show(row: PageRow): void {
    const { summary, lines } = row.steps ?? { lines: [] };
    this.node.setAttribute('aria-label', row.roleLabel);
    if (!sameValue(this.#drawn, summary)) this.#showSummary(row.key, summary);
    this.#drawn = summary;
    const known = new Map(this.#lines.map((line) => [line.name, line]));
    this.#lines = lines.map((step) => {
      const line = known.get(stepName(step)) ?? new StepLine(stepName(step), this.#context);
      line.show(step);
      return line;
    });
    this.#placeLines();
    this.#list.hidden = this.#lines.length === 0;
    setPlace(this.node, row, this.#context);
  }

  /**
   * Expands these steps. Resolves to the element of the first of them when their content is shown; undefined if the row
   * has none of them.
   */
  async expand(steps: readonly StepId[]): Promise<HTMLElement | undefined> {
    const names = new Set(steps.map(stepName));
    const lines = this.#lines.filter(({ name }) => names.has(name));
    await Promise.all(lines.map((line) => line.expand()));
    return lines[0]?.node;
  }

  /** Lines that stay in order aren't moved, because they would lose the focus, the selection, and their scrolling. */
  #placeLines(): void {
    const wanted = new Set<Element>(this.#lines.map(({ node }) => node));
    for (const child of [...this.#list.children]) if (!wanted.has(child)) child.remove();
    let cursor = this.#list.firstElementChild;
    for (const { node } of this.#lines) {
      if (cursor === node) cursor = cursor.nextElementSibling;
      else this.#list.insertBefore(node, cursor);
    }
  }

  #showSummary(key: string, summary: PageSteps['summary']): void {
    const hadFocus = this.#summary?.contains(document.activeElement) === true;
    this.#summary?.remove();
    this.#summary = undefined;
    if (!summary) return;
    const { isOpen, hint } = summary;
    const button = element('button', {
      type: 'button',
      class: 'fold-button',
      'aria-expanded': String(isOpen),
      title: hint,
    });
    const label = element('bdi', { class: 'fold-title' }, summary.label);
    button.append(
      icon('chevronRight', 'fold-mark'),
      ...(summary.hasErrors ? [icon('error', 'fold-error')] : []),
      label,
    );
    button.addEventListener('click', () => this.#context.channel.post({ type: 'toggleSteps', key }));
    this.#summary = button;
    this.#list.before(button);
    if (hadFocus) button.focus();
  }
}

/** A step as one line that expands to its arguments and its result. */
class StepLine {
  readonly name: string;
  readonly node = element('li', { class: 'step' });
  readonly #context: RowContext;
  readonly #button = element('button', { type: 'button', class: 'step-button', 'aria-expanded': 'false' });
  readonly #content = element('div', { class: 'fold-inside', hidden: '' });
  #step: PageStep | undefined;
  #failure: HTMLElement | undefined;
  /** Resolves when the content of the expanded step is shown. */
  #opening = Promise.resolve();

  constructor(name: string, context: RowContext) {
    this.name = name;
    this.#context = context;
    this.#button.addEventListener('click', () => this.#toggle());
    this.node.append(this.#button, this.#content);
  }

  show(step: PageStep): void {
    const before = this.#step;
    if (before && sameValue(before, step)) return;
    this.#step = step;
    this.node.dataset['kind'] = step.kind;
    this.node.dataset['state'] = step.state;
    this.#button.replaceChildren(...lineParts(step));
    setAttribute(this.#button, 'title', step.spoken);
    this.#button.setAttribute('aria-label', step.spoken);
    this.#failure?.remove();
    this.#failure = undefined;
    if (step.failure !== undefined) {
      this.#failure = element('bdi', { class: 'step-failure' }, this.#context.paths.draw(step.failure, false));
      this.#button.after(this.#failure);
    }
    this.#showFile(step);
    // Read the content of an expanded step again: its result may have arrived, or this line may be new and still empty.
    if (this.#context.folds.get(this.name)) this.#opening = this.#open(step);
  }

  /** Shows a link to the file that the step reads or writes, if it exists in the workspace. */
  #showFile(step: PageStep): void {
    this.node.querySelector(':scope > [data-path]')?.remove();
    if (!isOnePath(step)) return;
    const link = this.#context.paths.drawLink(step.object);
    link.append(icon('go-to-file'));
    this.#button.after(link);
  }

  #toggle(): void {
    const isOpen = this.#button.getAttribute('aria-expanded') === 'false';
    if (isOpen) {
      void this.expand();
      return;
    }
    this.#context.folds.set(this.name, false);
    this.#close();
  }

  /** Expands the step unless it is expanded. Resolves when its content is shown. */
  expand(): Promise<void> {
    if (this.#step && this.#button.getAttribute('aria-expanded') === 'false') {
      this.#context.folds.set(this.name, true);
      this.#opening = this.#open(this.#step);
    }
    return this.#opening;
  }

  #close(): void {
    this.#button.setAttribute('aria-expanded', 'false');
    this.node.classList.remove('has-whole-result');
    this.#content.hidden = true;
  }

  /** Shows the content of the step, unless the user closes it in the meantime. */
  async #open({ messageId, index }: PageStep): Promise<void> {
    this.#button.setAttribute('aria-expanded', 'true');
    const content = await this.#context.channel.ask('getStep', { messageId, index });
    if (this.#step?.messageId !== messageId || !this.#context.folds.get(this.name)) return;
    this.#content.replaceChildren(...this.#contentNodes(content));
    this.node.classList.toggle('has-whole-result', content !== undefined && content.cut === undefined);
    this.#content.hidden = false;
  }

  #contentNodes(content: PageStepContent | undefined): readonly HTMLElement[] {
    const { strings } = this.#context;
    if (!content) return [element('p', { class: 'note' }, strings.get('stepNotAvailable'))];
    const nodes = content.blocks.map((block, index) => renderBlock(block, `${this.name}.${index}`, this.#context));
    const { cut, hasOutput } = content;
    const cutId = cut?.messageId;
    const step = this.#step;
    const buttons = [
      ...(cutId === undefined ? [] : [this.#showAllButton('showAll', { key: cutId })]),
      ...(hasOutput && step ? [this.#showAllButton('openOutput', { key: step.messageId, index: step.index })] : []),
    ];
    if (buttons.length === 0) return nodes;
    const notes = cut ? [element('bdi', {}, cut.text), ' '] : [];
    return [...nodes, element('p', { class: 'row-cut' }, ...notes, ...buttons.flatMap((button) => [button, ' ']))];
  }

  #showAllButton(
    word: 'showAll' | 'openOutput',
    place: { readonly key: string; readonly index?: number },
  ): HTMLElement {
    const { strings, channel } = this.#context;
    const button = element('button', { type: 'button', class: 'link-button' }, strings.get(word));
    button.addEventListener('click', () => channel.post({ type: 'showAll', ...place }));
    return button;
  }
}

function stepName({ messageId, index }: StepId): string {
  return `step ${messageId}.${index}`;
}

/** The parts of a step's line: icon, label with the object, numbers of changed lines, outcome, and duration. */
function lineParts({ kind, state, label, object, changed, status, took }: PageStep): readonly (Element | string)[] {
  const [before = '', after = ''] = label.split('{0}');
  const text = element('span', { class: 'step-label', dir: 'auto' });
  if (before !== '') text.append(element('span', { class: 'step-words' }, before));
  if (object !== '') text.append(objectParts(kind, object));
  if (after !== '') text.append(element('span', { class: 'step-words' }, after));
  const picture = icon(state === 'failed' ? 'error' : kindIcons[kind], state === 'failed' ? 'fold-error' : '');
  const facts = [
    changed === undefined ? undefined : element('bdi', { class: 'step-changed' }, changed),
    status === undefined ? undefined : element('span', { class: 'step-status', dir: 'auto' }, status),
    took === undefined ? undefined : element('span', { class: 'step-took', dir: 'auto' }, took),
  ];
  // The spaces separate the words for screen readers.
  return [picture, text, ...facts.filter((fact) => fact !== undefined).flatMap((fact) => [' ', fact])];
}

/** Whether the object of a step is the path of a single file. */
function isOnePath({ kind, object }: Pick<PageStep, 'kind' | 'object'>): boolean {
  return (kind === 'write' || kind === 'read') && object !== '' && !object.includes(', ');
}

/** The object of a step. If there is little space, a path loses the start of its folder first, and its name last. */
function objectParts(kind: StepKind, object: string): HTMLElement {
  if (!isOnePath({ kind, object })) {
    return element('span', { class: 'step-object' }, element('bdi', {}, object));
  }
  const nameAt = Math.max(object.lastIndexOf('/', object.length - 2), object.lastIndexOf('\\', object.length - 2)) + 1;
  const name = element('bdi', { class: 'step-file', dir: 'ltr' }, object.slice(nameAt));
  if (nameAt === 0) return element('span', { class: 'step-object', dir: 'ltr' }, name);
  // Browsers cut text off at the end of the line. In a right-to-left line, that's the start of the path.
  const folder = element(
    'span',
    { class: 'step-folder', dir: 'rtl' },
    element('bdi', { dir: 'ltr' }, object.slice(0, nameAt)),
  );
  return element('span', { class: 'step-object', dir: 'ltr' }, folder, name);
}
