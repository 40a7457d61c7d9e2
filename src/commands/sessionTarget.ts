import * as vscode from 'vscode';
import { serviceOf } from '../state/connection.ts';
import { describeSession } from '../state/describeSession.ts';
import { type SessionKey, sameSession } from '../state/sessionKey.ts';
import type { SessionRecord } from '../state/sessionRecord.ts';
import type { Store } from '../state/store.ts';
import type { Translate } from '../state/words.ts';
import { ToldError } from './problems.ts';
import type { CommandArgument } from './register.ts';

interface SessionItem extends vscode.QuickPickItem {
  readonly key?: SessionKey;
}

/**
 * The session a command is about: the one it was given, else the only one there is, else the one the person picks.
 * Undefined where the pick was cancelled. Throws a {@link ToldError} where there is none to choose from.
 */
export async function targetSession(
  store: Store,
  argument: CommandArgument,
  title: string,
  t: Translate,
): Promise<SessionKey | undefined> {
  if (argument.sessionId !== undefined) return givenSession(store, argument, t);
  const { records } = store;
  const [only] = records;
  if (!only) throw new ToldError(t('There is no session yet. Add one first.'));
  return records.length === 1 ? only.deck.key : pickSession(store, title, t);
}

/** The session named by an argument; throws where it is of a service other than the current one, or not on the deck. */
export function givenSession(store: Store, { sessionId = '', service }: CommandArgument, t: Translate): SessionKey {
  const origin = service ?? serviceOf(store.connection)?.origin ?? '';
  const key = { origin, sessionId };
  if (!store.record(key)) {
    throw new ToldError(t('The session "{0}" is not on the deck. Add it first.', sessionId.slice(0, 80)));
  }
  return key;
}

/** Lets the person pick a session; the current one comes first. Undefined where it was cancelled. */
export async function pickSession(store: Store, title: string, t: Translate): Promise<SessionKey | undefined> {
  const isCurrent = (record: SessionRecord) => sameSession(record.deck.key, store.current);
  const records = [...store.records].sort(
    (a, b) => Number(isCurrent(b)) - Number(isCurrent(a)) || lastTouched(b) - lastTouched(a),
  );
  const items = records.map((record) => sessionItem(record, store, t));
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: t('Choose a session'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.key;
}

/** A session as a row of a quick pick. */
export function sessionItem(record: SessionRecord, store: Store, t: Translate): SessionItem {
  const { label, description, icon } = describeSession(record, store.connection, Date.now(), t);
  return {
    label: `$(${icon}) ${plainPickLabel(label)}`,
    description: plainPickLabel(description),
    key: record.deck.key,
  };
}

/** Quick picks draw `$(name)` as an icon; in text of the service it is only text. */
export function plainPickLabel(text: string): string {
  return text.replaceAll('$(', '\\$(');
}

function lastTouched(record: SessionRecord): number {
  return record.session?.updatedAt ?? record.deck.addedAt;
}
