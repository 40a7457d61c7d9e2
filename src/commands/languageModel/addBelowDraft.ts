import { setTimeout as delay } from 'node:timers/promises';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Drafts } from '../../sync/drafts/drafts.ts';

/** A page saves what the user types within 50 ms. Until then, it ignores changes to the draft by others. */
const settleMs = 300;
const maxAttempts = 10;

/**
 * Adds text below what the user wrote in a draft. If the user is typing, the page replaces the draft with its own text, so
 * the text is added again until it stays. Resolves to false if it doesn't stay for three seconds.
 */
export async function addBelowDraft(
  drafts: Pick<Drafts, 'get' | 'set'>,
  key: SessionKey,
  added: string,
  settle: () => Promise<unknown> = () => delay(settleMs),
): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const before = drafts.get(key);
    const own = before.text.trimEnd();
    drafts.set(key, { ...before, text: own === '' ? added : `${own}\n\n${added}` });
    await settle();
    if (drafts.get(key).text.includes(added)) return true;
  }
  return false;
}
