import type { Message, Role } from '../../api/resources/message.ts';
import type { PageAsked, PageAskedOption, PageBlock, PageRow } from '../../shared/protocol/rowTypes.ts';
import { piecesOf, splitLines } from '../../shared/text/lines.ts';
import type { PausableWork } from '../../shared/slices.ts';
import { externalAddress } from '../../shared/text/externalAddress.ts';
import { base64SizeBytes, plainLine, type Translate } from '../../shared/text.ts';
import { describeMessage } from '../presentation/describeMessage.ts';
import type { ToolResult } from '../conversation/toolPairs.ts';
import { describeResult } from '../presentation/blocks.ts';
import { embeddedMarkdown, escapedLine, fencedText, plainLines, standaloneMarkdown } from '../markdown/embed.ts';
import { markdownOf } from '../markdown/jsonText.ts';
import { plainTextOf } from '../markdown/plainText.ts';

/**
 * The Markdown of a message, for copying: its text verbatim or, if it has none, its other content as in a document. Has
 * pauses for `inSlices`, like all exported functions of this file.
 */
export function* messageMarkdown(message: Message, t: Translate): PausableWork<string> {
  return saidIn(message, (text) => text) ?? (yield* otherContent(message, t));
}

/**
 * Like {@link messageMarkdown}, but for a document: JSON becomes a code block, and what a preview could misread is
 * escaped (see {@link standaloneMarkdown}).
 */
export function* messageDocument(message: Message, t: Translate): PausableWork<string> {
  const said = saidIn(message, markdownOf);
  return yield* said === undefined ? otherContent(message, t) : standaloneMarkdown(said);
}

/** The text of a message, with each part changed by `form`; undefined if it has none. */
function saidIn({ content }: Message, form: (text: string) => string): string | undefined {
  const said = content.flatMap((block) => (block.type === 'text' ? [block.text.trim()] : []));
  const texts = said.filter((text) => text !== '');
  return texts.length === 0 ? undefined : texts.map((text) => form(text)).join('\n\n');
}

function* otherContent(message: Message, t: Translate): PausableWork<string> {
  const texts = yield* blockTexts((yield* describeMessage(message, undefined, message.id, t)).blocks, t);
  return texts.join('\n\n');
}

/** The whole output of a tool as plain text. Content other than text is named in a line. */
export function* outputText(result: ToolResult, t: Translate): PausableWork<string> {
  const texts: string[] = [];
  for (const block of yield* describeResult(result, '', [], t)) {
    if (block.type === 'code') texts.push(yield* (yield* splitLines(block.text, plainLines)).joined());
    else for (const text of yield* blockText(block, t)) texts.push(text);
  }
  return texts.join('\n');
}

/** Like {@link messageMarkdown}, but as plain text. `role` is the role of the message; `message` itself can lack it. */
export function* messagePlainText(message: Message, role: Role | undefined, t: Translate): PausableWork<string> {
  return yield* plainTextOf(saidIn(message, markdownOf) ?? (yield* otherContent(message, t)), role === 'user');
}

/** Formats text as a Markdown quote, followed by an empty line for the reply. */
export function* quoteMarkdown(text: string): PausableWork<string> {
  // Doesn't build a list of the lines, because that would block everything else for too long.
  let quoted = '>';
  let isLineStart = true;
  for (const piece of piecesOf(text.trim())) {
    const plain = plainLines(piece);
    if (isLineStart && !plain.startsWith('\n')) quoted += ' ';
    quoted += plain.replace(/\n(?=[^\n])/g, '\n> ').replace(/\n(?=\n|$)/g, '\n>');
    isLineStart = plain.endsWith('\n');
    yield;
  }
  return `${quoted}\n\n`;
}

