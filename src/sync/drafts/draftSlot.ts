import { type Disposable, onDispose } from '../../shared/lifecycle.ts';
import { outputsId } from '../../state/store/outboxEntry.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { type Draft, isEmptyDraft, type SentComment } from '../../state/store/sessionRecord.ts';

/** A draft in memory and what is known of its file. */
export interface DraftSlot {
  readonly key: SessionKey;
  draft: Draft;
  /** Texts that were taken from the draft and aren't saved elsewhere yet. On disk, they precede the draft. */
  outgoing: readonly string[];
  /** The version that another window wrote while texts were outgoing. */
  remote: { readonly draft: Draft; readonly editedAt: number } | undefined;
  /**
   * The time of the last change, as in the record (Unix ms); 0 if the draft is new or was rescued from a damaged file.
   */
  editedAt: number;
  /** The time of the oldest unsaved change, Unix ms. */
  unsavedSince: number | undefined;
  /** The number of writes in progress. */
  writes: number;
  timer: Disposable;
}

/** What a message took from its draft, apart from its attachments. */
export interface SentDraft {
  /** The version of the draft from which the text was taken. */
  readonly editedAt: number;
  readonly comments: readonly SentComment[];
}

/** The delay between the last change of a draft and its write. */
const pauseMs = 200;
/** The maximum time between a change and its write, so that a crash during continuous typing loses little. */
const longestUnsavedMs = 2_000;

/** The delay until the write of a draft that was changed at `nowMs`. */
export function saveDelayMs({ unsavedSince = 0 }: DraftSlot, nowMs: number): number {
  return Math.min(pauseMs, Math.max(0, longestUnsavedMs - (nowMs - unsavedSince)));
}

/** The draft as it is saved: with the outgoing texts before its own. */
export function withOutgoing({ draft, outgoing }: DraftSlot): Draft {
  if (outgoing.length === 0) return draft;
  const text = [...outgoing, draft.text].filter((part) => part !== '').join('\n\n');
  return { ...draft, text, selectionStart: text.length, selectionEnd: text.length };
}

/** Whether the draft has a change whose write hasn't started. */
export function isUnsaved({ unsavedSince }: DraftSlot): boolean {
  return unsavedSince !== undefined;
}

/** Whether the draft has changes that aren't on disk, or texts that aren't saved elsewhere. */
export function isBeingEdited(slot: DraftSlot): boolean {
  return isUnsaved(slot) || slot.writes > 0 || slot.outgoing.length > 0;
}

/**
 * Takes note of a version on disk while the draft is being edited, so that the next version is newer. If another window
 * wrote it while texts were outgoing, keeps it as `remote`.
 */
export function noteOnDisk(slot: DraftSlot, draft: Draft, editedAt: number): void {
  // While nothing is unsaved, a version that isn't newer is one that this window wrote.
  const isNewer = editedAt > slot.editedAt;
  if (isNewer || isUnsaved(slot)) slot.editedAt = Math.max(slot.editedAt, editedAt + 1);
  const isEdited = isNewer && slot.outgoing.length > 0 && !isSameMessage(draft, withOutgoing(slot));
  if (isEdited) slot.remote = { draft, editedAt: slot.editedAt };
}

/** Whether a draft has nothing to save, apart from its comments. */
export function isEmptyRecord(draft: Draft): boolean {
  return isEmptyDraft({ ...draft, comments: [] });
}

/** Whether two drafts have the same record, including the selection. */
export function isSameRecord(one: Draft, other: Draft): boolean {
  const isSameSelection = one.selectionStart === other.selectionStart && one.selectionEnd === other.selectionEnd;
  return one.attachments === other.attachments && isSameSelection && isSameMessage(one, other);
}

/** Whether two drafts would send the same message, apart from comments. Their selections may differ. */
export function isSameMessage(one: Draft, other: Draft): boolean {
  const ids = ({ attachments }: Draft) =>
    attachments
      .map((attachment) => (attachment.parsedData === undefined ? attachment.attachmentId : outputsId(attachment)))
      .join();
  return one.text === other.text && one.computerId === other.computerId && ids(one) === ids(other);
}

/** A slot for a draft whose current version is on disk, or that was just created. */
export function newSlot(key: SessionKey, draft: Draft, editedAt: number): DraftSlot {
  return {
    key: { ...key },
    draft,
    outgoing: [],
    remote: undefined,
    editedAt,
    unsavedSince: undefined,
    writes: 0,
    timer: onDispose(() => undefined),
  };
}
