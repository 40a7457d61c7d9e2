import type { SessionRecord } from '../store/sessionRecord.ts';
import { tokenCount } from '../store/usage.ts';
import type { Translate } from '../../shared/text.ts';

/** The usage of a session on one line, for a tooltip; undefined where the service tells none. */
export function usageLine(record: SessionRecord, t: Translate): string | undefined {
  const { tokenUsage, inclusiveTokenUsage } = record.session?.sessionSettings ?? {};
  const usage = inclusiveTokenUsage ?? tokenUsage;
  if (!usage) return undefined;
  const tokens = compactNumber(tokenCount(usage));
  return usage.serviceCredits === undefined
    ? t('{0} tokens', tokens)
    : t('{0} tokens, {1} credits', tokens, compactNumber(usage.serviceCredits));
}

function compactNumber(value: number): string {
  return value.toLocaleString(undefined, { notation: 'compact', maximumFractionDigits: 1 });
}
