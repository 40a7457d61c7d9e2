import type { PageBlock } from '../../shared/protocol/pageModel.ts';
import { element } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { icon } from '../icons/icon.ts';
import { drawCode } from './code.ts';
import type { RenderContext } from './renderContext.ts';
import { drawFold } from './fold.ts';
import { isAllowedLink } from './linkPolicy.ts';
import { drawMarkdown } from './markdown.ts';
import { pictureAddress } from './images.ts';

/** Draws one piece of a message. `place` names it within the conversation. */
export function renderBlock(block: PageBlock, place: string, tools: RenderContext): HTMLElement {
  switch (block.type) {
    case 'markdown':
      return drawMarkdown(block.text, tools);
    case 'code':
      return drawCode(block.text, block.language, tools);
    case 'image':
      return drawImage(block, tools);
    case 'file':
      return drawFile(block, tools);
    case 'note':
      return drawNote(block.text, block.href);
    case 'fold':
      return drawFold(block, place, tools, () =>
        block.blocks.map((inner, index) => renderBlock(inner, `${place}.${index}`, tools)),
      );
  }
}

type ImageBlock = Extract<PageBlock, { type: 'image' }>;
type FileBlock = Extract<PageBlock, { type: 'file' }>;

/** A picture; a click opens it, and so does its button. One that cannot be drawn says so. */
function drawImage({ base64, part }: ImageBlock, { words, files }: RenderContext): HTMLElement {
  const address = pictureAddress(base64);
  const notShown = () => drawNote(words.say('imageNotShown'), undefined);
  if (address === undefined) return notShown();
  const image = element('img', { src: address, alt: words.say('image') });
  const frame = element('div', { class: 'picture' }, image);
  image.addEventListener('error', () => frame.replaceChildren(notShown()), { once: true });
  if (!part) return frame;
  const open = () => files.openPicture(part);
  image.classList.add('is-openable');
  image.addEventListener('click', open);
  frame.append(iconButton('go-to-file', words.say('openPicture'), open));
  return frame;
}

function drawFile({ name, detail, part }: FileBlock, { words, files }: RenderContext): HTMLElement {
  const label = element('bdi', { class: 'file-name', title: name }, name);
  const made = element('div', { class: 'file' }, icon('file'), label);
  made.append(element('bdi', { class: 'file-detail', title: detail }, detail));
  if (part) made.append(iconButton('saveAs', words.say('saveFile', name), () => files.save(part)));
  return made;
}

function drawNote(text: string, href: string | undefined): HTMLElement {
  if (href === undefined || !isAllowedLink(href)) return element('p', { class: 'note', dir: 'auto' }, text);
  return element('p', { class: 'note', dir: 'auto' }, element('a', { href, title: href }, text));
}
