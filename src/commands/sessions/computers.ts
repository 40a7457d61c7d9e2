import { type Choice, askChoice } from '../../host/prompts/askChoice.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { type Translate, plainLine } from '../../shared/text.ts';

/** Asks for the computer to route a message to (spec 4.4). Resolves to undefined if the user cancels. */
export function pickTargetComputer(store: Store, key: SessionKey, t: Translate): Promise<string | undefined> {
  return pickComputer(knownComputers(store, key, t), t('Choose Target Computer'), t);
}

/**
 * Asks for the computer to read a session from (spec 4.1). Resolves to an empty string for none, and to undefined if the
 * user cancels.
 */
export function pickReadingComputer(store: Store, key: SessionKey, t: Translate): Promise<string | undefined> {
  const current = store.record(key)?.listEntry.computerId;
  const known = knownComputers(store, key, t).map((item) =>
    item.value === current ? { ...item, description: t('current') } : item,
  );
  const none = {
    label: t('No specific computer'),
    description: current === undefined ? t('current') : '',
    detail: t('The service chooses the computer to read from.'),
    value: '',
  };
  return pickComputer([none, ...known], t('Read from Computer'), t);
}

/** Asks for one of the known computers or any ID that the user enters. */
async function pickComputer(
  known: readonly Choice<string>[],
  title: string,
  t: Translate,
): Promise<string | undefined> {
  const answer = await askChoice({
    title,
    placeholder: t('Select a computer, or enter a computer ID'),
    choices: known,
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
