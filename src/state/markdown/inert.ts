import { splitLines } from '../../shared/text/lines.ts';
import { Pace, type PausableWork } from '../../shared/slices.ts';
import { codeLanguages } from './codeLanguages.ts';
import { CodeBlocks, containers } from './codeBlocks.ts';
import { htmlElements } from './htmlElements.ts';
import { inertingLongCode, inertingLongLine, inertingLongOpening, isLongLine } from './longLine.ts';

/**
 * Rewrites the Markdown of a document so that nothing in it acts (R47, R48): no editor and no preview finds a link
 * other than to a web page or a mail address, and no preview loads anything or turns a code block into something other
 * than text. A backslash turns a target into text, so that it stays readable. Every document, export, and comparison
 * that contains text of a service as Markdown passes through this function, except for the documents of diagrams.
 * Applying it again changes nothing.
 *
 * VS Code finds links with patterns of its own, which ignore escapes and code spans. Therefore the characters that make
 * up a link are separated wherever they are adjacent, and nothing depends on what a parser would make of them. Only
 * fenced code blocks keep their text, except for `file://` and a few tags, because no parser finds other links there.
 * In lines of more than 64,000 characters, only addresses of web pages and mail addresses stay links. Has pauses for
 * `inSlices`.
 */
export function* inertingMarkdown(text: string): PausableWork<string> {
  const lines = yield* splitLines(text, withLineFeeds);
  const blocks = new CodeBlocks(lines, true);
  const pace = new Pace();
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines.get(index);
    if (pace.isOver(line.length)) yield;
    const kind = blocks.read(index);
    if (yield* isLongLine(line)) {
      lines.set(index, yield* longLineRules[kind](line));
      continue;
    }
    // First, because the address of a file can be a part of the address of a web page.
    const plain = withoutFileLinks(line);
    const inert = kind === 'code' ? plain : kind === 'opening' ? inertOpening(plain) : inertLine(plain);
    lines.set(index, withoutLinkTags(inert));
  }
  return yield* lines.joined();
}

/** Parsers also end a line at a carriage return. */
function withLineFeeds(piece: string): string {
  return piece.replace(/\r\n?/g, '\n');
}

const longLineRules = { opening: inertingLongOpening, code: inertingLongCode, text: inertingLongLine } as const;

