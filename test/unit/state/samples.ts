import type { Session } from '../../../src/api/resources/session.ts';
import type { Connection } from '../../../src/state/store/connection.ts';
import { type DraftComment, emptyDraft, type SessionRecord } from '../../../src/state/store/sessionRecord.ts';
import type { RowsView } from '../../../src/state/conversation/row.ts';
import type { Message } from '../../../src/api/resources/message.ts';
import type { MessageHeader } from '../../../src/state/store/messageHeader.ts';
import type { OutboxEntry, StoredAttachment } from '../../../src/state/store/outboxEntry.ts';
import type { SessionKey } from '../../../src/state/store/sessionKey.ts';
import { toolMarksOf } from '../../../src/state/tools/toolMarks.ts';
import { translator } from '../../../src/shared/translate.ts';

/** English strings, as without a translation bundle. */
export const t = translator('en');

export const now = new Date(2026, 4, 20, 15, 30).getTime();
export const minuteMs = 60_000;

export const key: SessionKey = { origin: 'https://service.test', sessionId: 'session-1' };
export const service = { origin: key.origin, baseUrl: key.origin };
export const ready: Connection = { kind: 'ready', service };
export const noKey: Connection = { kind: 'noKey', service };
export const rejected: Connection = {
  kind: 'keyRejected',
  service,
  failure: { kind: 'status', status: 401, at: now - minuteMs },
};

export function sessionOf(part: Partial<Session> = {}): Session {
  return {
    sessionId: key.sessionId,
    status: 'idle',
    messageCount: 12,
    createdAt: now - 100 * minuteMs,
    updatedAt: now - 5 * minuteMs,
    title: 'Fix the login',
    ...part,
  };
}

/** A session that was refreshed two minutes ago. */
export function recordOf(part: Partial<SessionRecord> = {}): SessionRecord {
  return {
    listEntry: { key, addedAt: now - 1_000 * minuteMs },
    session: sessionOf(),
    asOf: now - 2 * minuteMs,
    history: { completeness: 'complete', isLoading: false },
    headers: [],
    outbox: [],
    draft: emptyDraft,
    entryIdByMessageId: new Map(),
    ...part,
  };
}

/** A session in the session list that was never loaded. */
export function unreadRecord(part: Partial<SessionRecord> = {}): SessionRecord {
  const history = { completeness: 'unread', isLoading: false } as const;
  return { ...recordOf(), session: undefined, asOf: undefined, history, ...part };
}

/** A view of a conversation that shows everything unless `part` says otherwise. */
export function viewOf(part: Partial<RowsView> = {}): RowsView {
  const filter = { detailLevel: 'everything' } as const;
  return { filter, openedIds: new Set(), openRuns: new Set(), collapseUntil: 0, ...part };
}

/** The header of a message with only a call of a command-line tool. The ID of the call is that of the message. */
export function callOf(
  messageId: string,
  part: Partial<MessageHeader> = {},
  command = `run ${messageId}`,
): MessageHeader {
  const tools = toolMarksOf([{ type: 'tool_use', toolUseId: messageId, name: 'bash', input: { command } }]);
  return headerOf(messageId, { role: 'assistant', hasText: false, toolCount: 1, ...(tools ? { tools } : {}), ...part });
}

/** The header of a message with only the result of a call. */
export function resultOf(
  messageId: string,
  callId: string,
  isError = false,
  part: Partial<MessageHeader> = {},
): MessageHeader {
  const content = [{ type: 'text', text: isError ? 'It broke.\nBadly.' : 'Fine.' }] as const;
  const tools = toolMarksOf([{ type: 'tool_result', toolUseId: callId, isError, content }]);
  const counts = { toolCount: 1, isError, errorCount: isError ? 1 : 0 };
  return headerOf(messageId, { role: 'tool', hasText: false, ...counts, ...(tools ? { tools } : {}), ...part });
}

export function headerOf(messageId: string, part: Partial<MessageHeader> = {}): MessageHeader {
  return {
    messageId,
    role: 'user',
    createdAt: 1_000,
    updatedAt: 1_000,
    firstLine: `line of ${messageId}`,
    estimatedLines: 1,
    isError: false,
    hasText: true,
    hasThinking: false,
    toolCount: 0,
    errorCount: 0,
    isModelOnly: false,
    hasAddedText: false,
    ...part,
  };
}

export function entryOf(part: Partial<OutboxEntry> = {}): OutboxEntry {
  return { entryId: 'e1', key, text: 'Please go on', attachments: [], createdAt: now, state: 'queued', ...part };
}

export const attachment: StoredAttachment = {
  attachmentId: 'a1',
  kind: 'selection',
  name: 'cart.ts#L10-L24',
  path: 'src/cart.ts',
  mediaType: 'text/plain',
  sizeBytes: 3_000,
  sha256: 'x',
  blobId: '00000000-0000-0000-0000-000000000000',
  isUnsaved: true,
};

export const comment: DraftComment = {
  commentId: '00000000-0000-4000-8000-000000000001',
  messageId: 'm1',
  quote: 'line of m1',
  offset: 0,
  text: '',
};

/** Deceptive text: bidirectional overrides, zero-width characters, line breaks, a byte order mark, icons, links. */
export const hostile = 'a\u202Egnp.exe\u200B\r\nb\u2028$(alert)\u0007[x](command:quit)\uFEFF';
/** `hostile` as it is shown on one line. */
export const hostileShown = 'a<U+202E>gnp.exe<U+200B> b $(alert)<U+0007>[x](command:quit)';

/** Whether a line contains a character that breaks it, disguises it, or reverses its direction. */
export function isDisguised(line: string): boolean {
  return /[\p{Cc}\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066\u2067\ufeff]/u.test(line);
}

/** A content block that can't be described, which only a fault of Lineside itself could let through. */
export const undescribable = { type: 'document', source: undefined } as unknown as Message['content'][number];
