import type { Message } from '../../api/resources/message.ts';
import { defined } from '../../shared/defined.ts';
import { type Redacted, redactingJson } from '../../shared/redaction/redaction.ts';
import type { PausableWork } from '../../shared/slices.ts';
import { fencedText } from '../markdown/embed.ts';
import type { SessionRecord } from '../store/sessionRecord.ts';

/**
 * Likely secrets are replaced before a session or a message is described, because a description cuts and escapes texts,
 * and no rule recognizes a part of a secret, or a password with backslashes in it. The functions that replace secrets
 * have pauses for `inSlices`.
 */

/** The record of a session without likely secrets in what the head of a document and {@link sessionTitle} read. */
export function* redactingRecord(record: SessionRecord): PausableWork<Redacted<SessionRecord>> {
  const { session, listEntry } = record;
  const texts = { title: session?.title, sessionSettings: session?.sessionSettings, name: listEntry.name };
  const { value, count } = yield* redactingJson(texts);
  const { title, sessionSettings, name } = value;
  return {
    value: {
      ...record,
      listEntry: { ...listEntry, ...defined({ name }) },
      session: session && { ...session, ...defined({ title, sessionSettings }) },
    },
    count,
  };
}

/**
 * A message without likely secrets in its content and its reasoning. If their replacement removed or added a fence of a
 * text block, the whole text of that block becomes a code block.
 */
export function* redactingMessage(message: Message): PausableWork<Redacted<Message>> {
  const { content, openaiReasoningSummary, chatCompletionReasoningContent } = message;
  const texts = { content, openaiReasoningSummary, chatCompletionReasoningContent };
  const { value, count } = yield* redactingJson(texts);
  const blocks: Message['content'][number][] = [];
  for (const [index, block] of value.content.entries()) {
    const before = content[index];
    const isWhole = block.type !== 'text' || before?.type !== 'text' || hasFencesOf(block.text, before.text);
    blocks.push(isWhole ? block : { ...block, text: yield* fencedText(block.text) });
  }
  return { value: { ...message, ...value, content: blocks }, count };
}

/**
 * Whether two texts have the same fences. Backticks at the start of a line aren't a fence if more backticks follow in
 * the line, but become a fence if redaction removes the ones that follow.
 */
export function hasFencesOf(text: string, other: string): boolean {
  return text === other || fencesOf(text) === fencesOf(other);
}

function fencesOf(text: string): string {
  return (text.match(/^ {0,3}(?:`{3,}(?=[^`\n]*$)|~{3,})/gm) ?? []).join('\n');
}