/** The text below a message's heading in a document: its labels, such as "Error", and its content. May be empty. */
export function* messageText(row: PageRow, t: Translate): PausableWork<string> {
  const marks = [...(row.isError ? [t('Error')] : []), ...row.badges.map(({ label }) => label)];
  const line = marks.length === 0 ? [] : [`*${escapedLine(plainLine(marks.join(' · ')))}*`];
  return [...line, ...(yield* blockTexts(row.blocks, t))].join('\n\n');
}

function* blockTexts(blocks: readonly PageBlock[], t: Translate): PausableWork<readonly string[]> {
  const texts: string[] = [];
  for (const block of blocks) {
    for (const text of yield* blockText(block, t)) if (text !== '') texts.push(text);
    yield;
  }
  return texts;
}

function* blockText(block: PageBlock, t: Translate): PausableWork<readonly string[]> {
  switch (block.type) {
    case 'markdown':
      return [yield* embeddedMarkdown(block.text)];
    case 'code':
      return [yield* fencedText(block.text, block.language)];
    case 'image': {
      const size = t.formats.size(base64SizeBytes(block.base64));
      return [aside(t('Image: {0}, {1}', plainLine(block.mediaType, 60), size))];
    }
    case 'file':
      return [aside(t('File: {0}', [block.name, block.detail].filter((text) => text !== '').join(', ')))];
    case 'note':
      return [note(block.text, block.href)];
    case 'checklist': {
      const lines = block.items.map(
        ({ text, state }) => `- [${state === 'done' ? 'x' : ' '}] ${escapedLine(plainLine(text, 400))}`,
      );
      return [lines.join('\n')];
    }
    case 'asked':
      return yield* askedText(block);
    case 'fold': {
      const texts = [foldTitle(block)];
      for (const inner of block.blocks) for (const text of yield* foldedText(inner, t)) texts.push(text);
      return texts;
    }
  }
}

function* askedText({ label, questions, note: furtherNote }: PageAsked): PausableWork<readonly string[]> {
  const texts = [`**${escapedLine(label)}**`];
  for (const { header, text, options, note: optionsNote } of questions) {
    if (header !== '') texts.push(`**${escapedLine(header)}**`);
    texts.push(yield* embeddedMarkdown(text), options.map(optionLine).join('\n'));
    if (optionsNote !== undefined) texts.push(aside(optionsNote));
  }
  if (furtherNote !== undefined) texts.push(aside(furtherNote));
  return texts;
}

function optionLine({ label, detail }: PageAskedOption): string {
  // At the start of an item, these signs would begin a heading or another list.
  const line = escapedLine(plainLine(label, 1_100)).replace(/^(?=[#+-])|^\d{1,9}(?=[.)])/, '$&\\');
  return `- ${line}${detail === '' ? '' : `: ${escapedLine(detail)}`}`;
}

function foldTitle({ kind, title, detail = '' }: Extract<PageBlock, { type: 'fold' }>): string {
  // The detail of thinking repeats its first sentence, which follows.
  if (kind === 'thinking') return `**${escapedLine(plainLine(title))}**`;
  return `**${escapedLine(plainLine(title))}**${detail === '' ? '' : ` ${escapedLine(plainLine(detail))}`}`;
}

/**
 * Formats a block inside a collapsible block. Thinking, tool input, and tool output are shown verbatim instead of as
 * Markdown, so that they are distinguishable from the answer.
 */
function* foldedText(block: PageBlock, t: Translate): PausableWork<readonly string[]> {
  return block.type === 'markdown' ? [yield* fencedText(block.text)] : yield* blockText(block, t);
}

/**
 * A note in parentheses: its text and, if it has an address, the address exactly as it would be opened. An address that
 * can't be opened is plain text.
 */
function note(text: string, href: string | undefined): string {
  if (href === undefined) return aside(text);
  const address = externalAddress(href);
  if (address === undefined) return aside(`${text}: ${plainLine(href, 2_000)}`);
  return `*(${escapedLine(plainLine(text))}: <${address}>)*`;
}

function aside(text: string): string {
  return `*(${escapedLine(plainLine(text, 2_200))})*`;
}
