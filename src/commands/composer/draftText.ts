import { setTimeout as delay } from 'node:timers/promises';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Drafts } from '../../sync/drafts/drafts.ts';

type EditedDrafts = Pick<Drafts, 'get' | 'set'>;

/** A page saves what the user types within 50 ms. Until then, it ignores changes to the draft by others. */
const settleMs = 300;
const maxAttempts = 10;

const settled = (): Promise<unknown> => delay(settleMs);

/** The text of a draft with `added` above the user's own text. */
export function aboveText(own: string, added: string): string {
  return [added, own].filter((part) => part !== '').join('\n\n');
}

function belowText(own: string, added: string): string {
  return aboveText(added, own.trimEnd());
}

/**
 * Adds text below what the user wrote in a draft. If the user is typing, the page replaces the draft with its own text, so
 * the text is added again until it stays. Resolves to false if it doesn't stay for three seconds.
 */
export async function addBelowDraft(
  drafts: EditedDrafts,
  key: SessionKey,
  added: string,
  settle = settled,
): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const draft = drafts.get(key);
    drafts.set(key, { ...draft, text: belowText(draft.text, added) });
    await settle();
    if (drafts.get(key).text.includes(added)) return true;
  }
  return false;
}
