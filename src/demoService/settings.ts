import type { SessionSettings, TokenUsage } from './resources.ts';

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
