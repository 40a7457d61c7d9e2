import { setTimeout as delay } from 'node:timers/promises';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Drafts } from '../../sync/drafts/drafts.ts';

type EditedDrafts = Pick<Drafts, 'get' | 'set'>;

/** A page saves what the user types within 50 ms. Until then, it ignores changes to the draft by others. */
const settleMs = 300;
const maxAttempts = 10;
/** If a draft starts with this many characters of the moved text, the page has it. The user may have changed the rest. */
const keptLength = 20;

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

/**
 * Checks whether text that was added above a draft is still there. If a page in which the user is typing has replaced
 * the draft, adds the text again, up to ten times. Text that the user has changed or sent isn't added again.
 */
export async function keepAboveDraft(
  drafts: EditedDrafts,
  key: SessionKey,
  added: string,
  isSent: () => boolean,
  settle = settled,
): Promise<void> {
  const [start = ''] = added.split('\n', 1);
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    await settle();
    const draft = drafts.get(key);
    if (draft.text.startsWith(start.slice(0, keptLength)) || isSent()) return;
    drafts.set(key, { ...draft, text: aboveText(draft.text, added) });
  }
}
