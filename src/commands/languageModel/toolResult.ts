import type * as vscode from 'vscode';
import { randomUUID } from 'node:crypto';
import { startOfText } from '../../shared/text/cutPoint.ts';
import { quoteUntrusted } from '../../state/languageModel/untrustedText.ts';

type TokenLimits = vscode.LanguageModelToolTokenizationOptions | undefined;

/** The maximum number of characters in the parts of a result whose caller sets no limit. */
const usualLength = 40_000;
/** An estimate on the low side, so that counting seldom has to be repeated. */
const charactersPerToken = 3;

/**
 * Quotes as many of the parts as fit into the token budget, in their order. `keep` says which end is kept if not all of
 * them fit. Parts are untrusted text that was already prepared. `about` describes them, without text from a service.
 */
export async function quoteParts(
  about: string,
  parts: readonly string[],
  keep: 'first' | 'last',
  limits: TokenLimits,
): Promise<string> {
  const boundary = randomUUID();
  let longest = limits ? limits.tokenBudget * charactersPerToken : usualLength;
  for (;;) {
    const quoted = quoteUntrusted(about, fittingText(parts, longest, keep), boundary);
    const tokens = (await limits?.countTokens(quoted)) ?? 0;
    if (!limits || tokens <= limits.tokenBudget || longest < 10) return quoted;
    longest = Math.floor(longest * Math.min(0.9, limits.tokenBudget / tokens));
  }
}

function fittingText(parts: readonly string[], longest: number, keep: 'first' | 'last'): string {
  const inOrder = keep === 'first' ? parts : parts.toReversed();
  const fitting: string[] = [];
  let left = longest;
  for (const part of inOrder) {
    if (part.length > left && fitting.length > 0) break;
    // If the first part to keep is too long, it is cut, so that a single long message isn't left out.
    fitting.push(part.length > left ? `${startOfText(part, left)}\n(cut)` : part);
    left -= part.length;
  }
  const missing = parts.length - fitting.length;
  const shown = keep === 'first' ? fitting : fitting.toReversed();
  const note = missing > 0 ? [`(${missing} of ${parts.length} left out, because the result would be too long)`] : [];
  return (keep === 'first' ? [...shown, ...note] : [...note, ...shown]).join('\n\n');
}
