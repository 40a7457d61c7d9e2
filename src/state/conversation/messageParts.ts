import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import type { Message } from '../../api/resources/message.ts';

/** A block of a message, as the page names it to the host: the message, and the block's place there. */
export interface MessagePart {
  readonly messageId: string;
  /** Written by {@link partText}. */
  readonly path: string;
}

/** The place of a block within its message: its index in the content, then those inside of tool results. */
export type PartPath = readonly number[];

/** `2.0` for the first block inside the third one. */
export function partText(path: PartPath): string {
  return path.join('.');
}

/** The block a path written by {@link partText} leads to; undefined where there is none. */
export function partOf(message: Message, pathText: string): ContentBlock | undefined {
  const [first, ...inner] = pathText.split('.').map(Number);
  let block = first === undefined ? undefined : message.content[first];
  for (const index of inner) block = block?.type === 'tool_result' ? block.content[index] : undefined;
  return block;
}
