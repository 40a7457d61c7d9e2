import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import type { Message } from '../../api/resources/message.ts';

/** A reference from the page to a block of a message. */
export interface MessagePart {
  readonly messageId: string;
  /** A path formatted by {@link partText}. */
  readonly path: string;
}

/** The position of a block: its index in the message's content, then the indexes within tool results. */
export type PartPath = readonly number[];

/** Formats a path: `2.0` is the first block inside the third one. */
export function partText(path: PartPath): string {
  return path.join('.');
}

/** The block at a path formatted by {@link partText}; undefined if there is none. */
export function partOf(message: Message, pathText: string): ContentBlock | undefined {
  const [first, ...inner] = pathText.split('.').map(Number);
  let block = first === undefined ? undefined : message.content[first];
  for (const index of inner) block = block?.type === 'tool_result' ? block.content[index] : undefined;
  return block;
}
