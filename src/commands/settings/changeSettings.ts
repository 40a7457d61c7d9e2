import type { SessionSettings } from '../../api/resources/session.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import { type NotificationButton, showInfo, showWarning } from '../../host/prompts/notify.ts';
import { whileWorking } from '../../host/prompts/progress.ts';
import { plainLine } from '../../shared/text.ts';
import { describeFailure } from '../../state/presentation/describeFailure.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import { describeChange, describeReread, settingLabel } from '../../state/presentation/describeSettings.ts';
import { isUnset, namesOf } from '../../state/sessions/sessionSettings.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { toFailure } from '../../sync/connection/probe.ts';
import type { SettingsChange, SettingsOutcome } from '../../sync/settingsWriter.ts';
import type { CommandContext } from '../context.ts';
import { notify, UserFacingError } from '../commandErrors.ts';
import type { CommandHandlers, SessionsArgument } from '../commandArguments.ts';
import { targetSessions } from '../sessions/pick.ts';

/**
 * Changes settings of a session, and shows a notification about the outcome unless there was nothing to change. Offers
 * to restore settings that the service dropped; `undo` is the button shown if the change was made as requested.
 * Refreshes the session at the end.
 * @throws ApiError if the change was certainly not made. UserFacingError if there is no usable key for the service.
 */
export async function changeSettings(
  context: CommandContext,
  key: SessionKey,
  makeChange: SettingsChange,
  undo?: NotificationButton,
): Promise<SettingsOutcome> {
  const { settingsWriter, sessions, t } = context;
  const api = apiClientFor(context, key);
  const title = t('Updating settings for "{0}"...', titleOf(context, key));
  try {
    const outcome = await whileWorking(title, () => settingsWriter.write(api, key, makeChange));
    showOutcome(context, key, outcome, undo);
    return outcome;
  } finally {
    await sessions.refresh(key);
  }
}

/**
 * The settings after a change, as the service returned them or as they were read again; undefined if neither happened.
 */
export function settingsAfter(outcome: SettingsOutcome): SessionSettings | undefined {
  return 'after' in outcome ? outcome.after : undefined;
}

/**
 * The API client for a session's service.
 * @throws UserFacingError if no key is stored for the service, or if the service rejected it.
 */
export function apiClientFor({ connections, t }: CommandContext, { origin }: SessionKey): SessionsApi {
  const api = connections.apiFor(origin);
  if (!api) throw new UserFacingError(t('No API key for {0}. Set one first.', origin));
  return api;
}

/** The title of a session, or its ID if the session is no longer in the list. */
export function titleOf({ store }: CommandContext, key: SessionKey): string {
  const record = store.record(key);
  return record ? sessionTitle(record) : plainLine(key.sessionId, 80);
}

function showOutcome(
  context: CommandContext,
  key: SessionKey,
  outcome: SettingsOutcome,
  undo: NotificationButton | undefined,
): void {
  const { t } = context;
  if (outcome.kind === 'unchanged') return;
  const failure = 'error' in outcome && outcome.error !== undefined ? toFailure(outcome.error, Date.now()) : undefined;
  const reason = failure ? `${describeFailure(failure, t)} ` : '';
  if (outcome.kind === 'unknown') {
    const names = namesOf(outcome.change).map((name) => settingLabel(name, t));
    void showWarning(
      `${reason}${t("Couldn't confirm the change ({0}). It won't be retried automatically.", t.formats.list(names))}`,
    );
    return;
  }
  const title = titleOf(context, key);
  const lost = namesOf(outcome.lost);
  const restore = { label: t('Restore'), run: () => changeSettings(context, key, () => outcome.lost) };
  const message = outcome.kind === 'answered' ? describeChange(outcome, title, t) : describeReread(outcome, title, t);
  const isAsAsked = outcome.kind === 'answered' && outcome.differing.length === 0 && lost.length === 0;
  const buttons = lost.length > 0 ? [restore] : isAsAsked && undo ? [undo] : [];
  void notify(isAsAsked ? showInfo : showWarning, context, `${reason}${message}`, ...buttons);
}

/** Commands that archive and unarchive sessions on the service, for all of its clients. */
export function archiveCommands(context: CommandContext) {
  const { t } = context;
  return {
    archiveSession: (argument) => setArchived(context, argument, true, t('Archive')),
    unarchiveSession: (argument) => setArchived(context, argument, false, t('Unarchive')),
  } satisfies Partial<CommandHandlers>;
}

async function setArchived(
  context: CommandContext,
  argument: SessionsArgument,
  isArchived: boolean,
  title: string,
): Promise<void> {
  for (const key of await targetSessions(context, argument, title)) await archive(context, key, isArchived);
}

/** Archives or unarchives a session, and offers to undo the change. */
function archive(context: CommandContext, key: SessionKey, isArchived: boolean): Promise<SettingsOutcome> {
  const undo = { label: context.t('Undo'), run: () => archive(context, key, !isArchived) };
  return changeSettings(
    context,
    key,
    // The API can't remove a setting, so an empty value means "not archived" (spec 10.13).
    ({ archivedAt }) =>
      isUnset(archivedAt) === isArchived ? { archivedAt: isArchived ? new Date().toISOString() : '' } : undefined,
    undo,
  );
}
