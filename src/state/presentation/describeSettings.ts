import type { SessionSettings } from '../../api/resources/session.ts';
import { describeDuration } from './describeTime.ts';
import { type SettingName, type SettingsComparison, isUnset, namesOf } from '../sessions/sessionSettings.ts';
import { type Translate, plainLine } from '../../shared/text.ts';

/** The value of the compaction model that selects the session's current model (spec 2.2). */
export const currentModelWord = 'current-model';

/** The display name of a setting. */
export function settingLabel(name: SettingName, t: Translate): string {
  switch (name) {
    case 'model':
      return t('Model');
    case 'specModeModel':
      return t('Spec Mode Model');
    case 'compactionModel':
      return t('Compaction Model');
    case 'compactionThresholdCheckEnabled':
      return t('Compaction Threshold Check');
    case 'runInWorktree':
      return t('Run in Worktree');
    case 'enabledToolIds':
      return t('Enabled Tools');
    case 'disabledToolIds':
      return t('Disabled Tools');
    case 'tags':
      return t('Tags');
    case 'archivedAt':
      return t('Archived');
    case 'providerLockTimestamp':
      return t('Provider Locked');
    case 'assistantActiveTimeMs':
      return t('Active Time');
    case 'childInclusiveTokenUsageBySessionId':
      return t('Child Sessions');
  }
}

/** The value of a setting on one line. If it has none, "not set", or "No" for `archivedAt`. */
export function settingValue(name: SettingName, settings: SessionSettings, t: Translate): string {
  const value = settings[name];
  if (isUnset(value)) return name === 'archivedAt' ? t('No') : t('not set');
  if (typeof value === 'boolean') return onOff(value, t);
  if (typeof value === 'number') return describeDuration(value, t);
  if (name === 'compactionModel' && value === currentModelWord) return t('Current Model');
  if (typeof value === 'string') return isTime(name) ? timeLabel(value, t) : plainLine(value, 120);
  if (name === 'tags')
    return listLabel(
      (settings.tags ?? []).map((tag) => tag.name),
      t,
    );
  if (Array.isArray(value)) return listLabel(settings[name === 'enabledToolIds' ? name : 'disabledToolIds'] ?? [], t);
  return t.formats.number(Object.keys(value ?? {}).length);
}

/** The label for the value of a Boolean setting. */
export function onOff(isOn: boolean, t: Translate): string {
  return isOn ? t('On') : t('Off');
}

/** Maximum number of changed settings that are reported with their values. */
const maxReportedValues = 3;

/** Describes the outcome of a settings change. `title` is the session's title. */
export function describeChange(comparison: SettingsComparison, title: string, t: Translate): string {
  const labels = namesOf(comparison.change).map((name) => settingLabel(name, t));
  // A notification has no room for this many values, so list only the names of the settings.
  if (labels.length > maxReportedValues && comparison.differing.length === 0) {
    const changed = t({ other: 'Changed {0} settings: {1}.' }, labels.length, t.formats.list(labels));
    return [changed, ...droppedSentence(comparison, t)].join(' ');
  }
  const sentences = namesOf(comparison.change).map((name) =>
    comparison.differing.includes(name)
      ? differingSentence(name, comparison.after, t)
      : changedSentence(name, comparison.after, title, t),
  );
  return [...sentences, ...droppedSentence(comparison, t)].join(' ');
}

/** Describes a settings change whose outcome was unknown until the session was refreshed. */
export function describeReread(comparison: SettingsComparison, title: string, t: Translate): string {
  const sentences = namesOf(comparison.change).map((name) =>
    comparison.differing.includes(name)
      ? t(
          "Session refreshed. The change wasn't applied: {0} is {1}.",
          settingLabel(name, t),
          settingValue(name, comparison.after, t),
        )
      : t('Session refreshed. {0}', changedSentence(name, comparison.after, title, t)),
  );
  return [...sentences, ...droppedSentence(comparison, t)].join(' ');
}

function droppedSentence({ lost }: SettingsComparison, t: Translate): string[] {
  const labels = namesOf(lost).map((name) => settingLabel(name, t));
  return labels.length === 0 ? [] : [t('The service also reset these settings: {0}.', t.formats.list(labels))];
}

function changedSentence(name: SettingName, after: SessionSettings, title: string, t: Translate): string {
  const value = settingValue(name, after, t);
  switch (name) {
    case 'archivedAt':
      return isUnset(after.archivedAt) ? t('"{0}" is no longer archived.', title) : t('"{0}" is archived.', title);
    case 'tags':
    case 'enabledToolIds':
    case 'disabledToolIds':
      return t('{0}: {1}.', settingLabel(name, t), value);
    default:
      return t('{0} is now {1}.', settingLabel(name, t), value);
  }
}

function differingSentence(name: SettingName, after: SessionSettings, t: Translate): string {
  if (name === 'archivedAt') {
    return isUnset(after.archivedAt)
      ? t("The service accepted the change, but the session isn't archived.")
      : t("The session is still archived. The service doesn't support unarchiving.");
  }
  return t('The service returned a different value: {0} is {1}.', settingLabel(name, t), settingValue(name, after, t));
}

function isTime(name: SettingName): boolean {
  return name === 'archivedAt' || name === 'providerLockTimestamp';
}

/** Formats a time string, whose format spec 2.2 doesn't define: localized if it can be parsed, verbatim otherwise. */
function timeLabel(text: string, t: Translate): string {
  return t.formats.dateTime(new Date(text).getTime()) || plainLine(text, 80);
}

function listLabel(items: readonly string[], t: Translate): string {
  return plainLine(t.formats.list(items), 160);
}