/** The value of a field in the front matter of a document: JSON without anything that acts. */
export function inertJson(value: unknown): string {
  const acting =
    /(?<=\])[(:]|(?<=!)\[|<|(?<=file:)\/|(?<=href|src|placeholder)=|&(?=#|sol;|colon;)|(?<=ftp:|(?<![\p{L}\p{N}:/]))\/(?=\/)/giu;
  return JSON.stringify(value).replace(acting, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function inertLine(line: string): string {
  let inert = line;
  if (inert.includes('```') || inert.includes('~~~')) inert = inertOpening(inert);
  // Must follow the removal of braces from an opening line, because what is left can form an address.
  if (inert.includes('/')) inert = withoutOtherAddresses(inert);
  if (inert.includes('&')) inert = inert.replace(addressReference, '$&\\');
  if (inert.includes(':::')) inert = inert.replace(/^([\s>*+\-.)\d]*)(?=:::)/, '$1\\');
  if (inert.includes('![')) inert = inert.replaceAll('![', '!\\[');
  if (inert.includes('](')) inert = withoutInlineLinks(inert);
  if (inert.includes(']:')) inert = withoutDefinitions(inert);
  if (inert.includes('<')) inert = withoutTags(inert);
  if (inert.includes('="') || inert.includes("='")) inert = inert.replace(addressAttribute, '\\=');
  return inert;
}

/**
 * The first slash of an address that previews turn into a link although it doesn't lead to a web page. Two backslashes
 * are inserted after it, because one isn't enough: the preview of VS Code 1.110 turns `/\/` into a link, as it looks
 * for addresses after it has read the escapes. A byte order mark, which is white space in regular expressions, can be
 * the start of a host.
 */
const otherAddress = /(?:ftp\\?:\\?|(?<![\p{L}\p{N}:/]|file:\\))\/(?=\\?\/(?:[^\s/]|\ufeff))/giu;

/**
 * Like {@link otherAddress}, in a line with mail addresses: previews turn these into links, and look for the next
 * address directly after them.
 */
const addressBehindMail = /(?:ftp\\?:\\?|(?<![:/]|file:\\))\/(?=\\?\/(?:[^\s/]|\ufeff))/giu;

/** The `&` of a character reference that VS Code's preview would read as a part of an address. */
const addressReference = /&(?=(?:#(?:x0*(?:2f|3a|[46]6|[57][04])|0*(?:47|58|70|80|84|102|112|116))|sol|colon);)/gi;

function withoutOtherAddresses(line: string): string {
  const address = line.includes('@') ? addressBehindMail : otherAddress;
  for (let before = line; ;) {
    const inert = before.replace(address, '$&\\\\');
    // Once a slash has been separated, the next one can begin an address.
    if (inert === before) return inert;
    before = inert;
  }
}

/**
 * The `=` of an attribute whose value VS Code turns into a link. The tag can begin on another line, even in a code
 * block.
 */
const addressAttribute = /(?<=href|src|placeholder)=(?=["'])/gi;

/**
 * A link tag (`a` or `video`) that ends on the same line, and whose attributes have no value, a value in quotes, or,
 * unless they contain addresses, a value in braces. VS Code can turn such a tag into a link in any text, but then finds
 * the address only in quotes, right after the attribute's name.
 */
const plainLinkTag =
  /<(?:a|video)(?:\s+(?:[^\s"'<>={}]+(?:="[^"<>]*"|='[^'<>]*')?|(?!(?:href|src|placeholder)=)[\w:@.-]+=\{[^{}<>"'=]*\})(?=[\s/>]))*\s*\/?>/iy;

/**
 * Puts a backslash between the bracket and the name of a link tag that {@link plainLinkTag} doesn't match, even in code
 * blocks. For such a tag, VS Code searches the whole element for an address, and computes its position from the HTML
 * that it would write for the element, which has end tags and no comments. So the link of a tag in a code block can
 * appear outside the block.
 */
function withoutLinkTags(line: string): string {
  if (!line.includes('<')) return line;
  return line.replace(/<(?=(?:a|video)(?:\s|$))/gi, (sign, at: number) => {
    plainLinkTag.lastIndex = at;
    return plainLinkTag.test(line) ? sign : `${sign}\\`;
  });
}

/**
 * Separates `file:` from the slashes after it, because VS Code's editor turns such an address into a link in any text.
 */
function withoutFileLinks(line: string): string {
  return line.includes('//') ? line.replace(/file:(?=\/\/)/gi, '$&\\') : line;
}

/**
 * The target of a link to a web page or a mail address, up to its closing parenthesis. Contains only characters that
 * every parser reads in the same way.
 */
const plainTarget = /((?:https?:\/\/|mailto:)(?:[^\s()<>[\]\\"'`]|\([^\s()<>[\]\\"'`]{0,500}\)){1,2000})\)/iy;

/**
 * Separates the label of a link from its target, unless the label begins on the same line and the target is a mail
 * address, or a web page that isn't an image or a video. VS Code's editor also finds labels that span several lines:
 * one that begins in a code block would turn text of that block into a link.
 */
function withoutInlineLinks(line: string): string {
  let open = 0;
  return line.replace(/(?<!\\)\[|\]\(?/g, (sign, at: number) => {
    if (sign === '[') {
      open += 1;
      return sign;
    }
    const isOpen = open > 0;
    open = Math.max(0, open - 1);
    if (sign === ']') return sign;
    plainTarget.lastIndex = at + sign.length;
    const [, target] = plainTarget.exec(line) ?? [];
    return isOpen && target !== undefined && !isMedia(target) ? sign : ']\\(';
  });
}

/**
 * Whether VS Code may show the target as an image or a video when the pointer is over the link, which would load it.
 */
function isMedia(target: string): boolean {
  const [path = ''] = target.split(/[?#]/, 1);
  // VS Code ignores slashes at the end.
  const name = path.split('/').findLast((part) => part !== '') ?? '';
  // The name can be percent-encoded.
  return /\.(?:bmp|gif|ico|jpe?g|mp4|png|svg|tiff?|webp)$/i.test(name) || /%[2-7][\da-f]/i.test(name.slice(-15));
}

/**
 * Separates the label of a link definition from its target. A label begins at the start of a line, so a `]:` whose
 * bracket was opened within the line doesn't end one.
 */
function withoutDefinitions(line: string): string {
  const start = containers.exec(line)?.[0].length ?? 0;
  const opening = /(?<!\\)\[/.exec(line)?.index ?? line.length;
  return line.replace(/\](?=:)/g, (end, at: number) => (opening <= start || at < opening ? `${end}\\` : end));
}

/** A link in angle brackets to a web page or a mail address. */
const plainAutolink = /<((?:https?:\/\/[^\s<>\\"'`]{1,2000})|(?:mailto:)?[\w.+-]{1,64}@[\w.-]{1,255})>/iy;

/** In angle brackets, any word that is followed by a colon begins a link. */
const autolinkScheme = /<[\w+.-]+:/y;

/** The start of a tag up to the end of its name, which can have any length. */
const tag = /<\/?([a-z][\w:.-]*)/iy;

/**
 * Escapes HTML elements, tags with attributes, comments, and links in angle brackets. Links to web pages and mail
 * addresses stay, unless they lead to an image or a video. Other names in angle brackets, such as type arguments, stay,
 * too.
 */
function withoutTags(line: string): string {
  // Previews read a backslash after an address as a part of the address, which can contain a `<` in brackets or quotes.
  const apart = line.replace(/:\/\/(?:[^\s<]|\ufeff|<(?![\w/!?]))*/g, (address, at: number) => {
    return /^<[\w/!?]/.test(line.slice(at + address.length, at + address.length + 2)) ? `${address} ` : address;
  });
  return apart.replace(/<(?=[\w/!?])/g, (sign, at: number) => {
    if (!actsAsTag(apart, at)) return sign;
    let backslashes = 0;
    while (apart[at - 1 - backslashes] === '\\') backslashes++;
    return backslashes % 2 === 0 ? `\\${sign}` : sign;
  });
}

function actsAsTag(line: string, at: number): boolean {
  if (/[!?]/.test(line.charAt(at + 1))) return true;
  plainAutolink.lastIndex = at;
  const autolink = plainAutolink.exec(line);
  if (autolink) return isMedia(autolink[1] ?? '');
  autolinkScheme.lastIndex = at;
  if (autolinkScheme.test(line)) return true;
  tag.lastIndex = at;
  const [whole = '', name = ''] = tag.exec(line) ?? [];
  const canHaveAttributes = /^[\s/]?$/.test(line.charAt(at + whole.length));
  return name !== '' && (canHaveAttributes || htmlElements.has(name.toLowerCase()));
}

/**
 * The opening line of a code block, even in a list or quote. Its first word says what a preview may draw instead of the
 * text, such as a diagram. If {@link codeLanguages} doesn't contain that word, `text` is inserted before it. Braces are
 * removed. Other lines stay as they are.
 */
function inertOpening(line: string): string {
  const start = containers.exec(line)?.[0].length ?? 0;
  const fence = /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(line.slice(start));
  if (!fence) return line;
  const before = line.slice(0, start) + fence[0];
  const info = line.slice(before.length);
  if (info.trim() === '') return line;
  const word = /^[^\s{}]*/.exec(info.trimStart());
  const shown = withoutFileLinks(info.replace(/[{}]/g, ''));
  return word && codeLanguages.has(word[0].toLowerCase()) ? before + shown : `${before}text ${shown.trim()}`;
}
