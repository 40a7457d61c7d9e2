import { randomUUID } from 'node:crypto';
import { type Disposable, onDispose } from '../../shared/lifecycle.ts';
import { paragraphs } from '../../shared/text/paragraphs.ts';
import { outputsId } from '../../state/store/outboxEntry.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { type Draft, isEmptyDraft, type SentComment } from '../../state/store/sessionRecord.ts';

/** A draft in memory and the known state of its file. */
export interface DraftSlot {
  readonly key: SessionKey;
  draft: Draft;
  /** Texts that were taken from the draft and aren't saved elsewhere yet. On disk, they precede the draft. */
  outgoing: readonly string[];
  /** The version that another window wrote while texts were outgoing. */
  remote: (DraftVersion & { readonly draft: Draft }) | undefined;
  /** As in {@link DraftVersion}. */
  draftId: string | undefined;
  /**
   * The time of the last change, as in the record (Unix ms); 0 if the draft is new or was rescued from a damaged file.
   */
  editedAt: number;
  /** The time of the oldest unsaved change, or of the failure of its write, Unix ms; undefined if there is none. */
  unsavedSince: number | undefined;
  /** The number of writes in progress. */
  writes: number;
  timer: Disposable;
}

/** A version of a draft. Of two versions with the same ID, the one with the greater `editedAt` is the newer one. */
export interface DraftVersion {
  /**
   * A UUID that the draft keeps until it is empty, because times alone don't say which draft is newer: clocks can be
   * set, and differ between computers. Undefined if the draft is new, was begun by an earlier version of the extension,
   * or was rescued from a damaged file.
   */
  readonly draftId?: string | undefined;
  readonly editedAt: number;
}

/** What a message took from its draft, apart from its attachments, and the version from which it took the text. */
export interface SentDraft extends DraftVersion {
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

/** Gives a changed draft its next version. If the draft was empty before the change, it also gets a new ID. */
export function noteEdit(slot: DraftSlot, before: Draft, nowMs: number): void {
  slot.editedAt = Math.max(nowMs, slot.editedAt + 1);
  if (isEmptyRecord(before)) slot.draftId = randomUUID();
}

/** Whether the saved draft is the one from which a message was taken, isn't empty, and hasn't been edited since. */
export function isUneditedSince(slot: DraftSlot, { draftId, editedAt }: DraftVersion): boolean {
  const isEdited = slot.editedAt > editedAt || isUnsaved(slot) || slot.writes > 0;
  return slot.draftId === draftId && slot.editedAt > 0 && !isEdited && !isEmptyRecord(slot.draft);
}

/** Replaces a draft with a version that another window wrote. */
export function takeVersion(slot: DraftSlot, draft: Draft, { draftId, editedAt }: DraftVersion): void {
  slot.draft = draft;
  slot.draftId = draftId;
  slot.editedAt = editedAt;
}

/** The draft as it is saved: with the outgoing texts before its own. */
export function withOutgoing({ draft, outgoing }: DraftSlot): Draft {
  if (outgoing.length === 0) return draft;
  const text = [...outgoing, draft.text].reduce(paragraphs);
  return { ...draft, text, selectionStart: text.length, selectionEnd: text.length };
}

/** Whether the draft has a change whose write hasn't started or has failed. */
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
export function noteOnDisk(slot: DraftSlot, draft: Draft, { draftId, editedAt }: DraftVersion): void {
  // While nothing is unsaved, a version that isn't newer is one that this window wrote.
  const isNewer = editedAt > slot.editedAt;
  if (isNewer || isUnsaved(slot)) slot.editedAt = Math.max(slot.editedAt, editedAt + 1);
  const isEdited = isNewer && slot.outgoing.length > 0 && !isSameMessage(draft, withOutgoing(slot));
  if (isEdited) slot.remote = { draft, draftId, editedAt: slot.editedAt };
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

/**
 * A slot for a draft whose current version is on disk. Without a version, it is new or was rescued from a damaged file.
 */
export function newSlot(key: SessionKey, draft: Draft, version: DraftVersion = { editedAt: 0 }): DraftSlot {
  return {
    key: { ...key },
    draft,
    outgoing: [],
    remote: undefined,
    draftId: version.draftId,
    editedAt: version.editedAt,
    unsavedSince: undefined,
    writes: 0,
    timer: onDispose(() => undefined),
  };
}
