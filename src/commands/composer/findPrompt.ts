import type { Message } from '../../api/resources/message.ts';
import { matchedMessageId } from '../../state/store/outboxEntry.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import { inSlices } from '../../shared/slices.ts';
import { promptContentOf } from '../../state/store/promptContent.ts';
import { isPrompt } from '../../state/store/turns.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';

/** An earlier message of the user. */
interface Prompt {
  readonly promptId: string;
  readonly text: string;
}

/** The number of messages that are read at a time. */
const batchSize = 10;

/**
 * The user's message before (`older`) or after (`newer`) the message `from`; without `from`, starts at the newest one.
 * Includes messages in the outbox. Skips messages without text and messages with the same text as `from`. Resolves to
 * undefined if there are no more, or if `from` isn't a known message.
 */
export async function findPrompt(
  store: Store,
  key: SessionKey,
  step: 'older' | 'newer',
  from: string | undefined,
): Promise<Prompt | undefined> {
  const ids = promptIds(store, key);
  // The service may have assigned an ID to a message that was in the outbox, so also look for its entry ID.
  const entryIds = store.record(key)?.entryIdByMessageId;
  const at = from === undefined ? ids.length : ids.findIndex((id) => id === from || entryIds?.get(id) === from);
  if (at < 0) return undefined;
  const side = step === 'older' ? ids.slice(0, at).reverse() : ids.slice(at + 1);
  const shown = (await readPrompts(store, key, ids.slice(at, at + 1))).at(0)?.text;
  for (let start = 0; start < side.length; start += batchSize) {
    const prompts = await readPrompts(store, key, side.slice(start, start + batchSize));
    const found = prompts.find(({ text }) => text.trim() !== '' && text !== shown);
    if (found) return found;
  }
  return undefined;
}

/** The IDs of the user's messages, oldest first: messages in the conversation, then entries in the outbox. */
function promptIds(store: Store, key: SessionKey): string[] {
  const record = store.record(key);
  if (!record) return [];
  const listed = record.headers.filter(isPrompt).map(({ messageId }) => messageId);
  const known = new Set(listed);
  const queued = record.outbox.filter((entry) => !known.has(matchedMessageId(entry) ?? ''));
  return [...listed, ...queued.map(({ entryId }) => entryId)];
}

/** Reads the available messages in the order of `ids`. */
async function readPrompts(store: Store, key: SessionKey, ids: readonly string[]): Promise<Prompt[]> {
  const entries = new Map(store.record(key)?.outbox.map(({ entryId, text }) => [entryId, text]));
  const messages = await store.readBodies(
    key,
    ids.filter((id) => !entries.has(id)),
  );
  const texts = new Map(entries);
  for (const message of messages) texts.set(message.id, await saidIn(message, store.header(key, message.id)));
  return ids.flatMap((promptId) => {
    const text = texts.get(promptId);
    return text === undefined ? [] : [{ promptId, text }];
  });
}

async function saidIn(message: Message, header: MessageHeader | undefined): Promise<string> {
  const { spoken } = await inSlices(promptContentOf(message, header));
  return spoken.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
