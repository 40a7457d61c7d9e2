import * as z from 'zod/mini';
import { listOf, optional, wordOf } from './tolerant.ts';

/** The agent's execution status (spec 2.1, 3); `unknown` stands for a word the spec does not list. */
export const sessionStatusSchema = wordOf(['idle', 'pending', 'running']);
export type SessionStatus = z.output<typeof sessionStatusSchema>;

/** The six counters of spec 2.3; a counter the service does not send is absent. */
export const tokenUsageSchema = z.object({
  inputTokens: optional(z.number()),
  outputTokens: optional(z.number()),
  cacheCreationTokens: optional(z.number()),
  cacheReadTokens: optional(z.number()),
  thinkingTokens: optional(z.number()),
  serviceCredits: optional(z.number()),
});
export type TokenUsage = z.output<typeof tokenUsageSchema>;

/**
 * A tag of a session (spec 2.2). A change of tags sends all of them, so what is not specified, `metadata` and any other
 * field, is kept as it came.
 */
export const tagSchema = z.looseObject({ name: z.string(), metadata: z.optional(z.unknown()) });
export type Tag = z.output<typeof tagSchema>;

/** A session's settings as returned (spec 2.2). Timestamps here are strings, `assistantActiveTimeMs` is in ms. */
export const sessionSettingsSchema = z.object({
  model: optional(z.string()),
  specModeModel: optional(z.string()),
  runInWorktree: optional(z.boolean()),
  providerLockTimestamp: optional(z.string()),
  assistantActiveTimeMs: optional(z.number()),
  tokenUsage: optional(tokenUsageSchema),
  inclusiveTokenUsage: optional(tokenUsageSchema),
  childInclusiveTokenUsageBySessionId: optional(z.record(z.string(), z.unknown())),
  archivedAt: optional(z.string()),
  tags: optional(listOf(tagSchema)),
  enabledToolIds: optional(z.array(z.string())),
  disabledToolIds: optional(z.array(z.string())),
  compactionModel: optional(z.string()),
  compactionThresholdCheckEnabled: optional(z.boolean()),
});
export type SessionSettings = z.output<typeof sessionSettingsSchema>;

/** A session (spec 2.1). Timestamps are Unix times in ms. */
export const sessionSchema = z.object({
  sessionId: z.string(),
  status: sessionStatusSchema,
  messageCount: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
  title: optional(z.string()),
  completedAt: optional(z.number()),
  computerId: optional(z.string()),
  sessionSettings: optional(sessionSettingsSchema),
});
export type Session = z.output<typeof sessionSchema>;

/**
 * The settings that PATCH accepts (spec 4.2): those of 2.2 without the two read-only usage objects. Only the fields
 * present are sent. Values that the service defines (child usage, tag metadata) pass through untouched.
 */
export interface SessionSettingsPatch {
  readonly model?: string;
  readonly specModeModel?: string;
  readonly runInWorktree?: boolean;
  readonly providerLockTimestamp?: string;
  readonly assistantActiveTimeMs?: number;
  readonly childInclusiveTokenUsageBySessionId?: Readonly<Record<string, unknown>>;
  readonly archivedAt?: string;
  readonly tags?: readonly Tag[];
  readonly enabledToolIds?: readonly string[];
  readonly disabledToolIds?: readonly string[];
  readonly compactionModel?: string;
  readonly compactionThresholdCheckEnabled?: boolean;
}

const writableNames = [
  'model',
  'specModeModel',
  'runInWorktree',
  'providerLockTimestamp',
  'assistantActiveTimeMs',
  'childInclusiveTokenUsageBySessionId',
  'archivedAt',
  'tags',
  'enabledToolIds',
  'disabledToolIds',
  'compactionModel',
  'compactionThresholdCheckEnabled',
] as const satisfies readonly (keyof SessionSettingsPatch)[];

/** The fields that PATCH accepts (spec 4.2) and no other, whatever object they come in. */
export function writableSettings(settings: SessionSettingsPatch): SessionSettingsPatch {
  return Object.fromEntries(
    writableNames.flatMap((name) => (settings[name] === undefined ? [] : [[name, settings[name]]])),
  );
}
