import type { SessionSettings, SessionSettingsPatch } from '../../api/resources/session.ts';
import { type Choice, type ChoiceAnswer, askChoice, askChoices } from '../../host/prompts/askChoice.ts';
import { withCancel } from '../../host/prompts/progress.ts';
import { currentModelWord, onOff, settingLabel, settingValue } from '../../state/presentation/describeSettings.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { editableSettings, isUnset, managedSettings, type SettingName } from '../../state/sessions/sessionSettings.ts';
import { sameMembers } from '../../shared/equality.ts';
import { plainLine } from '../../shared/text.ts';
import { changeSettings, apiClientFor, settingsAfter, titleOf } from './changeSettings.ts';
import type { CommandContext } from '../context.ts';
import { takingEntered } from '../enteredFailure.ts';
import { editTagsOf } from './editTags.ts';
import type { CommandArguments, CommandHandlers } from '../commandArguments.ts';
import { activeOrTarget } from '../sessions/pick.ts';

type TextName = 'model' | 'specModeModel' | 'compactionModel';
type SwitchName = 'runInWorktree' | 'compactionThresholdCheckEnabled' | 'archivedAt';
type ToolsName = 'enabledToolIds' | 'disabledToolIds';

type EditableName = (typeof editableSettings)[number];

/** Commands that edit the settings of a session on the service. */
export function settingsCommands(context: CommandContext) {
  return {
    editSettings: (argument) => editSettings(context, argument),
    editTags: async (argument) => {
      const key = await activeOrTarget(context, argument, context.t('Edit Tags'));
      if (key) await editTagsOf(context, key, await readSettings(context, key), false);
    },
  } satisfies Partial<CommandHandlers>;
}

/**
 * Shows the settings of a session, lets the user change one, and shows them again until the user cancels. If the
 * argument names a setting, asks for its value first, and shows all settings only if the user goes back.
 */
async function editSettings(context: CommandContext, argument: CommandArguments['editSettings']): Promise<void> {
  const key = await activeOrTarget(context, argument, context.t('Edit Session Settings'));
  if (!key) return;
  let settings = await readSettings(context, key);
  if (argument.setting !== undefined) {
    const answer = await editOne(context, key, settings, argument.setting);
    if (answer.kind !== 'back') return;
  }
  for (;;) {
    const name = await askName(context, key, settings);
    if (name.kind !== 'chosen') return;
    if (!isEditable(name.value)) continue;
    const answer = await editOne(context, key, settings, name.value);
    if (answer.kind === 'cancelled') return;
    if (answer.kind === 'chosen') settings = answer.value;
  }
}

function isEditable(name: string): name is EditableName {
  return editableSettings.some((candidate) => candidate === name);
}

async function readSettings(context: CommandContext, key: SessionKey): Promise<SessionSettings> {
  const api = apiClientFor(context, key);
  const title = context.t('Loading settings for "{0}"...', titleOf(context, key));
  return withCancel(title, (signal) => context.settingsWriter.read(api, key, signal));
}

function askName(
  context: CommandContext,
  key: SessionKey,
  settings: SessionSettings,
): Promise<ChoiceAnswer<SettingName>> {
  const { t } = context;
  const row = (name: SettingName): Choice<SettingName> => ({
    label: settingLabel(name, t),
    description: settingValue(name, settings, t),
    value: name,
  });
  const facts = managedSettings.filter((name) => !isUnset(settings[name])).map(row);
  return askChoice({
    title: t('Settings for "{0}"', titleOf(context, key)),
    placeholder: t('Select a setting to change'),
    choices: [
      ...editableSettings.map(row),
      ...(facts.length === 0 ? [] : [{ label: t('Managed by the Service') }]),
      ...facts,
    ],
  });
}

/** Asks for the new value of a setting and saves it. Resolves to the settings afterward. */
async function editOne(
  context: CommandContext,
  key: SessionKey,
  settings: SessionSettings,
  name: EditableName,
): Promise<ChoiceAnswer<SessionSettings>> {
  if (name === 'tags') return editTagsOf(context, key, settings, true);
  const answer = await askValue(context, key, settings, name);
  if (answer.kind !== 'chosen') return answer;
  const outcome = await takingEntered(() => changeSettings(context, key, () => answer.value));
  return { kind: 'chosen', value: settingsAfter(outcome) ?? settings };
}

