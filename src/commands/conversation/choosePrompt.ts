import * as vscode from 'vscode';
import { Disposables } from '../../shared/lifecycle.ts';
import { plainPickLabel } from '../../host/prompts/askChoice.ts';
import { CalendarDays } from '../../state/conversation/calendarDays.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { isPrompt } from '../../state/conversation/turns.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import { NothingThereError } from '../errors.ts';

export interface PromptParts {
  readonly store: Store;
  readonly loadOlder: (key: SessionKey) => Promise<void>;
  readonly t: Translate;
}

interface Item extends vscode.QuickPickItem {
  /** Absent in the entry that loads older messages, and in headings. */
  readonly messageId?: string;
}

/**
 * Lets the person pick one of the prompts of a session, the newest first, under their days; answers its message id.
 * Where older messages are not loaded they can be from here, and what was typed stays. Throws a
 * {@link NothingThereError} where there is no prompt.
 */
export async function choosePrompt(parts: PromptParts, key: SessionKey): Promise<string | undefined> {
  const { t, loadOlder } = parts;
  const own = new Disposables();
  const first = itemsOf(parts, key);
  if (first.length === 0) throw new NothingThereError(t('There is no prompt yet.'));
  const pick = own.add(vscode.window.createQuickPick<Item>());
  Object.assign(pick, { title: t('Go to Prompt'), placeholder: t('Choose a prompt'), items: first });
  const load = async () => {
    pick.busy = true;
    await loadOlder(key);
    pick.items = itemsOf(parts, key);
    pick.busy = false;
  };
  try {
    return await new Promise((resolve, reject) => {
      own.add(pick.onDidHide(() => resolve(undefined)));
      own.add(
        pick.onDidAccept(() => {
          const [chosen] = pick.selectedItems;
          if (chosen?.messageId !== undefined) resolve(chosen.messageId);
          else if (chosen && !pick.busy) load().catch(reject);
        }),
      );
      pick.show();
    });
  } finally {
    own.dispose();
  }
}

function itemsOf({ store, t }: PromptParts, key: SessionKey): Item[] {
  const record = store.record(key);
  const days = new CalendarDays();
  const items: Item[] = [];
  let before = '';
  for (const { messageId, firstLine, createdAt } of record?.headers.filter(isPrompt).toReversed() ?? []) {
    const time = new Date(createdAt);
    const day = days.nameOf(createdAt);
    if (day !== before) {
      before = day;
      const label = time.toLocaleDateString(vscode.env.language, { dateStyle: 'full' });
      items.push({ label, kind: vscode.QuickPickItemKind.Separator });
    }
    items.push({
      label: plainPickLabel(plainLine(firstLine, 120)) || t('({0} without text)', t('User')),
      description: time.toLocaleTimeString(vscode.env.language, { timeStyle: 'short' }),
      messageId,
    });
  }
  if (record?.history.extent === 'partial') {
    items.push({ label: '', kind: vscode.QuickPickItemKind.Separator });
    items.push({ label: t('Load Older Messages'), iconPath: new vscode.ThemeIcon('history'), alwaysShow: true });
  }
  return items;
}
