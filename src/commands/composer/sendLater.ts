import { askChoice, type Choice } from '../../host/prompts/askChoice.ts';
import { askText, type ValidationMessage } from '../../host/prompts/askText.ts';
import type { SendCondition } from '../../shared/protocol/vocabulary.ts';
import type { Translate } from '../../shared/text.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Services } from '../services.ts';
import { pickSession } from '../sessions/pick.ts';
import { parseSendTime, sendPresets } from './sendTimes.ts';

const examples = '18:30, 2026-11-24 09:00, 30m, 2h';

/** A choice of the user: what the message waits for, or the kind of condition that is asked for next. */
type Option = SendCondition | 'time' | 'session';

/** Lets the user choose what a message of a session waits for. Resolves to undefined if the user cancels. */
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
  const labels = {
    inOneHour: t('In 1 Hour'),
    thisEvening: t('This Evening'),
    tomorrowMorning: t('Tomorrow Morning'),
  };
  const presets = sendPresets(now).map(({ kind, at }): Choice<Option> => {
    const description = t.formats.dateTime(at);
    return { label: labels[kind], description, icon: 'clockface', value: { kind: 'time', at } };
  });
  const atTime: Choice<Option> = { label: t('At a Time...'), icon: 'calendar', value: 'time' };
  const whenIdle: Choice<Option> = {
    label: t('When Another Session Is Idle...'),
    icon: 'comment-discussion',
    value: 'session',
  };
  return [...presets, atTime, ...(hasOthers ? [whenIdle] : [])];
}

async function askTime(title: string, t: Translate): Promise<SendCondition | 'back' | undefined> {
  const answer = await askText({
    title,
    prompt: t('When to send the message, in your time zone'),
    placeholder: examples,
    canGoBack: true,
    check: (text) => checkTime(text, t),
  });
  if (answer.kind !== 'text') return answer.kind === 'back' ? 'back' : undefined;
  const at = parseSendTime(answer.text, Date.now());
  return typeof at === 'number' ? { kind: 'time', at } : 'back';
}

function checkTime(text: string, t: Translate): ValidationMessage | undefined {
  const at = parseSendTime(text, Date.now());
  if (typeof at === 'number') return undefined;
  const messages = {
    unreadable: t('Enter a time, for example {0}.', examples),
    past: t('Enter a time in the future.'),
    skipped: t("This time doesn't exist on that day because the clocks change."),
  };
  return { message: messages[at], isWarning: false };
}
