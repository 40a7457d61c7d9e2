import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import type { Message } from '../../api/resources/message.ts';
import type { PageFact } from '../../shared/protocol/rowTypes.ts';
import { describeSource, roleLabel } from './describeMessage.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import { type Translate, plainLine } from '../../shared/text.ts';

/**
 * All metadata of a message (spec 2.4) in readable form. Only the size is shown for encrypted content, signatures, and
 * reasoning.
 */
export function messageDetails(message: Message, header: MessageHeader | undefined, t: Translate): PageFact[] {
  const id = (label: string, value: string | undefined) => fact(label, value, { isId: true });
  const { createdAt, updatedAt, unreadable } = message;
  return [
    ...id(t('Message ID'), message.id),
    ...id(t('Parent message ID'), message.parentId),
    ...fact(t('Role'), roleLabel(message.role ?? header?.role, t)),
    { label: t('Created'), value: '', timeMs: createdAt },
    { label: t('Last modified'), value: '', timeMs: updatedAt },
    ...fact(t('Source'), message.userMessageSource === undefined ? undefined : sourceOf(message.userMessageSource, t)),
    ...fact(t('Visibility'), visibilityOf(message, t)),
    ...fact(t('Error'), message.isError === undefined ? undefined : yesOrNo(message.isError, t)),
    ...fact(t('Unreadable'), unreadable === undefined ? undefined : plainLine(unreadable)),
    ...providerFacts(message, t),
    ...contentFacts(message.content, t),
  ];
}

/** Metadata added by model providers. */
function providerFacts(message: Message, t: Translate): PageFact[] {
  const id = (label: string, value: string | undefined) => fact(label, value, { isId: true });
  const { openaiEncryptedContent, geminiThoughtSignature, chatCompletionReasoningField: field } = message;
  return [
    ...fact(t('Phase'), phaseOf(message, t)),
    ...id(t('OpenAI message ID'), message.openaiMessageId),
    ...id(t('Reasoning ID'), message.openaiReasoningId),
    ...fact(t('Reasoning summary'), sizeOf(message.openaiReasoningSummary, t)),
    ...fact(t('Encrypted content'), sizeOf(openaiEncryptedContent, t)),
    ...fact(t('Thought signature'), sizeOf(geminiThoughtSignature, t)),
    ...fact(t('Reasoning field'), field === 'unknown' ? t('Unknown') : field),
    ...fact(t('Reasoning'), sizeOf(message.chatCompletionReasoningContent, t)),
  ];
}

function contentFacts(content: readonly ContentBlock[], t: Translate): PageFact[] {
  return content.flatMap((block, index) => {
    const label = t('Block {0}', index + 1);
    switch (block.type) {
      case 'text':
        return fact(t('{0}: text ID', label), block.id, { isId: true });
      case 'thinking':
        return fact(t('{0}: signature', label), signatureOf(block, t));
      case 'tool_use':
        return fact(t('{0}: tool call ID', label), block.toolUseId, { isId: true });
      case 'tool_result':
        return fact(t('{0}: result for tool call ID', label), block.toolUseId, { isId: true });
      case 'image':
      case 'document':
      case 'redacted_thinking':
      case 'unknown':
        return [];
    }
  });
}

function signatureOf(
  { signature, signatureProvider }: Extract<ContentBlock, { type: 'thinking' }>,
  t: Translate,
): string | undefined {
  const size = sizeOf(signature, t);
  if (size === undefined || signatureProvider === undefined) return size;
  return `${plainLine(signatureProvider, 60)}, ${size}`;
}

function sourceOf(source: string, t: Translate): string {
  const { label } = describeSource(source, t);
  return `${label} (${plainLine(source, 60)})`;
}

function visibilityOf({ visibility, isUserVisible }: Message, t: Translate): string | undefined {
  const words = {
    both: t('Visible to you and the agent'),
    llm_only: t('Hidden from you'),
    user_only: t('Hidden from the agent'),
    unknown: t('Unknown'),
  };
  const shown = isUserVisible === undefined ? [] : [isUserVisible ? t('shown to users') : t('not shown to users')];
  const all = [...(visibility === undefined ? [] : [words[visibility]]), ...shown];
  return all.length === 0 ? undefined : all.join(', ');
}

function phaseOf({ openaiPhase }: Message, t: Translate): string | undefined {
  if (openaiPhase === undefined) return undefined;
  const words = {
    commentary: t('Progress update'),
    final_answer: t('Final answer'),
    unknown: t('Unknown'),
  };
  return words[openaiPhase];
}

function sizeOf(text: string | undefined, t: Translate): string | undefined {
  return text === undefined ? undefined : t({ one: '1 character', other: '{0} characters' }, text.length);
}

function yesOrNo(value: boolean, t: Translate): string {
  return value ? t('Yes') : t('No');
}

function fact(label: string, value: string | undefined, more: Pick<PageFact, 'isId'> = {}): PageFact[] {
  return value === undefined ? [] : [{ label, value, ...more }];
}
