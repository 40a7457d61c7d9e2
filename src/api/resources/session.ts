import * as z from 'zod/mini';
import { listOf, optional, wordOf } from './tolerant.ts';

/** The agent's execution status (spec 2.1, 3); `unknown` for a status that the spec doesn't list. */
export const sessionStatusSchema = wordOf(['idle', 'pending', 'running']);
export type SessionStatus = z.output<typeof sessionStatusSchema>;

/** The six counters of spec 2.3. A counter that the service doesn't send is undefined. */
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
 * A tag of a session (spec 2.2). `metadata` and unknown fields are preserved, because a change to one tag sends all
 * tags back to the service.
 */
const tagSchema = z.looseObject({ name: z.string(), metadata: z.optional(z.unknown()) });
export type Tag = z.output<typeof tagSchema>;

/** The settings that are lists, with the schema of their items. */
const listSettings = { tags: tagSchema, enabledToolIds: z.string(), disabledToolIds: z.string() };

const itemSchemas: ReadonlyMap<string, z.ZodMiniType> = new Map(Object.entries(listSettings));

/** An item of a list that doesn't fit its schema, and its index in the list. */
interface UnreadableItem {
  readonly index: number;
  readonly value: unknown;
}

/**
 * The parts of the writable settings that don't fit their schemas, as received. A change of settings sends them back
 * unchanged (R40): the items of each list that it sends, and the other values if it sends all settings. Both fields are
 * keyed by the name of the setting.
 */
export interface UnreadableSettings {
  readonly items: Readonly<Record<string, readonly UnreadableItem[]>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The fields of {@link sessionSettingsSchema}. */
export const settingFields = z.object({
  model: optional(z.string()),
  specModeModel: optional(z.string()),
  runInWorktree: optional(z.boolean()),
  providerLockTimestamp: optional(z.string()),
  assistantActiveTimeMs: optional(z.number()),
  tokenUsage: optional(tokenUsageSchema),
  inclusiveTokenUsage: optional(tokenUsageSchema),
  childInclusiveTokenUsageBySessionId: optional(z.record(z.string(), z.unknown())),
  archivedAt: optional(z.string()),
  tags: optional(listOf(listSettings.tags)),
  enabledToolIds: optional(listOf(listSettings.enabledToolIds)),
  disabledToolIds: optional(listOf(listSettings.disabledToolIds)),
  compactionModel: optional(z.string()),
  compactionThresholdCheckEnabled: optional(z.boolean()),
});

/** The settings of a session as the service returns them (spec 2.2). Timestamps are strings. */
export const sessionSettingsSchema = z.pipe(
  z.looseObject({}),
  z.transform((given): z.output<typeof settingFields> & { readonly unreadable?: UnreadableSettings } => {
    const settings = settingFields.parse(given);
    const unreadable = unreadableParts(given, settings);
    return unreadable ? { ...settings, unreadable } : settings;
  }),
);
export type SessionSettings = z.output<typeof sessionSettingsSchema>;

/**
 * The parts of the writable settings in `given` that are missing from `settings`, which was read from `given`.
 * Undefined if there are none.
 */
function unreadableParts(
  given: Readonly<Record<string, unknown>>,
  settings: z.output<typeof settingFields>,
): UnreadableSettings | undefined {
  const items: Record<string, readonly UnreadableItem[]> = {};
  const values: Record<string, unknown> = {};
  for (const name of writableNames) {
    const value = given[name];
    if (value === undefined || value === null) continue;
    const itemSchema = itemSchemas.get(name);
    if (itemSchema && Array.isArray(value)) {
      const unreadable = unreadableItems(value, itemSchema);
      if (unreadable.length > 0) items[name] = unreadable;
    } else if (settings[name] === undefined) values[name] = value;
  }
  return Object.keys(items).length + Object.keys(values).length === 0 ? undefined : { items, values };
}

function unreadableItems(list: readonly unknown[], schema: z.ZodMiniType): UnreadableItem[] {
  return list.flatMap((value, index) => (schema.safeParse(value).success ? [] : [{ index, value }]));
}

/** The fields of spec 2.1. */
export const sessionFields = z.object({
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

/** A session (spec 2.1). Timestamps are Unix times in ms. */
export interface Session extends z.output<typeof sessionFields> {
  /** The session as the service sent it, including what the spec doesn't list (R40). Exports contain it. */
  readonly wire?: unknown;
}

/** Reads a session as the service sent it. */
export const sessionSchema = z.pipe(
  z.unknown(),
  z.transform((wire, context): Session => {
    const fields = sessionFields.safeParse(wire);
    if (fields.success) return { ...fields.data, wire };
    for (const { path, message } of fields.error.issues) {
      context.issues.push({ code: 'custom', input: wire, path: [...path], message });
    }
    return z.NEVER;
  }),
);

/**
 * A change to settings (spec 4.2): the fields of spec 2.2 without the two read-only usage objects. Only the fields that
 * are present are sent. Values that the service defines (child usage, tag metadata) are sent unchanged.
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

/**
 * The settings to send in a change: only the fields that PATCH accepts (spec 4.2), with the unreadable items of each
 * list (`items`) at their original indexes. `values` are sent for the fields without a readable value.
 */
export function writableSettings(
  settings: SessionSettingsPatch,
  { items = {}, values = {} }: Partial<UnreadableSettings> = {},
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    writableNames.flatMap((name) => {
      const value = settings[name] ?? values[name];
      return value === undefined ? [] : [[name, withItems(value, items[name] ?? [])]];
    }),
  );
}

function withItems(value: unknown, items: readonly UnreadableItem[]): unknown {
  if (!Array.isArray(value)) return value;
  return items.reduce<unknown[]>((list, item) => list.toSpliced(item.index, 0, item.value), Array.from<unknown>(value));
}
