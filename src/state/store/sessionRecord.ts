import type { Session } from '../../api/resources/session.ts';
import type { Draft } from './draft.ts';
import type { MessageHeader } from './messageHeader.ts';
import type { OutboxEntry } from './outboxEntry.ts';
import type { Problem } from './failure.ts';
import type { ReadMark } from './readMark.ts';
import type { SessionKey } from './sessionKey.ts';

/** What the user put on the deck, and what they made of it. None of it is known to the service. */
export interface DeckEntry {
  readonly key: SessionKey;
  /** The computer to query directly, only if the user gave one. */
  readonly computerId?: string | undefined;
  /** Unix ms. */
  readonly addedAt: number;
  /** What the user calls it here. */
  readonly name?: string | undefined;
  readonly isPinned?: boolean | undefined;
  /** No notice when it has finished. */
  readonly isMuted?: boolean | undefined;
  /** Absent until it was read for the first time. */
  readonly readMark?: ReadMark | undefined;
  /** The session it was opened from as a child: while that one is on the deck it stands below it. */
  readonly parentId?: string | undefined;
  /** It is shown below its parent only: it is in no list, and nothing of it is kept. */
  readonly isGuest?: true;
}

/** How much of a session's history is here. */
export interface HistoryState {
  /** `unread`: no page yet; `partial`: older messages are on the service; `complete`: all are here. */
  readonly extent: 'unread' | 'partial' | 'complete';
  readonly isLoading: boolean;
  /** It takes many pages, and can be cancelled. */
  readonly isLongWalk?: boolean;
  /** The person cancelled the loading of what is newer than the messages here. */
  readonly isLeftOut?: boolean;
  readonly problem?: Problem | undefined;
}

/** Everything known of one session of the deck. Replaced whole on every change. */
export interface SessionRecord {
  readonly deck: DeckEntry;
  readonly session?: Session | undefined;
  /** When `session` was read, Unix ms, our clock. */
  readonly asOf?: number | undefined;
  /** `session` is known from an earlier window and was not read in this one yet. */
  readonly isRemembered?: boolean;
  /** The last reading failed; `session` is then the last one known. */
  readonly problem?: Problem | undefined;
  readonly history: HistoryState;
  readonly headers: readonly MessageHeader[];
  readonly outbox: readonly OutboxEntry[];
  readonly draft: Draft;
  /** The entry each message was sent from, so that its bubble stays the same one (R33). */
  readonly entryIdByMessageId: ReadonlyMap<string, string>;
}
