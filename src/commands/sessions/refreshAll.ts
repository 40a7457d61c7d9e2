import type { SessionKey } from '../../state/store/sessionKey.ts';

/** Each reading is a connection of its own: more at once than this would be a burst to the service. */
const atOnce = 8;

/** Reads sessions, a few at a time and in this order; none any more once `isOver` says so. Never rejects. */
export async function refreshAll(
  keys: readonly SessionKey[],
  refresh: (key: SessionKey) => Promise<void>,
  isOver: () => boolean = () => false,
): Promise<void> {
  const due = keys.values();
  const readOn = async () => {
    for (const key of due) {
      if (isOver()) return;
      await refresh(key);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, readOn));
}
