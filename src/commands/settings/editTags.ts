import type { SessionSettings, Tag } from '../../api/resources/session.ts';
import { askChoice, type Choice, type ChoiceAnswer, colorSwatch } from '../../host/prompts/askChoice.ts';
import { type ValidationMessage, askText } from '../../host/prompts/askText.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import {
  type TagEdit,
  editTags,
  isTagColor,
  knownTags,
  readMetadata,
  tagColor,
  tagMetadata,
} from '../../state/sessions/sessionSettings.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import type { SettingsChange } from '../../sync/settingsWriter.ts';
import type { CommandContext } from '../context.ts';
import { takingEntered } from '../enteredFailure.ts';
import { changeSettings, settingsAfter, titleOf } from './changeSettings.ts';

type Step = { readonly kind: 'add' } | { readonly kind: 'tag'; readonly tag: Tag };
type TagAction = 'rename' | 'color' | 'metadata' | 'remove';

/**
 * Shows the tags of a session, and lets the user edit them until the user goes back or cancels. If the user goes back,
 * resolves to the updated settings.
 * @throws as {@link takingEntered} does if a change fails.
 */
export async function editTagsOf(
  context: CommandContext,
  key: SessionKey,
  before: SessionSettings,
  canGoBack: boolean,
): Promise<ChoiceAnswer<SessionSettings>> {
  let settings = before;
  for (;;) {
    const step = await askStep(context, key, settings.tags ?? [], canGoBack);
    if (step.kind === 'cancelled') return step;
    if (step.kind === 'back') return { kind: 'chosen', value: settings };
    const tags = settings.tags ?? [];
    const edit =
      step.value.kind === 'add'
        ? await askNewTag(context, key.origin, tags)
        : await askTagEdit(step.value.tag, tags, context.t);
    if (edit.kind === 'cancelled') return edit;
    if (edit.kind === 'back') continue;
    const change: SettingsChange = (now) => {
      const edited = editTags(now.tags ?? [], edit.value);
      return edited && { tags: edited };
    };
    const outcome = await takingEntered(() => changeSettings(context, key, change));
    settings = settingsAfter(outcome) ?? settings;
  }
}

function askStep(
  context: CommandContext,
  key: SessionKey,
  tags: readonly Tag[],
  canGoBack: boolean,
): Promise<ChoiceAnswer<Step>> {
  const { t } = context;
  const rows = tags.map((tag): Choice<Step> => ({ ...tagRow(tag), value: { kind: 'tag', tag } }));
  const add: Choice<Step> = { label: t('Add Tag...'), icon: 'add', value: { kind: 'add' } };
  return askChoice({
    title: t('Tags for "{0}"', titleOf(context, key)),
    placeholder: t('Select a tag to change, or add one'),
    choices: [...rows, ...(rows.length === 0 ? [] : [{ label: '' }]), add],
    canGoBack,
  });
}

/** Asks for a new tag. A tag of another session of the service is added with its color and other metadata. */
async function askNewTag(
  { store, t }: CommandContext,
  origin: string,
  tags: readonly Tag[],
): Promise<ChoiceAnswer<TagEdit>> {
  const known = knownTags(store.recordsOf(origin).map(({ session }) => session?.sessionSettings?.tags ?? []));
  const others = known.filter(({ name }) => tags.every((tag) => tag.name !== name));
  const answer = await askChoice<Tag>({
    title: t('Add Tag'),
    placeholder: t('Select a tag used in another session, or enter a new one'),
    choices: others.map((tag) => ({ ...tagRow(tag), value: tag })),
    canGoBack: true,
    typed: (text) =>
      tags.some(({ name }) => name === text)
        ? undefined
        : { label: text, description: t('new tag'), icon: 'tag', value: { name: text } },
  });
  return answer.kind === 'chosen' ? { kind: 'chosen', value: { kind: 'add', tag: answer.value } } : answer;
}