function askValue(
  context: CommandContext,
  { origin }: SessionKey,
  settings: SessionSettings,
  name: Exclude<EditableName, 'tags'>,
): Promise<ChoiceAnswer<SessionSettingsPatch>> {
  switch (name) {
    case 'model':
    case 'specModeModel':
    case 'compactionModel':
      return askText(context, origin, settings, name);
    case 'enabledToolIds':
    case 'disabledToolIds':
      return askTools(context, origin, settings, name);
    case 'runInWorktree':
    case 'compactionThresholdCheckEnabled':
    case 'archivedAt':
      return askSwitch(context, settings, name);
  }
}

/** Offers only models of sessions on the same service, so that model names from one service aren't sent to another. */
async function askText(
  { store, t }: CommandContext,
  origin: string,
  settings: SessionSettings,
  name: TextName,
): Promise<ChoiceAnswer<SessionSettingsPatch>> {
  const current = settings[name];
  const all = [...store.recordsOf(origin).map(({ session }) => session?.sessionSettings), settings];
  const seen = new Set(all.flatMap((other) => [other?.model, other?.specModeModel, other?.compactionModel]));
  const models = [...seen].flatMap((model) =>
    model === undefined || model === '' || model === currentModelWord ? [] : [model],
  );
  const inUse = {
    label: t('Current Model'),
    detail: t("The session's current model"),
    value: currentModelWord,
  };
  const values = models.sort().map((value) => ({
    label: plainLine(value, 120),
    value,
    description: value === current ? t('current') : undefined,
  }));
  const answer = await askChoice<string>({
    title: settingLabel(name, t),
    placeholder: t('Select a model, or enter a model ID'),
    choices: name === 'compactionModel' ? [inUse, ...values] : values,
    canGoBack: true,
    current,
    typed: (text) => ({
      label: text,
      detail: t('Use this value'),
      value: text,
    }),
  });
  return answer.kind === 'chosen' ? { kind: 'chosen', value: { [name]: answer.value } } : answer;
}

async function askSwitch(
  { t }: CommandContext,
  settings: SessionSettings,
  name: SwitchName,
): Promise<ChoiceAnswer<SessionSettingsPatch>> {
  const value = settings[name];
  const current = typeof value === 'string' ? value !== '' : value;
  const words = (isOn: boolean) => (name === 'archivedAt' ? (isOn ? t('Yes') : t('No')) : onOff(isOn, t));
  const answer = await askChoice<boolean>({
    title: settingLabel(name, t),
    placeholder: t('Select a value'),
    choices: [true, false].map((isOn) => ({
      label: words(isOn),
      value: isOn,
      description: isOn === current ? t('current') : undefined,
    })),
    canGoBack: true,
    current,
  });
  if (answer.kind !== 'chosen') return answer;
  const isOn = answer.value;
  const archivedAt = isOn ? new Date().toISOString() : '';
  return { kind: 'chosen', value: name === 'archivedAt' ? { archivedAt } : { [name]: isOn } };
}

async function askTools(
  { store, t }: CommandContext,
  origin: string,
  settings: SessionSettings,
  name: ToolsName,
): Promise<ChoiceAnswer<SessionSettingsPatch>> {
  const picked = settings[name] ?? [];
  const all = [settings, ...store.recordsOf(origin).map(({ session }) => session?.sessionSettings)];
  const seen = all.flatMap((other) => [...(other?.enabledToolIds ?? []), ...(other?.disabledToolIds ?? [])]);
  const answer = await askChoices<string>({
    title: settingLabel(name, t),
    placeholder: t('Select tools, or enter a tool ID'),
    choices: [...new Set([...picked, ...seen])].map((value) => ({ label: plainLine(value, 120), value })),
    canGoBack: true,
    picked,
    typed: (text) => ({ label: text, value: text }),
  });
  if (answer.kind !== 'chosen') return answer;
  // An empty list isn't the same as no list, so an unset list stays unset.
  return { kind: 'chosen', value: sameMembers(answer.value, picked) ? {} : { [name]: answer.value } };
}
