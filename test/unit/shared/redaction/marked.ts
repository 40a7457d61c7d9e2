import { SecretScanner } from '../../../../src/shared/redaction/secretScanner.ts';
import type { Finding } from '../../../../src/shared/redaction/issuerTokens.ts';

/** The secrets in a text, in the order of the text. */
export function findingsIn(text: string): readonly Finding[] {
  const scanner = new SecretScanner(text);
  scanner.advance(text.length);
  return scanner.findings;
}

/**
 * The findings in a text: the text with each secret in `‹›`, and the rules, with `?` after those that are only likely.
 */
export function marked(text: string): readonly [string, string] {
  let end = 0;
  const findings = findingsIn(text);
  const parts = findings.map((found) => {
    const before = text.slice(end, found.start);
    end = found.end;
    return `${before}‹${text.slice(found.start, end)}›`;
  });
  const rules = findings.map(({ rule, isCertain }) => (isCertain ? rule : `${rule}?`));
  return [parts.join('') + text.slice(end), rules.join(', ')];
}

/** The text of a table row, without the marks that {@link marked} adds. */
export function unmarked(text: string): string {
  return text.replace(/[‹›]/g, '');
}
