import type { PageAttachment } from '../../shared/protocol/pageModel.ts';
import { type Child, element } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/svgs.ts';
import type { Words } from '../strings.ts';

const kindIcons: Readonly<Record<PageAttachment['kind'], IconName>> = {
  file: 'file',
  selection: 'selection',
  image: 'fileMedia',
};
/** Names up to here are never cut; of longer ones this much of the end stays: extension and lines. */
const wholeNameLength = 24;
const keptEndLength = 14;

/** What can be done with one attachment. */
export interface ChipHooks {
  readonly preview: (attachmentId: string) => void;
  readonly remove: (attachmentId: string) => void;
}

/** One attachment: pressed, it shows what will be sent. `thumbnail` stands in for its icon. */
export function attachmentChip(
  { attachmentId, name, detail, kind }: PageAttachment,
  thumbnail: Element | undefined,
  words: Words,
  { preview, remove }: ChipHooks,
): HTMLElement {
  const open = element(
    'button',
    {
      type: 'button',
      class: 'chip-open',
      title: `${words.say('preview', name)}\n${detail}`,
      'aria-label': `${name} ${detail}`,
      'aria-keyshortcuts': 'Delete',
    },
    thumbnail ?? icon(kindIcons[kind]),
    element('bdi', { class: 'chip-name' }, ...shortenable(name)),
    ' ',
    element('bdi', { class: 'chip-detail' }, detail),
  );
  open.addEventListener('click', () => preview(attachmentId));
  const close = iconButton('close', words.say('removeAttachment', name), () => remove(attachmentId));
  // By keyboard it is Delete on the attachment itself.
  close.tabIndex = -1;
  return element('li', { class: 'chip' }, open, close);
}

/** A long name in two parts, of which the style cuts the first one. */
function shortenable(name: string): Child[] {
  const characters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  if (characters.length <= wholeNameLength) return [name];
  return [
    element('span', { class: 'chip-start' }, characters.slice(0, -keptEndLength).join('')),
    element('span', { class: 'chip-end' }, characters.slice(-keptEndLength).join('')),
  ];
}
