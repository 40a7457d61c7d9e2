import { type Choice, askChoice } from '../../host/prompts/askChoice.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { type Translate, plainLine } from '../../shared/text.ts';

/**
 * Asks for the computer to route a message to (spec 4.4). `current` is the one that is already chosen. If only one
 * computer is known, and it isn't chosen yet, resolves to it without asking. Resolves to undefined if the user cancels.
 */
export async function pickTargetComputer(
  store: Store,
  key: SessionKey,
  current: string | undefined,
  t: Translate,
): Promise<string | undefined> {
  const known = knownComputers(store, key, t);
  return onlyChoice(known, current) ?? pickComputer(known, t('Choose Target Computer'), t);
}

/**
 * Asks for the computer to read a session from (spec 4.1). If only one computer is known, and the session isn't read
 * from it yet, resolves to it without asking. Resolves to an empty string for none, and to undefined if the user
 * cancels.
 */
export async function pickReadingComputer(store: Store, key: SessionKey, t: Translate): Promise<string | undefined> {
  const current = store.record(key)?.listEntry.computerId;
  const computers = knownComputers(store, key, t);
  const only = onlyChoice(computers, current);
  if (only !== undefined) return only;
  const known = computers.map((item) => (item.value === current ? { ...item, description: t('current') } : item));
  const none = {
    label: t('No specific computer'),
    description: current === undefined ? t('current') : '',
    detail: t('The service chooses the computer to read from.'),
    value: '',
  };
  return pickComputer([none, ...known], t('Read from Computer'), t, current ?? '');
}

/**
 * The only known computer. Undefined if none or several are known, or if it is the current one, because the user then
 * wants another computer or none.
 */
function onlyChoice([first, ...others]: readonly Choice<string>[], current: string | undefined): string | undefined {
  return others.length > 0 || first?.value === current ? undefined : first?.value;
}

/** Asks for one of the known computers or any ID that the user enters. */
async function pickComputer(
  known: readonly Choice<string>[],
  title: string,
  t: Translate,
  current?: string,
): Promise<string | undefined> {
  const answer = await askChoice({
    title,
    placeholder: t('Select a computer, or enter a computer ID'),
    choices: known,
    current,
    typed: (text) => ({ label: text, description: t('Use this ID'), value: text }),
  });
  return answer.kind === 'chosen' ? answer.value : undefined;
}

function knownComputers(store: Store, key: SessionKey, t: Translate): Choice<string>[] {
  const own = store.record(key)?.session?.computerId;
  const ids = store
    .recordsOf(key.origin)
    .flatMap(({ listEntry, session, outbox }) => [
      listEntry.computerId,
      session?.computerId,
      ...outbox.map(({ computerId }) => computerId),
    ]);
  const distinct = new Set([own, ...ids].filter((computerId) => computerId !== undefined && computerId !== ''));
  return [...distinct].flatMap((computerId) => {
    if (computerId === undefined) return [];
    const description = computerId === own ? { description: t("this session's computer") } : {};
    return [{ label: plainLine(computerId, 120), value: computerId, ...description }];
  });
}
