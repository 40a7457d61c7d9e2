import type { SessionKey } from '../../state/store/sessionKey.ts';
import { isUnset } from '../../state/sessions/settings.ts';
import type { SettingsOutcome } from '../../sync/settingsWriter.ts';
import { type SettingsParts, changeSettings } from './changeSettings.ts';
import type { CommandArgument, CommandTable } from '../register.ts';
import { targetSessions } from '../sessions/sessionTarget.ts';

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
