import * as vscode from 'vscode';
import { Picker, type PickerRow } from '../../host/prompts/picker.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { describeSession } from '../../state/presentation/describeSession.ts';
import { lastTouched } from '../../state/sessions/sections.ts';
import { serviceOf } from '../../state/store/connection.ts';
import { keyText, sameSession, type SessionKey } from '../../state/store/sessionKey.ts';
import { isWorking, type SessionRecord } from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';
import type { Services } from '../services.ts';
import { NothingToDoError, UserFacingError } from '../commandErrors.ts';
import type { SessionArgument, SessionsArgument } from '../commandArguments.ts';
import { refreshAll } from './refreshAll.ts';

/** A command listed below the sessions in a session picker. */
interface PickCommand {
  readonly icon: string;
  readonly label: string;
  readonly run: () => Promise<unknown>;
}

/**
 * The services that a session picker uses. While open, the picker refreshes sessions that have never been refreshed.
 */
type PickServices = Pick<Services, 'store' | 'sessions' | 't'>;
/** Like {@link PickServices}, with the conversation that commands act on if no session is given. */
export type TargetServices = PickServices & Pick<Services, 'activeConversation'>;

type SessionChoice = { readonly key: SessionKey } | PickCommand;

/**
 * Lets the user select a session; the current one comes first. Resolves to undefined if canceled, or if the user
 * selects one of `commands`, which is then run. With `except`, lists all other sessions, running ones first.
 */
export async function pickSession(
  { store, sessions, t }: PickServices,
  title: string,
  commands: readonly PickCommand[] = [],
  except?: SessionKey,
): Promise<SessionKey | undefined> {
  const picker = new Picker<SessionChoice, SessionChoice>({
    title,
    placeholder: t('Select a session'),
    matchOnDescription: true,
    keepScrollPosition: true,
  });
  // The order stays the same while the picker is open, so that no row moves under the pointer.
  const order = new Map<string, number>();
  const draw = () => picker.show(rowsOf(store, order, commands, except, t));
  draw();
  picker.add(store.onDidChange(({ type }) => (type === 'session' || type === 'sessionList') && draw()));
  const neverRefreshed = store.records.flatMap(({ asOf, listEntry }) => (asOf === undefined ? [listEntry.key] : []));
  void refreshAll(sessions, neverRefreshed, () => picker.signal.aborted);
  const choice = await picker.ask({ accept: (chosen) => chosen && picker.finish(chosen) });
  if (choice && 'run' in choice) await choice.run();
  return choice && 'key' in choice ? choice.key : undefined;
}

/**
 * The rows in the order that `order` has from earlier calls. Adds new sessions to it: the current one first, or the
 * running ones with `except`, and then the others by the time of their last change.
 */
function rowsOf(
  store: Store,
  order: Map<string, number>,
  commands: readonly PickCommand[],
  except: SessionKey | undefined,
  t: Translate,
): PickerRow<SessionChoice>[] {
  const isFirst = ({ listEntry, session }: SessionRecord) =>
    except ? isWorking(session) : sameSession(listEntry.key, store.current);
  const placeOf = ({ listEntry }: SessionRecord) => order.get(keyText(listEntry.key)) ?? order.size;
  const records = store.records
    .filter(({ listEntry }) => !sameSession(listEntry.key, except))
    .sort(
      (a, b) => placeOf(a) - placeOf(b) || Number(isFirst(b)) - Number(isFirst(a)) || lastTouched(b) - lastTouched(a),
    );
  for (const [place, { listEntry }] of records.entries()) order.set(keyText(listEntry.key), place);
  const rows = records.map((record) => sessionRow(record, store, t));
  if (commands.length === 0) return rows;
  return [
    ...rows,
    ...(rows.length === 0 ? [] : [{ label: '', kind: vscode.QuickPickItemKind.Separator }]),
    ...commands.map((command) => ({
      label: command.label,
      iconPath: new vscode.ThemeIcon(command.icon),
      value: command,
      id: command.label,
    })),
  ];
}

function sessionRow(record: SessionRecord, store: Store, t: Translate): PickerRow<SessionChoice> {
  const { key } = record.listEntry;
  const { label, description, icon } = describeSession(record, store.connectionOf(key.origin), Date.now(), t);
  return { label, description, iconPath: new vscode.ThemeIcon(icon), value: { key }, id: keyText(key) };
}

/**
 * The session that a command applies to: the given one, the only one in the list, or the one that the user selects.
 * Undefined if canceled.
 * @throws UserFacingError if the list is empty or doesn't contain the given session.
 */
export async function targetSession(
  services: PickServices,
  argument: SessionArgument,
  title: string,
): Promise<SessionKey | undefined> {
  const { store, t } = services;
  if (argument.sessionId !== undefined) return givenSession(store, argument, t);
  const { records } = store;
  const [only] = records;
  if (!only) throw new NothingToDoError(t('No sessions. Add a session first.'));
  return records.length === 1 ? only.listEntry.key : pickSession(services, title);
}

/**
 * Like {@link targetSession}, but if no session is given, prefers the one of the active conversation, or of the
 * conversation in whose title menu the command was selected.
 */
export async function activeOrTarget(
  services: TargetServices,
  argument: SessionArgument,
  title: string,
): Promise<SessionKey | undefined> {
  const { activeConversation, store } = services;
  const active = argument.sessionId === undefined ? activeConversation.key(argument.titleMenu) : undefined;
  if (active) return active;
  // The session of the tab is unknown, or isn't in the list, so even the only session of the list can be another one.
  if (argument.titleMenu === 'tab' && store.records.length > 0) return pickSession(services, title);
  return targetSession(services, argument, title);
}

/**
 * The session that an argument identifies.
 * @throws UserFacingError if the session isn't in the list.
 */
export function givenSession(store: Store, { sessionId = '', service }: SessionArgument, t: Translate): SessionKey {
  const origin = service ?? serviceOf(store.connection)?.origin ?? '';
  const key = { origin, sessionId };
  if (!store.record(key)) {
    throw new UserFacingError(t('Session "{0}" isn\'t in your list. Add it first.', plainLine(sessionId, 80)));
  }
  return key;
}

/**
 * The sessions that a command applies to, if it supports several: those selected in the tree, or else the result of
 * {@link activeOrTarget}. Empty if canceled.
 * @throws UserFacingError if the list is empty or doesn't contain a given session.
 */
export async function targetSessions(
  services: TargetServices,
  argument: SessionsArgument,
  title: string,
): Promise<readonly SessionKey[]> {
  const { store, t } = services;
  const selected = argument.sessions ?? [];
  if (selected.length > 0) return selected.map((session) => givenSession(store, session, t));
  const key = await activeOrTarget(services, argument, title);
  return key ? [key] : [];
}
