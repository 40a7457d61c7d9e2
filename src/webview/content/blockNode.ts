import type { PageBlock } from '../../pageContent.ts';
import { element } from '../element.ts';
import { icon } from '../icons/icon.ts';
import { drawCode } from './codeBlock.ts';
import type { DrawTools } from './drawTools.ts';
import { drawFold } from './fold.ts';
import { isAllowedLink } from './linkPolicy.ts';
import { drawMarkdown } from './markdown.ts';
import { pictureAddress } from './pictureBytes.ts';

/** Draws one piece of a message. `place` names it within the conversation. */
export function blockNode(block: PageBlock, place: string, tools: DrawTools): HTMLElement {
  switch (block.type) {
    case 'markdown':
      return drawMarkdown(block.text, tools);
    case 'code':
      return drawCode(block.text, block.language, tools);
    case 'image':
      return drawImage(block.base64, tools);
    case 'file':
      return drawFile(block.name, block.detail);
    case 'note':
      return drawNote(block.text, block.href);
    case 'fold':
      return drawFold(block, place, tools, () =>
        block.blocks.map((inner, index) => blockNode(inner, `${place}.${index}`, tools)),
      );
  }
}

function drawImage(base64: string, tools: DrawTools): HTMLElement {
  const address = pictureAddress(base64);
  if (address === undefined) return drawNote(tools.words.say('imageNotShown'), undefined);
  return element('div', { class: 'picture' }, element('img', { src: address, alt: tools.words.say('image') }));
}

function drawFile(name: string, detail: string): HTMLElement {
  const label = element('bdi', { class: 'file-name', title: name }, name);
  return element('div', { class: 'file' }, icon('file'), label, element('bdi', { class: 'file-detail' }, detail));
}

function drawNote(text: string, href: string | undefined): HTMLElement {
  if (href === undefined || !isAllowedLink(href)) return element('p', { class: 'note', dir: 'auto' }, text);
  return element('p', { class: 'note', dir: 'auto' }, element('a', { href, title: href }, text));
}
