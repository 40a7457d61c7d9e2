import type { PageBlock } from '../../shared/protocol/rowTypes.ts';
import { detailRoom } from '../dom/detailRoom.ts';
import { element } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { icon } from '../icons/icon.ts';
import { drawAsked } from './drawAsked.ts';
import { drawChecklist } from '../dom/checklist.ts';
import { drawCode } from './code.ts';
import { drawFold } from './fold.ts';
import { imageUrl } from './images.ts';
import { externalAddress } from '../../shared/text/externalAddress.ts';
import { drawMarkdown } from './markdown.ts';
import type { RenderContext } from './renderContext.ts';

/**
 * Draws one block of a message. `name` identifies the block within the conversation; `isPrompt` says whether a person
 * wrote the message.
 */
export function renderBlock(block: PageBlock, name: string, context: RenderContext, isPrompt = false): HTMLElement {
  switch (block.type) {
    case 'markdown':
      return drawMarkdown(block.text, isPrompt, context);
    case 'code':
      // Text without a language is output, whose lines can be very long.
      return drawCode(block.text, block.language, context, block.language === undefined);
    case 'image':
      return drawImage(block, context);
    case 'file':
      return drawFile(block, context);
    case 'note':
      return drawNote(block.text, block.href);
    case 'asked':
      return drawAsked(block, name, context);
    case 'checklist':
      return drawChecklist(block.items, context.paths);
    case 'fold':
      return drawFold(block, name, context, () =>
        block.blocks.map((inner, index) => renderBlock(inner, `${name}.${index}`, context, isPrompt)),
      );
  }
}

type ImageBlock = Extract<PageBlock, { type: 'image' }>;
type FileBlock = Extract<PageBlock, { type: 'file' }>;

/**
 * An image that, if it has a `part`, opens when it or its button is clicked. If it can't be drawn, a note is shown
 * instead.
 */
function drawImage({ base64, part }: ImageBlock, { strings, channel }: RenderContext): HTMLElement {
  const src = imageUrl(base64);
  const notShown = () => drawNote(strings.get('imageNotShown'), undefined);
  if (src === undefined) return notShown();
  const image = element('img', { src, alt: strings.get('image') });
  const frame = element('div', { class: 'picture' }, image);
  image.addEventListener('error', () => frame.replaceChildren(notShown()));
  if (!part) return frame;
  const open = () => channel.post({ type: 'openPicture', ...part });
  image.classList.add('is-openable');
  image.addEventListener('click', open);
  frame.append(iconButton('go-to-file', strings.get('openPicture'), open));
  return frame;
}

function drawFile({ name, detail, part }: FileBlock, { strings, channel }: RenderContext): HTMLElement {
  const label = element('bdi', { class: 'file-name', title: `${name}\n${detail}` }, name);
  const node = element('div', { class: 'file' }, icon('file'), label);
  const shownDetail = element('bdi', { class: 'file-detail', title: detail }, detail);
  node.append(detailRoom(shownDetail));
  if (part) {
    node.append(iconButton('saveAs', strings.get('saveFile', name), () => channel.post({ type: 'saveFile', ...part })));
  }
  return node;
}

function drawNote(text: string, url: string | undefined): HTMLElement {
  const href = url === undefined ? undefined : externalAddress(url);
  if (href === undefined) return element('p', { class: 'note', dir: 'auto' }, text);
  return element('p', { class: 'note', dir: 'auto' }, element('a', { href, title: href }, text));
}