async function askTagEdit(tag: Tag, tags: readonly Tag[], t: Translate): Promise<ChoiceAnswer<TagEdit>> {
  // Setting a color would replace metadata that isn't an object, so don't offer it then.
  const canTakeColor = tag.metadata === undefined || isObject(tag.metadata);
  const action = await askChoice<TagAction>({
    title: t('Tag "{0}"', plainLine(tag.name, 80)),
    placeholder: t('Select an action'),
    choices: [
      { label: t('Rename...'), icon: 'edit', value: 'rename' },
      ...(canTakeColor ? [{ label: t('Change Color...'), icon: 'symbol-color', value: 'color' } as const] : []),
      { label: t('Edit Metadata...'), icon: 'json', description: tagMetadata(tag), value: 'metadata' },
      { label: t('Remove'), icon: 'trash', value: 'remove' },
    ],
    canGoBack: true,
  });
  if (action.kind !== 'chosen') return action;
  switch (action.value) {
    case 'rename':
      return askNewName(tag, tags, t);
    case 'color':
      return askColor(tag, t);
    case 'metadata':
      return askMetadata(tag, t);
    case 'remove':
      return { kind: 'chosen', value: { kind: 'remove', name: tag.name } };
  }
}

async function askNewName({ name }: Tag, tags: readonly Tag[], t: Translate): Promise<ChoiceAnswer<TagEdit>> {
  const check = (text: string): ValidationMessage | undefined => {
    const to = text.trim();
    if (to === '') return { message: t('Enter a name.'), isWarning: false };
    const isTaken = to !== name && tags.some((tag) => tag.name === to);
    return isTaken ? { message: t('A tag with this name already exists.'), isWarning: false } : undefined;
  };
  const prompt = t('Enter the new name of the tag in this session.');
  const answer = await askText({ title: t('Rename Tag'), prompt, value: name, canGoBack: true, check });
  if (answer.kind !== 'text') return answer;
  return { kind: 'chosen', value: { kind: 'rename', name, to: answer.text.trim() } };
}

async function askColor(tag: Tag, t: Translate): Promise<ChoiceAnswer<TagEdit>> {
  const colors = {
    '#d73a4a': t('Red'),
    '#e36209': t('Orange'),
    '#dbab09': t('Yellow'),
    '#0e8a16': t('Green'),
    '#0366d6': t('Blue'),
    '#6f42c1': t('Purple'),
    '#6a737d': t('Gray'),
  };
  const row = (color: string, label: string) => ({ label, description: color, icon: colorSwatch(color), value: color });
  const answer = await askChoice<string>({
    title: t('Color for "{0}"', plainLine(tag.name, 80)),
    placeholder: t('Select a color, or enter one as #rrggbb'),
    choices: [
      ...Object.entries(colors).map(([color, label]) => row(color, label)),
      { label: t('None'), icon: 'circle-slash', value: '' },
    ],
    canGoBack: true,
    current: tagColor(tag) ?? '',
    typed: (text) => (isTagColor(text) ? row(text, text) : undefined),
  });
  if (answer.kind !== 'chosen') return answer;
  const before = Object.entries(isObject(tag.metadata) ? tag.metadata : {}).filter(([name]) => name !== 'color');
  const metadata = Object.fromEntries(answer.value === '' ? before : [...before, ['color', answer.value]]);
  return { kind: 'chosen', value: { kind: 'describe', name: tag.name, metadata } };
}

async function askMetadata(tag: Tag, t: Translate): Promise<ChoiceAnswer<TagEdit>> {
  const answer = await askText({
    title: t('Metadata for "{0}"', plainLine(tag.name, 80)),
    prompt: t('JSON object. Visible to everyone with access to this session.'),
    value: tag.metadata === undefined ? '' : JSON.stringify(tag.metadata),
    canGoBack: true,
    check: (text) =>
      readMetadata(text)
        ? undefined
        : { message: t('Enter a JSON object, such as {0}.', '{"a": 1}'), isWarning: false },
  });
  if (answer.kind !== 'text') return answer;
  return { kind: 'chosen', value: { kind: 'describe', name: tag.name, metadata: readMetadata(answer.text) ?? {} } };
}

function tagRow(tag: Tag): Omit<Choice<never>, 'value'> {
  const color = tagColor(tag);
  return {
    label: plainLine(tag.name, 120),
    description: tagMetadata(tag),
    icon: color === undefined ? 'tag' : colorSwatch(color),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
