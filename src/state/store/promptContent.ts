import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import type { Message, Role } from '../../api/resources/message.ts';
import type { PausableWork } from '../../shared/slices.ts';
import { joined, readPromptText } from './promptText.ts';

/** Whether a message was sent through the API, as Lineside sends messages. */
export function isFromApi({ userMessageSource: source }: Message): boolean {
  return source === 'api' || source === 'sessions_api';
}

/** What a message of the user contains. */
interface PromptContent {
  /** The content, with only what the person wrote in its texts. The message's own array if no text differs. */
  readonly spoken: readonly ContentBlock[];
  /** What the agent's tooling added to its texts; empty if there is nothing. */
  readonly added: string;
}

/**
 * Separates the content of a message as {@link readPromptText} does, with a pause for `inSlices` after each block.
 * Everything is spoken if the message isn't from the user, or was sent through the API. A message whose role isn't
 * known counts as one of the user.
 */
export function* readPromptContent(message: Message, knownRole?: Role): PausableWork<PromptContent> {
  const { content, role = knownRole } = message;
  if (isFromApi(message) || (role !== 'user' && role !== undefined)) return { spoken: content, added: '' };
  const added: string[] = [];
  const spoken: ContentBlock[] = [];
  for (const block of content) {
    if (block.type === 'text') {
      const text = readPromptText(block.text);
      added.push(text.added);
      spoken.push(text.said === block.text ? block : { ...block, text: text.said });
    } else spoken.push(block);
    yield;
  }
  const isEverything = spoken.every((block, index) => block === content[index]);
  return { spoken: isEverything ? content : spoken, added: joined(added) };
}

/** What the header of a message says about its text. */
interface PromptMarks {
  readonly role: Role | undefined;
  readonly hasAddedText?: boolean;
  readonly expansion?: string | undefined;
}

/** Separates the content as its header says. Without `hasAddedText`, all of it is spoken. Has pauses for `inSlices`. */
export function* promptContentOf(message: Message, header: PromptMarks | undefined): PausableWork<PromptContent> {
  const { content } = message;
  if (header?.hasAddedText !== true) return { spoken: content, added: '' };
  if (header.expansion !== 'found') return yield* readPromptContent(message, header.role);
  return { spoken: [], added: joined(content.map((block) => (block.type === 'text' ? block.text : ''))) };
}
