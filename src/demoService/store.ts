import type { Message, MessageDraft, Session, SessionSettings, TokenUsage, WritableSettings } from './resources.ts';

/** What PATCH does with settings it is not given (the spec leaves it open): keeps them, or drops them. */
export type PatchRule = 'merge' | 'replace';

export const noTokens: TokenUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheCreationTokens: 0,
  cacheReadTokens: 0,
  thinkingTokens: 0,
  serviceCredits: 0,
};

/** The sum of two usages; a counter missing from `more` counts as 0. Credits keep two decimals. */
export function addTokenUsage(usage: TokenUsage, more: Partial<TokenUsage>): TokenUsage {
  return {
    inputTokens: usage.inputTokens + (more.inputTokens ?? 0),
    outputTokens: usage.outputTokens + (more.outputTokens ?? 0),
    cacheCreationTokens: usage.cacheCreationTokens + (more.cacheCreationTokens ?? 0),
    cacheReadTokens: usage.cacheReadTokens + (more.cacheReadTokens ?? 0),
    thinkingTokens: usage.thinkingTokens + (more.thinkingTokens ?? 0),
    serviceCredits: Math.round((usage.serviceCredits + (more.serviceCredits ?? 0)) * 100) / 100,
  };
}

/** The same settings; an `archivedAt` written as an empty string means "not archived" and is left out. */
export function withoutEmptyArchive(settings: SessionSettings): SessionSettings {
  if (settings.archivedAt !== '') return settings;
  return { ...settings, archivedAt: undefined };
}

/** A session to begin with: its messages in the order they arrived, and the session it is a child of. */
export interface SeededSession {
  readonly session: Session;
  readonly messages: readonly Message[];
  readonly parentSessionId?: string;
}

interface StoredSession {
  session: Session;
  readonly messages: Message[];
  readonly placeByMessageId: Map<string, number>;
  readonly parentSessionId: string | undefined;
}

/**
 * The sessions and messages of one service, in memory. Messages are appended and revised, never removed or moved. Each
 * change makes the session's `updatedAt` larger, also within one millisecond, so that a poller can rely on it; for the
 * same reason no two messages of a session share a `createdAt`.
 */
export class SessionStore {
  readonly #sessions = new Map<string, StoredSession>();
  readonly #now: () => number;
  readonly #idPrefix: string;
  #messagesAdded = 0;

  constructor(seeds: readonly SeededSession[], now: () => number) {
    this.#now = now;
    this.#idPrefix = `msg_${now().toString(36)}`;
    for (const { session, messages, parentSessionId } of seeds) {
      const placeByMessageId = new Map(messages.map((message, place) => [message.id, place]));
      this.#sessions.set(session.sessionId, { session, messages: [...messages], placeByMessageId, parentSessionId });
    }
  }

  /** The session as it is now, or undefined if there is none of this id. */
  session(sessionId: string): Session | undefined {
    return this.#sessions.get(sessionId)?.session;
  }

  /** The messages of a session in the order they arrived; empty for an unknown session. */
  messages(sessionId: string): readonly Message[] {
    return this.#sessions.get(sessionId)?.messages ?? [];
  }

  message(sessionId: string, messageId: string): Message | undefined {
    const stored = this.#sessions.get(sessionId);
    const place = stored?.placeByMessageId.get(messageId);
    return place === undefined ? undefined : stored?.messages[place];
  }

  /** Adds a message at the end. @throws Error for an unknown session. */
  append(sessionId: string, draft: MessageDraft): Message {
    const stored = this.#stored(sessionId);
    const createdAt = Math.max(this.#now(), (stored.messages.at(-1)?.createdAt ?? 0) + 1);
    const parentId = stored.messages.at(-1)?.id;
    const message: Message = {
      id: `${this.#idPrefix}${(++this.#messagesAdded).toString(36).padStart(4, '0')}`,
      ...(parentId === undefined ? {} : { parentId }),
      ...draft,
      createdAt,
      updatedAt: createdAt,
    };
    stored.placeByMessageId.set(message.id, stored.messages.length);
    stored.messages.push(message);
    this.#touch(stored, { messageCount: stored.messages.length });
    return message;
  }

  /** Changes a message in place: same id, newer `updatedAt`. @throws Error for an unknown session or message. */
  revise(sessionId: string, messageId: string, change: Partial<MessageDraft>): void {
    const stored = this.#stored(sessionId);
    const place = stored.placeByMessageId.get(messageId) ?? -1;
    const message = stored.messages[place];
    if (!message) throw new Error(`no message ${messageId}`);
    const updatedAt = Math.max(this.#now(), message.updatedAt + 1);
    stored.messages[place] = { ...message, ...change, updatedAt };
    this.#touch(stored, {});
  }

  /** Sets the status; going idle sets `completedAt`, leaving idle takes it away. */
  setStatus(sessionId: string, status: Session['status']): void {
    const stored = this.#stored(sessionId);
    this.#touch(stored, { status, completedAt: status === 'idle' ? this.#now() : undefined });
  }

  /** Counts tokens and active time for a session, and the tokens for every session it is a descendant of. */
  spend(sessionId: string, tokens: Partial<TokenUsage>, activeMs: number): void {
    const stored = this.#stored(sessionId);
    const settings = stored.session.sessionSettings ?? {};
    this.#touch(stored, {
      sessionSettings: {
        ...settings,
        tokenUsage: addTokenUsage(settings.tokenUsage ?? noTokens, tokens),
        inclusiveTokenUsage: addTokenUsage(settings.inclusiveTokenUsage ?? settings.tokenUsage ?? noTokens, tokens),
        assistantActiveTimeMs: (settings.assistantActiveTimeMs ?? 0) + activeMs,
      },
    });
    this.#spendInParent(stored, tokens);
  }

  /** Writes settings by `rule` and answers the session as it is then. @throws Error for an unknown session. */
  patchSettings(sessionId: string, change: WritableSettings, rule: PatchRule): Session {
    const stored = this.#stored(sessionId);
    const { tokenUsage, inclusiveTokenUsage, ...writable } = stored.session.sessionSettings ?? {};
    const sessionSettings: SessionSettings = withoutEmptyArchive({
      ...(rule === 'merge' ? writable : {}),
      ...change,
      ...(tokenUsage ? { tokenUsage } : {}),
      ...(inclusiveTokenUsage ? { inclusiveTokenUsage } : {}),
    });
    this.#touch(stored, { sessionSettings });
    return stored.session;
  }

  #spendInParent(child: StoredSession, tokens: Partial<TokenUsage>): void {
    const parent = child.parentSessionId === undefined ? undefined : this.#sessions.get(child.parentSessionId);
    if (!parent) return;
    const settings = parent.session.sessionSettings ?? {};
    this.#touch(parent, {
      sessionSettings: {
        ...settings,
        inclusiveTokenUsage: addTokenUsage(settings.inclusiveTokenUsage ?? settings.tokenUsage ?? noTokens, tokens),
        childInclusiveTokenUsageBySessionId: {
          ...settings.childInclusiveTokenUsageBySessionId,
          [child.session.sessionId]: child.session.sessionSettings?.inclusiveTokenUsage ?? noTokens,
        },
      },
    });
    this.#spendInParent(parent, tokens);
  }

  #touch(stored: StoredSession, change: Partial<Session>): void {
    const updatedAt = Math.max(this.#now(), stored.session.updatedAt + 1);
    stored.session = { ...stored.session, ...change, updatedAt };
  }

  #stored(sessionId: string): StoredSession {
    const stored = this.#sessions.get(sessionId);
    if (!stored) throw new Error(`no session ${sessionId}`);
    return stored;
  }
}
