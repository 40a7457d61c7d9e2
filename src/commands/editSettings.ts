import * as vscode from 'vscode';
import type { Session, SessionSettings, SessionSettingsPatch } from '../api/session.ts';
import type { SessionsApi } from '../api/sessionsApi.ts';
import { askText } from '../host/askText.ts';
import { showInfo } from '../host/notify.ts';
import { withCancel } from '../host/progress.ts';
import { sessionTitle } from '../state/describeSession.ts';
import type { SessionKey } from '../state/sessionKey.ts';
import type { Store } from '../state/store.ts';
import { type Translate, plainLine } from '../state/words.ts';
import { ToldError } from './problems.ts';
import type { CommandArgument, CommandTable } from './register.ts';
import { plainPickLabel } from './sessionPick.ts';
import { currentOrTarget } from './sessionTarget.ts';

export interface SettingsParts {
  readonly store: Store;
  readonly apiFor: (origin: string) => SessionsApi | undefined;
  readonly refresh: (key: SessionKey) => Promise<void>;
  readonly t: Translate;
}

/** The settings that can be changed here so far; each is one step of the flow. */
type EditableField = 'model' | 'specModeModel' | 'runInWorktree';
const editableFields: readonly EditableField[] = ['model', 'specModeModel', 'runInWorktree'];

export function settingsCommands(parts: SettingsParts): CommandTable {
  return { editSettings: (argument) => editSettings(parts, argument) };
}

/** Shows a session's settings as the service has them, changes one at a time, and shows the answer. */
async function editSettings(parts: SettingsParts, argument: CommandArgument): Promise<void> {
  const { store, apiFor, refresh, t } = parts;
  const key = await currentOrTarget(parts, argument, t('Edit Session Settings'));
  if (!key) return;
  const api = apiFor(key.origin);
  if (!api) throw new ToldError(t('There is no API key for {0}. Set one first.', key.origin));
  let session = await readSession(parts, api, key);
  for (;;) {
    const field = await pickField(session, titleOf(store, key), t);
    if (!field) return;
    const change = await askChange(store, session, field, t);
    if (!change) continue;
    const before = session;
    try {
      session = await api.updateSession(key.sessionId, change);
    } finally {
      // After an unknown outcome the service is asked what it has, never told again (R26).
      await refresh(key);
    }
    tellChange(before, session, field, change, t);
  }
}

function readSession({ store, t }: SettingsParts, api: SessionsApi, key: SessionKey): Promise<Session> {
  const computerId = store.record(key)?.deck.computerId;
  const title = t('Reading the settings of "{0}"...', titleOf(store, key));
  return withCancel(title, (signal) => api.getSession(key.sessionId, { computerId, signal }));
}

async function pickField(session: Session, title: string, t: Translate): Promise<EditableField | undefined> {
  const items = editableFields.map((field) => ({
    field,
    label: fieldLabel(field, t),
    description: plainPickLabel(valueLabel(session.sessionSettings?.[field], t)),
  }));
  const placeHolder = t('Choose a setting to change');
  return (await vscode.window.showQuickPick(items, { title: t('Settings of "{0}"', title), placeHolder }))?.field;
}

async function askChange(
  store: Store,
  session: Session,
  field: EditableField,
  t: Translate,
): Promise<SessionSettingsPatch | undefined> {
  const current = session.sessionSettings?.[field];
  if (field === 'runInWorktree') {
    const choice = await pickValue([t('On'), t('Off')], fieldLabel(field, t), valueLabel(current, t), t);
    return choice === undefined ? undefined : { runInWorktree: choice === t('On') };
  }
  const seen = new Set(store.records.flatMap(({ session: other }) => modelsOf(other?.sessionSettings)));
  const other = t('Other...');
  const choice = await pickValue([...seen, other], fieldLabel(field, t), valueLabel(current, t), t);
  if (choice === undefined || choice !== other) return choice === undefined ? undefined : { [field]: choice };
  const answer = await askText({
    title: fieldLabel(field, t),
    prompt: t('A model identifier of the service. It is sent as it is: the API does not say which values there are.'),
    value: typeof current === 'string' ? current : '',
    check: (text) => (text.trim() === '' ? { message: t('Enter a model identifier.'), isWarning: false } : undefined),
  });
  return answer.kind === 'text' ? { [field]: answer.text.trim() } : undefined;
}

async function pickValue(
  values: readonly string[],
  title: string,
  current: string,
  t: Translate,
): Promise<string | undefined> {
  const items = values.map((value) => ({
    value,
    label: plainPickLabel(plainLine(value, 120)),
    ...(value === current ? { description: t('current') } : {}),
  }));
  return (await vscode.window.showQuickPick(items, { title, placeHolder: t('Choose a value') }))?.value;
}

function modelsOf(settings: SessionSettings | undefined): string[] {
  return [settings?.model, settings?.specModeModel].flatMap((model) =>
    model === undefined || model === '' ? [] : [model],
  );
}

/** Says what the service made of the change, also where it kept another value or dropped other settings. */
function tellChange(
  before: Session,
  after: Session,
  field: EditableField,
  change: SessionSettingsPatch,
  t: Translate,
): void {
  const label = fieldLabel(field, t);
  const value = after.sessionSettings?.[field];
  const lost = lostFields(before.sessionSettings ?? {}, after.sessionSettings ?? {});
  const sentence =
    value === change[field]
      ? t('{0} is now {1}.', label, valueLabel(value, t))
      : t('The service answered with another value: {0} is {1}.', label, valueLabel(value, t));
  const warning =
    lost.length === 0 ? '' : ` ${t('With this change the service dropped other settings: {0}.', lost.join(', '))}`;
  void showInfo(`${sentence}${warning}`);
}

function lostFields(before: SessionSettings, after: SessionSettings): string[] {
  const kept = new Set(Object.entries(after).flatMap(([name, value]) => (value === undefined ? [] : [name])));
  return Object.entries(before).flatMap(([name, value]) => (value === undefined || kept.has(name) ? [] : [name]));
}

function fieldLabel(field: EditableField, t: Translate): string {
  switch (field) {
    case 'model':
      return t('Model');
    case 'specModeModel':
      return t('Spec Mode Model');
    case 'runInWorktree':
      return t('Run in Worktree');
  }
}

function valueLabel(value: string | boolean | undefined, t: Translate): string {
  if (value === undefined || value === '') return t('not set');
  if (typeof value === 'boolean') return value ? t('On') : t('Off');
  return plainLine(value, 120);
}

function titleOf(store: Store, key: SessionKey): string {
  const record = store.record(key);
  return record ? sessionTitle(record) : plainLine(key.sessionId, 80);
}
