import type { Token } from 'markdown-it';
import { withBidiControls } from '../dom/bidiControls.ts';
import { appendAll, element } from '../dom/element.ts';
import { drawCode } from './code.ts';
import type { RenderContext } from './renderContext.ts';
import { footnote, footnoteReference } from './footnoteLinks.ts';
import { drawFormula } from './formula.ts';
import { externalAddress } from '../../shared/text/externalAddress.ts';
import { fileTarget } from '../../shared/text/filePaths.ts';
import { base64Of, imageUrl } from './images.ts';

/** Headings in a message are below the page title (level 1) and the row heading (level 2). */
const headingOffset = 2;

/**
 * Builds the nodes of parsed Markdown from a closed list of elements and attributes. Text never becomes markup:
 * anything that isn't in the list is drawn as text.
 */
export function tokenNodes(tokens: readonly Token[], context: RenderContext): DocumentFragment {
  const root = document.createDocumentFragment();
  const open: (DocumentFragment | HTMLElement)[] = [];
  for (const token of tokens) {
    const parent = open.at(-1) ?? root;
    if (token.nesting === 1) open.push(opened(token, parent, context));
    else if (token.nesting === -1) open.pop();
    else if (token.type === 'inline') parent.append(inline(token, parent, context));
    else
      parent.append(
        ...leaf(
          token,
          open.some((node) => node instanceof HTMLElement && node.matches('a, .path-text')),
          context,
        ),
      );
  }
  return root;
}

/**
 * Adds the element that a token opens and returns the parent of its content. Paragraphs of tight lists have no element.
 */
function opened(
  token: Token,
  parent: DocumentFragment | HTMLElement,
  context: RenderContext,
): DocumentFragment | HTMLElement {
  const made = token.hidden ? undefined : container(token, context);
  if (!made) return parent;
  if (token.type === 'table_open') parent.append(element('div', { class: 'table-frame', tabindex: 0 }, made));
  else parent.append(made);
  return made;
}

function container(token: Token, context: RenderContext): HTMLElement | undefined {
  switch (token.type) {
    case 'paragraph_open':
      return element('p', { dir: 'auto' });
    case 'heading_open':
      return heading(token);
    case 'bullet_list_open':
      return element('ul');
    case 'ordered_list_open':
      return element('ol', { start: token.attrGet('start') ?? undefined });
    case 'list_item_open':
      return element('li', { dir: 'auto' });
    case 'blockquote_open':
      return element('blockquote', { dir: 'auto' });
    case 'link_open':
      return link(attribute(token, 'href'), context);
    case 'em_open':
    case 'i_open':
      return element('em');
    case 'strong_open':
    case 'b_open':
      return element('strong');
    case 's_open':
    case 'del_open':
      return element('s');
    case 'footnote_open':
      return footnote(token);
    default:
      return tablePart(token) ?? htmlElement(token);
  }
}

/** An element that was written as HTML without attributes. */
function htmlElement(token: Token): HTMLElement | undefined {
  switch (token.type) {
    case 'kbd_open':
      return element('kbd');
    case 'u_open':
    case 'ins_open':
      return element('u');
    case 'sub_open':
      return element('sub');
    case 'sup_open':
      return element('sup');
    case 'details_open':
      return element('details');
    case 'summary_open':
      return element('summary', { dir: 'auto' });
    default:
      return undefined;
  }
}

function tablePart(token: Token): HTMLElement | undefined {
  switch (token.type) {
    case 'table_open':
      return element('table');
    case 'thead_open':
      return element('thead');
    case 'tbody_open':
      return element('tbody');
    case 'tr_open':
      return element('tr');
    case 'th_open':
      return element('th', { dir: 'auto', class: alignment(token) });
    case 'td_open':
      return element('td', { dir: 'auto', class: alignment(token) });
    default:
      return undefined;
  }
}

