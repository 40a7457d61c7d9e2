import type { PageFact } from '../../shared/protocol/pageModel.ts';
import { element } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import type { Words } from '../strings.ts';

/** The details of a message: what the service says of it beside its content, as a list of terms. */
export function detailsView(facts: readonly PageFact[], words: Words, copy: (text: string) => void): HTMLElement {
  const list = element('dl', { class: 'details', 'aria-label': words.say('details') });
  for (const fact of facts) {
    const value = fact.timeMs === undefined ? fact.value : words.full(fact.timeMs);
    const shown = element('dd', {}, element('bdi', { class: fact.isId ? 'detail-id' : undefined }, value));
    if (fact.isId) shown.append(iconButton('copy', words.say('copyFact', fact.label), () => copy(fact.value)));
    list.append(element('dt', {}, fact.label), shown);
  }
  return list;
}
