import { ApiError } from '../../api/errors.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import type { LaneContext } from './queueContext.ts';
import type { OutgoingItem } from './queuedMessage.ts';
import { outgoingMessageOf } from './attempt.ts';
import { type SendOutcome, judgeFailure } from './sendOutcome.ts';

/** Progress is told at most this often. */
const progressEveryMs = 100;

/**
 * One attempt to send: the entry, already `sending`, is synced to disk and its bytes are checked before the first byte
 * leaves (R34), and just before that `confirm` says whether it is still for this window to send it (R35). Never rejects.
 */
export async function sendOnce(
  item: OutgoingItem,
  api: SessionsApi,
  context: LaneContext,
  signal: AbortSignal,
  confirm: () => Promise<boolean>,
  onProgress: () => void,
): Promise<SendOutcome> {
  const { stored } = item;
  const stopped = () => new ApiError('cancelled', 'stopped before sending', { sent: 'no' });
  try {
    // What another window has made of the entry meanwhile must not be written over.
    if (!(await confirm())) return { kind: 'retry', error: stopped() };
    await context.files.save(stored);
    for (const attachment of stored.attachments) {
      const isIntact = await context.blobs.isIntact(attachment, signal);
      if (!isIntact && !signal.aborted) throw new Error('the bytes of an attachment are damaged');
    }
  } catch (error) {
    return { kind: 'notSent', error };
  }
  // Last of all: between this and the first byte nothing is waited for on our side.
  if (!(await confirm()) || signal.aborted || !context.store.record(stored.key)) {
    return { kind: 'retry', error: stopped() };
  }
  try {
    const options = { signal, onProgress: throttledProgress(item, context, onProgress) };
    const added = await api.addMessage(stored.key.sessionId, outgoingMessageOf(stored, context.blobs), options);
    return { kind: 'accepted', added };
  } catch (error) {
    return judgeFailure(error);
  }
}

function throttledProgress(item: OutgoingItem, { clock }: LaneContext, onProgress: () => void) {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (sentBytes: number, totalBytes: number) => {
    if (item.state !== 'sending' || clock.now() - toldAt < progressEveryMs) return;
    toldAt = clock.now();
    item.progress = totalBytes > 0 ? Math.min(1, sentBytes / totalBytes) : undefined;
    onProgress();
  };
}
