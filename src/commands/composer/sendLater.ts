import { askChoice, type Choice } from '../../host/prompts/askChoice.ts';
import { askText, type ValidationMessage } from '../../host/prompts/askText.ts';
import type { SendCondition } from '../../shared/protocol/vocabulary.ts';
import type { Translate } from '../../shared/text.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Services } from '../services.ts';
import { pickSession } from '../sessions/pick.ts';
import { type BadTime, parseSendTime, type SendPreset, sendPresets } from './sendTimes.ts';

/** What a scheduled message can wait for, as the user chooses it. */
type Option = SendCondition | 'time' | 'session';

/** Lets the user choose what the next message of a session waits for. Resolves to undefined if the user cancels. */
export async function chooseSendCondition(
  services: Pick<Services, 'store' | 'sessions' | 't'>,
  key: SessionKey,
  title: string,
): Promise<SendCondition | undefined> {
  const { store, t } = services;
  for (;;) {
    const hasOthers = store.records.length > 1;
    const placeholder = t('Select when to send the message');
    const answer = await askChoice({ title, placeholder, choices: options(Date.now(), hasOthers, t) });
    if (answer.kind !== 'chosen') return undefined;
    const { value } = answer;
    if (typeof value === 'object') return value;
    if (value === 'session') {
      const other = await pickSession(services, title, [], key);
      return other && { kind: 'sessionIdle', key: { ...other } };
    }
    const time = await askTime(title, t);
    if (time !== 'back') return time;
  }
}

function options(now: number, hasOthers: boolean, t: Translate): readonly Choice<Option>[] {
  const presets = sendPresets(now).map(({ kind, at }): Choice<Option> => {
    const description = t.formats.dateTime(at);
    return { label: presetLabel(kind, t), description, icon: 'clockface', value: { kind: 'time', at } };
  });
  const atTime: Choice<Option> = { label: t('At a Time...'), icon: 'calendar', value: 'time' };
  const whenIdle: Choice<Option> = {
    label: t('When Another Session Is Idle...'),
    icon: 'debug-pause',
    value: 'session',
  };
  return [...presets, atTime, ...(hasOthers ? [whenIdle] : [])];
}

function presetLabel(kind: SendPreset['kind'], t: Translate): string {
  switch (kind) {
    case 'inOneHour':
      return t('In 1 Hour');
    case 'thisEvening':
      return t('This Evening');
    case 'tomorrowMorning':
      return t('Tomorrow Morning');
  }
}

async function askTime(title: string, t: Translate): Promise<SendCondition | 'back' | undefined> {
  const answer = await askText({
    title,
    prompt: t('When to send the message, in your time zone'),
    placeholder: t('For example, {0}', '18:30, 2026-11-24 09:00, 30m, 2h'),
    canGoBack: true,
    check: (text) => checkTime(text, t),
  });
  if (answer.kind !== 'text') return answer.kind === 'back' ? 'back' : undefined;
  const at = parseSendTime(answer.text, Date.now());
  return typeof at === 'number' ? { kind: 'time', at } : 'back';
}

function checkTime(text: string, t: Translate): ValidationMessage | undefined {
  const at = parseSendTime(text, Date.now());
  return typeof at === 'number' ? undefined : { message: badTimeSentence(at, t), isWarning: false };
}

function badTimeSentence(reason: BadTime, t: Translate): string {
  switch (reason) {
    case 'unreadable':
      return t('Enter a time, for example {0}.', '18:30, 2026-11-24 09:00, 30m, 2h');
    case 'past':
      return t('Enter a time in the future.');
    case 'skipped':
      return t("This time doesn't exist on that day because the clocks change.");
  }
}