/** The nodes of a token that neither opens nor closes an element. Paths inside a link stay part of the link's text. */
function leaf(token: Token, isInLink: boolean, context: RenderContext): (Node | string)[] {
  const text = (isCode: boolean) =>
    isInLink ? withBidiControls(token.content) : context.paths.draw(token.content, isCode);
  switch (token.type) {
    case 'text':
      return [text(false)];
    case 'softbreak':
      return ['\n'];
    case 'hardbreak':
      return [element('br'), '\n'];
    case 'hr':
      return [element('hr')];
    case 'code_inline':
      return [element('code', { dir: 'ltr' }, text(true))];
    case 'fence':
      return [drawCode(token.content, languageOf(token.info), context)];
    case 'code_block':
      return [drawCode(token.content, undefined, context)];
    case 'formula':
      return [drawFormula(token.content, token.info, token.markup === '$$', context)];
    case 'image':
      return [image(token, context)];
    case 'comment':
      return [element(token.markup === 'block' ? 'div' : 'span', { class: 'comment', dir: 'auto' }, token.content)];
    case 'footnote_reference':
      return [footnoteReference(token)];
    default:
      return token.content === '' ? [] : [withBidiControls(token.content)];
  }
}

/** The language that the info string of a code fence names; undefined if it names none. */
export function languageOf(info: string): string | undefined {
  const [name] = info.trim().split(/\s/);
  return name === '' ? undefined : name;
}

/** The text of a paragraph, heading, or cell. At the start of a list item, `[ ]` and `[x]` become a checkbox. */
function inline(token: Token, parent: DocumentFragment | HTMLElement, context: RenderContext): Node {
  const content = tokenNodes(token.children ?? [], context);
  const item = parent instanceof HTMLParagraphElement ? parent.parentElement : parent;
  const first = content.firstChild;
  if (!(item instanceof HTMLLIElement && first instanceof Text)) return content;
  const mark = /^\[([ xX])\]\s/.exec(first.data)?.[1];
  const isFirst = parent.firstChild === null && (parent === item || item.firstChild === parent);
  if (mark === undefined || !isFirst) return content;
  first.deleteData(0, 4);
  item.classList.add('task');
  const box = element('input', { type: 'checkbox', disabled: true, checked: mark !== ' ' });
  return element('label', {}, box, ' ', content);
}

/**
 * Creates a link whose tooltip shows the address that it opens, a link to a file of the workspace, or a `span` if the
 * URL isn't allowed.
 */
function link(url: string, { paths }: RenderContext): HTMLElement {
  const href = externalAddress(url);
  if (href !== undefined) return element('a', { href, title: href });
  const target = fileTarget(url);
  return target === undefined ? element('span') : paths.drawLink(target);
}

/** Draws an embedded image. Other images are never loaded: they become a link to the address or the file, or a note. */
function image(token: Token, context: RenderContext): Node {
  const url = attribute(token, 'src');
  const description = plainText(token.children ?? []);
  const base64 = base64Of(url);
  const drawn = base64 === undefined ? undefined : imageUrl(base64);
  if (drawn !== undefined) return element('img', { src: drawn, alt: description || context.strings.get('image') });
  const address = externalAddress(url);
  const file = fileTarget(url);
  if (address === undefined && file !== undefined) {
    const drawn = context.paths.drawLink(file);
    appendAll(drawn, [description || file]);
    return drawn;
  }
  if (address === undefined)
    return element('span', { class: 'note' }, description || context.strings.get('imageNotShown'));
  const made = link(address, context);
  made.classList.add('remote-image');
  appendAll(made, [description === '' ? '' : `${description} — `, context.strings.get('remoteImage', address)]);
  return made;
}

function plainText(tokens: readonly Token[]): string {
  return tokens.map((token) => (token.children ? plainText(token.children) : token.content)).join('');
}

function heading(token: Token): HTMLElement {
  const level = Number(token.tag.slice(1));
  const attributes = { dir: 'auto', class: `heading-${level}` };
  switch (Math.min(6, level + headingOffset)) {
    case 3:
      return element('h3', attributes);
    case 4:
      return element('h4', attributes);
    case 5:
      return element('h5', attributes);
    default:
      return element('h6', attributes);
  }
}

/**
 * The class for an alignment. `markdown/tables.ts` sets a style attribute, which the content security policy would
 * block.
 */
function alignment(token: Token): string | undefined {
  const side = /^text-align:(left|center|right)$/.exec(attribute(token, 'style'))?.[1];
  return side === undefined ? undefined : `align-${side}`;
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '');
}
