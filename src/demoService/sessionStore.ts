import { defined } from '../shared/defined.ts';
import type { Message, MessageDraft, Session, SessionSettings, TokenUsage, WritableSettings } from './resources.ts';

/**
 * Whether PATCH keeps (`merge`) or removes (`replace`) settings that the request omits. The spec doesn't define this.
 */
export type PatchRule = 'merge' | 'replace';

export const noTokens: TokenUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheCreationTokens: 0,
  cacheReadTokens: 0,
  thinkingTokens: 0,
  serviceCredits: 0,
};

/** The sum of two usages. A counter that is missing in `more` counts as 0. Credits are rounded to two decimals. */
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

/** Removes an empty `archivedAt`, which means "not archived". */
function withoutEmptyArchive(settings: SessionSettings): SessionSettings {
  if (settings.archivedAt !== '') return settings;
  return { ...settings, archivedAt: undefined };
}

/** A session that exists when the service starts. Its messages are in the order in which they arrived. */
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
 * The sessions and messages of a service, in memory. Messages are appended and revised, but never removed or moved.
 * Every change increases the session's `updatedAt`, even within one millisecond, so that polling clients can rely on
 * it. For the same reason, the `createdAt` of each message in a session is unique.
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

  /** The service's current time in Unix ms. */
  get nowMs(): number {
    return this.#now();
  }

  /** Returns undefined for an unknown session. */
  session(sessionId: string): Session | undefined {
    return this.#sessions.get(sessionId)?.session;
  }

  /** The messages of a session in the order in which they arrived. Empty for an unknown session. */
  messages(sessionId: string): readonly Message[] {
    return this.#sessions.get(sessionId)?.messages ?? [];
  }

  message(sessionId: string, messageId: string): Message | undefined {
    const stored = this.#sessions.get(sessionId);
    const place = stored?.placeByMessageId.get(messageId);
    return place === undefined ? undefined : stored?.messages[place];
  }

  /** Appends a message. @throws Error for an unknown session. */
  append(sessionId: string, draft: MessageDraft): Message {
    const stored = this.#stored(sessionId);
    const createdAt = Math.max(this.#now(), (stored.messages.at(-1)?.createdAt ?? 0) + 1);
    const parentId = stored.messages.at(-1)?.id;
    const message: Message = {
      id: `${this.#idPrefix}${(++this.#messagesAdded).toString(36).padStart(4, '0')}`,
      ...defined({ parentId }),
      ...draft,
      createdAt,
      updatedAt: createdAt,
    };
    stored.placeByMessageId.set(message.id, stored.messages.length);
    stored.messages.push(message);
    this.#touch(stored, { messageCount: stored.messages.length });
    return message;
  }

  /** Changes a message and updates its `updatedAt`. @throws Error for an unknown session or message. */
  revise(sessionId: string, messageId: string, change: Partial<MessageDraft>): void {
    const stored = this.#stored(sessionId);
    const place = stored.placeByMessageId.get(messageId) ?? -1;
    const message = stored.messages[place];
    if (!message) throw new Error(`no message ${messageId}`);
    const updatedAt = Math.max(this.#now(), message.updatedAt + 1);
    stored.messages[place] = { ...message, ...change, updatedAt };
    this.#touch(stored, {});
  }

  /**
   * Sets the status. `completedAt` is set for an idle session and removed otherwise.
   * @throws Error for an unknown session.
   */
  setStatus(sessionId: string, status: Session['status']): void {
    const stored = this.#stored(sessionId);
    this.#touch(stored, { status, completedAt: status === 'idle' ? this.#now() : undefined });
  }

  /**
   * Adds tokens and active time to a session, and the tokens to all its ancestors.
   * @throws Error for an unknown session.
   */
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

  /** Changes settings and returns the updated session. @throws Error for an unknown session. */
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
