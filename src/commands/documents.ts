import * as vscode from 'vscode';
import type { Disposable } from '../events.ts';
import { withCancel } from '../host/progress.ts';
import type { SessionKey } from '../state/sessionKey.ts';
import type { Store } from '../state/store.ts';
import { type Translate, wholeNumber } from '../state/words.ts';
import type { ConversationDocuments } from '../views/conversationDocuments.ts';
import { ToldError } from './problems.ts';
import type { CommandTable } from './register.ts';
import { currentOrTarget } from './sessionTarget.ts';

export interface DocumentParts {
  readonly store: Store;
  readonly documents: Pick<ConversationDocuments, 'open' | 'parts'>;
  readonly watch: (key: SessionKey, wantsMessages: boolean) => Disposable;
  readonly refresh: (key: SessionKey) => Promise<void>;
  readonly loadOlder: (key: SessionKey) => Promise<void>;
  /** Ends the loading of older messages; what came stays. */
  readonly stopLoading: (key: SessionKey) => void;
  readonly prepare: (key: SessionKey) => Promise<void>;
  readonly bringMessage: (key: SessionKey, messageId: string) => Promise<boolean | undefined>;
  readonly t: Translate;
}

/** Conversations as documents. */
export function documentCommands(parts: DocumentParts): CommandTable {
  const { t } = parts;
  return {
    openConversationAsDocument: async (argument) => {
      const key = await currentOrTarget(parts, argument, t('Open Conversation as Document'));
      if (!key) return;
      const { messageId, isScripted } = argument;
      await parts.prepare(key);
      await loadAll(parts, key);
      if (messageId !== undefined) await parts.bringMessage(key, messageId);
      const part = await choosePart(parts, key, messageId !== undefined || isScripted);
      if (!part || (await parts.documents.open(key, { messageId, part }))) return;
      throw new ToldError(t('The service does not have this message any more. The conversation is open.'));
    },
  };
}

/** Brings all messages here, told and cancelled in a notification; what cannot be loaded is said in the document. */
async function loadAll(parts: DocumentParts, key: SessionKey): Promise<void> {
  const { store, t } = parts;
  const record = () => store.record(key);
  if (record()?.history.extent === 'complete') return;
  await withCancel(t('Loading older messages'), async (signal, report) => {
    const watching = parts.watch(key, true);
    const listening = store.onDidChange((change) => {
      const { headers, session } = record() ?? {};
      if (change.type !== 'messages' || !headers || !session) return;
      const total = Math.max(session.messageCount, headers.length);
      report(t('{0} of {1}', wholeNumber(headers.length), wholeNumber(total)));
    });
    signal.addEventListener('abort', () => parts.stopLoading(key));
    try {
      if (record()?.history.extent === 'unread') await parts.refresh(key);
      while (!signal.aborted && record()?.history.extent === 'partial') {
        const before = record()?.headers.length;
        await parts.loadOlder(key);
        if (record()?.history.problem || record()?.headers.length === before) return;
      }
    } finally {
      listening.dispose();
      watching.dispose();
    }
  });
}

/** The part to show: the last, unless there are several and the person chooses another. Undefined where cancelled. */
async function choosePart(
  { documents, t }: DocumentParts,
  key: SessionKey,
  isDecided: boolean,
): Promise<number | undefined> {
  const title = t('Preparing the document');
  const parts = await withCancel(title, (signal, report) =>
    documents.parts(key, signal, (done, total) => report(t('{0} of {1}', wholeNumber(done), wholeNumber(total)))),
  );
  if (isDecided || !parts || parts.length === 1) return parts?.length;
  const items = parts.map(({ number, firstHeading }) => ({
    label: t('Part {0} of {1}', number, parts.length),
    description: number === parts.length ? t('latest') : '',
    detail: firstHeading,
    number,
  }));
  const placeHolder = t('The conversation is too large for one document. Choose a part.');
  return (await vscode.window.showQuickPick(items.toReversed(), { placeHolder }))?.number;
}
