/** The resources of the Sessions API as defined in spec 2. */

/** The execution status of a session (spec 3). */
export type SessionStatus = 'idle' | 'pending' | 'running';

/** The roles by which a list of messages can be filtered (spec 4.3). */
export const filterRoles = ['user', 'assistant', 'tool'] as const;
export type FilterRole = (typeof filterRoles)[number];
export type MessageRole = FilterRole | 'system';

/** The origins of a user message (spec 2.4). */
export const userMessageSources = [
  'web',
  'desktop',
  'cli_tui',
  'cli_exec',
  'cli_acp',
  'slack',
  'linear',
  'sessions_api',
  'api',
  'automation',
  'readiness-remediation',
  'readiness-evaluation',
  'wiki-generation',
  'wiki-ci-setup',
] as const;
type UserMessageSource = (typeof userMessageSources)[number];

/** The counters of spec 2.3. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheCreationTokens: number;
  readonly cacheReadTokens: number;
  readonly thinkingTokens: number;
  readonly serviceCredits: number;
}

interface Tag {
  readonly name: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The settings that a client can change (spec 4.2). */
export interface WritableSettings {
  readonly model?: string;
  readonly specModeModel?: string;
  readonly runInWorktree?: boolean;
  readonly providerLockTimestamp?: string;
  readonly assistantActiveTimeMs?: number;
  readonly childInclusiveTokenUsageBySessionId?: Readonly<Record<string, unknown>>;
  /** Undefined values are omitted from the JSON. */
  readonly archivedAt?: string | undefined;
  readonly tags?: readonly Tag[];
  readonly enabledToolIds?: readonly string[];
  readonly disabledToolIds?: readonly string[];
  readonly compactionModel?: string;
  readonly compactionThresholdCheckEnabled?: boolean;
}

/** The settings of a session (spec 2.2), including two read-only usage objects. */
export interface SessionSettings extends WritableSettings {
  readonly tokenUsage?: TokenUsage;
  readonly inclusiveTokenUsage?: TokenUsage;
}

/** A session (spec 2.1). Timestamps are Unix times in ms. */
export interface Session {
  readonly sessionId: string;
  readonly status: SessionStatus;
  readonly messageCount: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly title?: string;
  readonly completedAt?: number | undefined;
  readonly computerId?: string;
  readonly sessionSettings?: SessionSettings;
}

interface Base64Source {
  readonly type: 'base64';
  readonly mediaType: string;
  readonly data: string;
  /** The text of a file, as the client sent it (spec 4.4). */
  readonly parsedData?: string;
}

/**
 * A block of a message's content. The spec defines only `text`. Services are known to send the other kinds, too, except
 * `diagram`, which represents a kind that clients don't know.
 */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string; readonly id?: string }
  | { readonly type: 'image'; readonly source: Base64Source }
  | {
      readonly type: 'thinking';
      readonly thinking: string;
      readonly signature: string;
      readonly signatureProvider: string;
    }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'tool_result';
      readonly toolUseId: string;
      readonly content: string | readonly ContentBlock[];
      readonly isError: boolean;
    }
  | {
      readonly type: 'document';
      readonly name: string;
      readonly mediaType: string;
      readonly path?: string;
      readonly source: Base64Source;
    }
  | { readonly type: 'diagram'; readonly format: string; readonly source: string };

/** The optional fields of a message (spec 2.4). */
export interface MessageDetails {
  readonly parentId?: string;
  readonly userMessageSource?: UserMessageSource;
  readonly visibility?: 'both' | 'llm_only' | 'user_only';
  readonly openaiMessageId?: string;
  readonly openaiPhase?: 'commentary' | 'final_answer' | null;
  readonly openaiEncryptedContent?: string;
  readonly openaiReasoningId?: string;
  readonly openaiReasoningSummary?: string;
  /** Only in old messages; new ones have the signature in their thinking blocks. */
  readonly geminiThoughtSignature?: string;
  readonly chatCompletionReasoningField?: 'reasoning' | 'reasoning_content';
  readonly chatCompletionReasoningContent?: string;
  readonly isUserVisible?: boolean;
  readonly isError?: boolean;
}

/** A message (spec 2.4). Timestamps are Unix times in ms. */
export interface Message extends MessageDetails {
  readonly id: string;
  readonly role: MessageRole;
  readonly content: readonly ContentBlock[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A message to add. The store assigns its ID and timestamps. */
export interface MessageDraft extends MessageDetails {
  readonly role: MessageRole;
  readonly content: readonly ContentBlock[];
}
