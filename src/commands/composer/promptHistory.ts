import type { Message } from '../../api/resources/message.ts';
import { matchedMessageId } from '../../state/store/outboxEntry.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';

/** An earlier message of the person. */
export interface Prompt {
  readonly promptId: string;
  readonly text: string;
}

/** So many are read at a time: most are there at the first look, and a text that repeats is passed over. */
const readAtOnce = 10;

/**
 * The person's message of this session before (`older`) or after (`newer`) the one named; without a name, the newest.
 * Messages on their way count. One without text, or with the same text again, is passed over; undefined at the end of
 * what is known here.
 */
export async function promptBeside(
  store: Store,
  key: SessionKey,
  step: 'older' | 'newer',
  from: string | undefined,
): Promise<Prompt | undefined> {
  const ids = promptIds(store, key);
  // What was on its way when it was named may be listed by now, under the id of the service.
  const entryIds = store.record(key)?.entryIdByMessageId;
  const at = from === undefined ? ids.length : ids.findIndex((id) => id === from || entryIds?.get(id) === from);
  if (at < 0) return undefined;
  const side = step === 'older' ? ids.slice(0, at).reverse() : ids.slice(at + 1);
  const shown = (await readPrompts(store, key, ids.slice(at, at + 1))).at(0)?.text;
  for (let start = 0; start < side.length; start += readAtOnce) {
    const prompts = await readPrompts(store, key, side.slice(start, start + readAtOnce));
    const found = prompts.find(({ text }) => text.trim() !== '' && text !== shown);
    if (found) return found;
  }
  return undefined;
}

/** What the person wrote, oldest first: listed messages, then those on their way that the list does not have. */
function promptIds(store: Store, key: SessionKey): string[] {
  const record = store.record(key);
  if (!record) return [];
  const listed = record.headers.filter(({ role }) => role === 'user').map(({ messageId }) => messageId);
  const known = new Set(listed);
  const leaving = record.outbox.filter((entry) => !known.has(matchedMessageId(entry) ?? ''));
  return [...listed, ...leaving.map(({ entryId }) => entryId)];
}

/** Those of them that can be read, in this order. */
async function readPrompts(store: Store, key: SessionKey, ids: readonly string[]): Promise<Prompt[]> {
  const entries = new Map(store.record(key)?.outbox.map(({ entryId, text }) => [entryId, text]));
  const messages = await store.readBodies(
    key,
    ids.filter((id) => !entries.has(id)),
  );
  const texts = new Map([...messages.map((message) => [message.id, textOf(message)] as const), ...entries]);
  return ids.flatMap((promptId) => {
    const text = texts.get(promptId);
    return text === undefined ? [] : [{ promptId, text }];
  });
}

function textOf({ content }: Message): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
