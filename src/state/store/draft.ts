import type { StoredAttachment } from './outboxEntry.ts';

/** What stands in a session's composer. There is one per session, kept on disk; the page keeps none. */
export interface Draft {
  readonly text: string;
  readonly selectionStart: number;
  readonly selectionEnd: number;
  readonly attachments: readonly StoredAttachment[];
  /** The computer to route this message to, only if the person chose one (spec 4.4). */
  readonly computerId?: string | undefined;
}

export const emptyDraft: Draft = { text: '', selectionStart: 0, selectionEnd: 0, attachments: [] };

/** Whether there is nothing in it worth keeping. */
export function isEmptyDraft(draft: Draft): boolean {
  return draft.text === '' && draft.attachments.length === 0 && draft.computerId === undefined;
}
