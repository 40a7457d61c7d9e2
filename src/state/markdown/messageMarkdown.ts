import type { Message } from '../../api/resources/message.ts';
import type { PageBlock, PageRow } from '../../shared/protocol/rowTypes.ts';
import { externalAddress } from '../../shared/text/externalAddress.ts';
import { base64SizeBytes, plainLine, type Translate } from '../../shared/text.ts';
import { describeMessage } from '../presentation/message.ts';
import type { ToolResult } from '../conversation/toolPairs.ts';
import { describeResult } from '../presentation/blocks.ts';
import { embeddedMarkdown, escapedLine, fencedText, plainLines, standaloneMarkdown } from './embed.ts';
import { plainTextOf } from './plainText.ts';

/** The Markdown of a message, for copying: its text verbatim or, if it has none, its other content as in a document. */
export function messageMarkdown(message: Message, t: Translate): string {
  return saidIn(message) ?? otherContent(message, t);
}

/**
 * {@link messageMarkdown} for a document. Differs from it only in what a preview could load: images and HTML are
 * escaped.
 */
export function messageDocument(message: Message, t: Translate): string {
  const said = saidIn(message);
  return said === undefined ? otherContent(message, t) : standaloneMarkdown(said);
}

/** The text of a message; undefined if it has none. */
function saidIn({ content }: Message): string | undefined {
  const said = content.flatMap((block) => (block.type === 'text' ? [block.text.trim()] : []));
  const texts = said.filter((text) => text !== '');
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

function otherContent(message: Message, t: Translate): string {
  return blockTexts(describeMessage(message, message.role, message.id, t).blocks, t).join('\n\n');
}

/** The whole output of a tool as plain text. Content other than text is named in a line. */
export function outputText(result: ToolResult, t: Translate): string {
  const blocks = describeResult(result, '', [], t);
  const texts = blocks.flatMap((block) => (block.type === 'code' ? plainLines(block.text) : blockText(block, t)));
  return texts.join('\n');
}

/** Like {@link messageMarkdown}, but as plain text, and with pauses for `inSlices`. */
export function messagePlainText(message: Message, t: Translate): Generator<undefined, string> {
  return plainTextOf(messageMarkdown(message, t));
}

/** Formats text as a Markdown quote, followed by an empty line for the reply. */
export function quoteMarkdown(text: string): string {
  const lines = plainLines(text).trim().split('\n');
  return `${lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n')}\n\n`;
}

/** The text below a message's heading in a document; empty if the message has no content. */
export function messageText(row: PageRow, t: Translate): string {
  const marks = [...(row.isError ? [t('Error')] : []), ...row.badges.map(({ label }) => label)];
  const line = marks.length === 0 ? [] : [`*${escapedLine(plainLine(marks.join(' · ')))}*`];
  return [...line, ...blockTexts(row.blocks, t)].join('\n\n');
}

function blockTexts(blocks: readonly PageBlock[], t: Translate): string[] {
  return blocks.flatMap((block) => blockText(block, t)).filter((text) => text !== '');
}

function blockText(block: PageBlock, t: Translate): string | string[] {
  switch (block.type) {
    case 'markdown':
      return embeddedMarkdown(block.text);
    case 'code':
      return fencedText(block.text, block.language);
    case 'image':
      return aside(t('Image: {0}, {1}', plainLine(block.mediaType, 60), t.formats.size(base64SizeBytes(block.base64))));
    case 'file':
      return aside(t('File: {0}', [block.name, block.detail].filter((text) => text !== '').join(', ')));
    case 'note':
      return note(block.text, block.href);
    case 'fold':
      return [foldTitle(block), ...block.blocks.flatMap((inner) => foldedText(inner, t))];
  }
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
function foldedText(block: PageBlock, t: Translate): string | string[] {
  return block.type === 'markdown' ? fencedText(block.text) : blockText(block, t);
}

/** A note in parentheses, with an address after it exactly as it would be opened. */
function note(text: string, href: string | undefined): string {
  if (href === undefined) return aside(text);
  const address = externalAddress(href);
  if (address === undefined) return aside(`${text}: ${plainLine(href, 2_000)}`);
  return `*(${escapedLine(plainLine(text))}: <${address}>)*`;
}

function aside(text: string): string {
  return `*(${escapedLine(plainLine(text, 2_200))})*`;
}
