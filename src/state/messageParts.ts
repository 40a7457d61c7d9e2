import type { ContentBlock } from '../api/contentBlock.ts';
import type { Message } from '../api/message.ts';

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
