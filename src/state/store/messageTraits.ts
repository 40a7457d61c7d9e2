import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import type { Message } from '../../api/resources/message.ts';

/** What kind of message it is, known without its body: lenses, groups and branches go by it. */
export interface MessageTraits {
  /** It holds something to read beside thinking and tools: text, a picture, a document, or what is not known. */
  readonly hasText: boolean;
  readonly hasThinking: boolean;
  /** Uses and results of tools. */
  readonly toolCount: number;
  /** Results that say they failed. */
  readonly errorCount: number;
  /** What the service says of it; absent where it says nothing. */
  readonly phase?: 'commentary' | 'final' | undefined;
  /** The service marks it as not shown to people. */
  readonly isModelOnly: boolean;
  /** The message it follows, where the service says so. */
  readonly parentId?: string | undefined;
}

/** Reads the traits of a message. */
export function traitsOf(message: Message): MessageTraits {
  const { content, parentId } = message;
  const phase = phaseOf(message);
  return {
    hasText: content.some(isReading),
    hasThinking: isThinking(message),
    toolCount: content.filter(({ type }) => type === 'tool_use' || type === 'tool_result').length,
    errorCount: content.filter((block) => block.type === 'tool_result' && block.isError).length,
    ...(phase === undefined ? {} : { phase }),
    isModelOnly: message.visibility === 'llm_only' || message.isUserVisible === false,
    ...(parentId === undefined ? {} : { parentId }),
  };
}

/** Only the traits of something that has more. */
export function pickTraits(of: MessageTraits): MessageTraits {
  const { hasText, hasThinking, toolCount, errorCount, phase, isModelOnly, parentId } = of;
  return {
    ...{ hasText, hasThinking, toolCount, errorCount, isModelOnly },
    ...(phase === undefined ? {} : { phase }),
    ...(parentId === undefined ? {} : { parentId }),
  };
}

/** Whether two messages have the same traits. */
export function sameTraits(a: MessageTraits, b: MessageTraits): boolean {
  return (
    a.hasText === b.hasText &&
    a.hasThinking === b.hasThinking &&
    a.toolCount === b.toolCount &&
    a.errorCount === b.errorCount &&
    a.phase === b.phase &&
    a.isModelOnly === b.isModelOnly &&
    a.parentId === b.parentId
  );
}

function phaseOf({ openaiPhase }: Message): MessageTraits['phase'] {
  if (openaiPhase === 'final_answer') return 'final';
  return openaiPhase === 'commentary' ? 'commentary' : undefined;
}

function isReading(block: ContentBlock): boolean {
  switch (block.type) {
    case 'text':
      return block.text.trim() !== '';
    case 'image':
    case 'document':
    case 'unknown':
      return true;
    case 'thinking':
    case 'redacted_thinking':
    case 'tool_use':
    case 'tool_result':
      return false;
  }
}

function isThinking({ content, openaiReasoningSummary, chatCompletionReasoningContent }: Message): boolean {
  const isBlock = content.some(({ type }) => type === 'thinking' || type === 'redacted_thinking');
  return isBlock || Boolean(openaiReasoningSummary) || Boolean(chatCompletionReasoningContent);
}
