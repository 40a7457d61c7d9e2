import { serviceOf } from '../../state/store/connection.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import { NothingThereError, ToldError } from '../errors.ts';
import type { CommandArgument } from '../register.ts';
import { type SessionPickParts, pickSession } from './pick.ts';

/**
 * The session a command is about: the one it was given, else the only one there is, else the one the person picks.
 * Undefined where the pick was cancelled. Throws a {@link ToldError} where there is none to choose from.
 */
export async function targetSession(
  parts: SessionPickParts,
  argument: CommandArgument,
  title: string,
): Promise<SessionKey | undefined> {
  const { store, t } = parts;
  if (argument.sessionId !== undefined) return givenSession(store, argument, t);
  const { records } = store;
  const [only] = records;
  if (!only) throw new NothingThereError(t('There is no session yet. Add one first.'));
  return records.length === 1 ? only.deck.key : pickSession(parts, title);
}

/** Like {@link targetSession}, but what is on screen is meant where nothing else is said: the current session. */
export async function currentOrTarget(
  parts: SessionPickParts,
  argument: CommandArgument,
  title: string,
): Promise<SessionKey | undefined> {
  const { current } = parts.store;
  if (argument.sessionId === undefined && current && parts.store.record(current)) return current;
  return targetSession(parts, argument, title);
}

/** The session named by an argument; throws where it is of a service other than the current one, or not on the deck. */
export function givenSession(store: Store, { sessionId = '', service }: CommandArgument, t: Translate): SessionKey {
  const origin = service ?? serviceOf(store.connection)?.origin ?? '';
  const key = { origin, sessionId };
  if (!store.record(key)) {
    throw new ToldError(t('The session "{0}" is not on the deck. Add it first.', plainLine(sessionId, 80)));
  }
  return key;
}

/**
 * The sessions a command is about, where it can be about several: those selected in the tree, else as
 * {@link currentOrTarget}. Empty where the pick was cancelled.
 */
export async function targetSessions(
  parts: SessionPickParts,
  argument: CommandArgument,
  title: string,
): Promise<readonly SessionKey[]> {
  const { store, t } = parts;
  const selected = argument.sessions ?? [];
  if (selected.length > 0) return selected.map((session) => givenSession(store, { ...session, isScripted: false }, t));
  const key = await currentOrTarget(parts, argument, title);
  return key ? [key] : [];
}
