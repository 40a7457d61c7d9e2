import type { SearchedText } from './characters.ts';
import type { Finding } from './issuerTokens.ts';
import { type Name, valueAfter } from './namedValues.ts';
import { randomness } from './randomness.ts';

/** The members of a JSON Web Key that aren't public (RFC 7518). */
const privateMember = /^(?:d|p|q|dp|dq|qi|k)$/;

/**
 * The value of a private member of a JSON Web Key. The value begins at `at`, after any blanks. The type of the key must
 * be near it.
 */
export function keyMemberAfter(source: SearchedText, name: Name, at: number): Finding | undefined {
  if (!privateMember.test(name.text)) return undefined;
  const { start, end, quote } = valueAfter(source, at);
  if (quote === '' || end - start < 22 || !/^[\w-]+$/.test(source.part(start, end))) return undefined;
  if (randomness(source.part(start, end)) <= 4 || !source.keyTypes.isNear(start, end)) return undefined;
  return { start, end, rule: 'JSON Web Key', isCertain: true };
}
