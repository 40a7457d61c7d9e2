import { element } from './element.ts';

/** Up to this many characters, a detail is shown as a whole or not at all. */
const maxShortLength = 16;

/** The room for a detail next to a name. If only a few letters of the detail fit, it is hidden. */
export function detailRoom(detail: HTMLElement): HTMLElement {
  detail.classList.toggle('is-short', detail.textContent.length <= maxShortLength);
  return element('span', { class: 'detail-room' }, detail);
}
