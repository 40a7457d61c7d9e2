import * as vscode from 'vscode';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { type Translate, plainLine } from '../../shared/text.ts';

type Item = vscode.QuickPickItem & { readonly computerId?: string };

/**
 * Asks for the computer that a message is to be routed to (spec 4.4): one seen in the sessions of the deck, or one whose
 * ID is typed. Undefined where the person stopped.
 */
export async function pickComputer(store: Store, key: SessionKey, t: Translate): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  const seen = seenComputers(store, key, t);
  pick.title = t('Send to Computer');
  pick.placeholder = t('Choose a computer, or type its ID');
  const draw = () => {
    const typed = pick.value.trim();
    const isNew = typed !== '' && !seen.some(({ computerId }) => computerId === typed);
    pick.items = [...seen, ...(isNew ? [{ label: typed, description: t('as typed'), computerId: typed }] : [])];
  };
  draw();
  pick.onDidChangeValue(draw);
  try {
    return await new Promise((resolve) => {
      pick.onDidAccept(() => resolve(pick.activeItems[0]?.computerId));
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

function seenComputers(store: Store, key: SessionKey, t: Translate): Item[] {
  const own = store.record(key)?.session?.computerId;
  const ids = store.records.flatMap(({ listEntry, session, outbox }) => [
    listEntry.computerId,
    session?.computerId,
    ...outbox.map(({ computerId }) => computerId),
  ]);
  const distinct = new Set([own, ...ids].filter((computerId) => computerId !== undefined && computerId !== ''));
  return [...distinct].flatMap((computerId) => {
    if (computerId === undefined) return [];
    const description = computerId === own ? { description: t('the computer of this session') } : {};
    return [{ label: plainLine(computerId, 120), computerId, ...description }];
  });
}
