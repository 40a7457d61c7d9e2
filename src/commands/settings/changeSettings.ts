import type { SessionSettings } from '../../api/resources/session.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import { type NotificationButton, showInfo, showWarning } from '../../host/prompts/notify.ts';
import { whileWorking } from '../../host/prompts/progress.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { describeFailure } from '../../state/presentation/failure.ts';
import { sessionTitle } from '../../state/presentation/session.ts';
import { describeChange, describeReread, settingLabel } from '../../state/presentation/settings.ts';
import { isUnset, namesOf } from '../../state/sessions/settings.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { problemOf } from '../../sync/connection/probe.ts';
import type { SettingsChange, SettingsOutcome, SettingsWriter } from '../../sync/settingsWriter.ts';
import { UserFacingError } from '../errors.ts';
import type { CommandArgument, CommandTable } from '../register.ts';
import { targetSessions } from '../sessions/pick.ts';

export interface SettingsParts {
  readonly store: Store;
  readonly settingsWriter: SettingsWriter;
  readonly apiFor: (origin: string) => SessionsApi | undefined;
  readonly refresh: (key: SessionKey) => Promise<void>;
  readonly t: Translate;
}

/**
 * Changes settings of a session, says what the service made of it, and offers to bring back what it dropped. `undo` is a
 * button for the case that everything went as asked. Rejects where surely nothing was changed.
 */
export async function changeSettings(
  parts: SettingsParts,
  key: SessionKey,
  makeChange: SettingsChange,
  undo?: NotificationButton,
): Promise<SettingsOutcome> {
  const { settingsWriter, refresh, t } = parts;
  const api = reachable(parts, key);
  const title = t('Changing the settings of "{0}"...', titleOf(parts, key));
  try {
    const outcome = await whileWorking(title, () => settingsWriter.write(api, key, makeChange));
    tellOutcome(parts, key, outcome, undo);
    return outcome;
  } finally {
    await refresh(key);
  }
}

/** The settings an outcome shows; undefined where it shows none. */
export function settingsAfter(outcome: SettingsOutcome): SessionSettings | undefined {
  return 'after' in outcome ? outcome.after : undefined;
}

/** The client for a session's service. Throws a {@link UserFacingError} where it cannot be asked. */
export function reachable({ apiFor, t }: SettingsParts, { origin }: SessionKey): SessionsApi {
  const api = apiFor(origin);
  if (!api) throw new UserFacingError(t('There is no API key for {0}. Set one first.', origin));
  return api;
}

/** What a session is called, also one that is not on the deck any more. */
export function titleOf({ store }: Pick<SettingsParts, 'store'>, key: SessionKey): string {
  const record = store.record(key);
  return record ? sessionTitle(record) : plainLine(key.sessionId, 80);
}

function tellOutcome(
  parts: SettingsParts,
  key: SessionKey,
  outcome: SettingsOutcome,
  undo: NotificationButton | undefined,
): void {
  const { t } = parts;
  if (outcome.kind === 'unchanged') return;
  const problem = 'error' in outcome && outcome.error !== undefined ? problemOf(outcome.error, Date.now()) : undefined;
  const reason = problem ? `${describeFailure(problem, t)} ` : '';
  if (outcome.kind === 'unknown') {
    const names = namesOf(outcome.change).map((name) => settingLabel(name, t));
    void showWarning(
      `${reason}${t('It is not known whether the change was made ({0}); it is not sent again by itself.', names.join(', '))}`,
    );
    return;
  }
  const title = titleOf(parts, key);
  const lost = namesOf(outcome.lost);
  const restore = { label: t('Restore'), run: () => changeSettings(parts, key, () => outcome.lost) };
  const told = outcome.kind === 'answered' ? describeChange(outcome, title, t) : describeReread(outcome, title, t);
  const isAsAsked = outcome.kind === 'answered' && outcome.differing.length === 0 && lost.length === 0;
  const buttons = lost.length > 0 ? [restore] : isAsAsked && undo ? [undo] : [];
  void (isAsAsked ? showInfo : showWarning)(`${reason}${told}`, ...buttons);
}

/** Putting sessions away on the service, for every client of it, and getting them back. */
export function archiveCommands(parts: SettingsParts): CommandTable {
  const { t } = parts;
  return {
    archiveSession: (argument) => setArchived(parts, argument, true, t('Archive')),
    unarchiveSession: (argument) => setArchived(parts, argument, false, t('Unarchive')),
  };
}

async function setArchived(
  parts: SettingsParts,
  argument: CommandArgument,
  isArchived: boolean,
  title: string,
): Promise<void> {
  for (const key of await targetSessions(parts, argument, title)) await archive(parts, key, isArchived);
}

/** Archives a session or takes that back; the notification offers the opposite. */
export function archive(parts: SettingsParts, key: SessionKey, isArchived: boolean): Promise<SettingsOutcome> {
  const undo = { label: parts.t('Undo'), run: () => archive(parts, key, !isArchived) };
  return changeSettings(
    parts,
    key,
    // The API names no way back but another value; an empty one is the plainest (spec 2.2, 4.2).
    ({ archivedAt }) =>
      isUnset(archivedAt) === isArchived ? { archivedAt: isArchived ? new Date().toISOString() : '' } : undefined,
    undo,
  );
}
