import * as vscode from 'vscode';
import { withCancel } from '../../host/prompts/progress.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { wholeNumber } from '../../shared/text.ts';
import type { ConversationDocuments } from '../../views/documents/conversationDocuments.ts';
import { type LoadParts, loadFullHistory } from './loadFullHistory.ts';
import { UserFacingError } from '../errors.ts';
import type { CommandTable } from '../register.ts';
import { currentOrTarget } from '../sessions/pick.ts';

export interface DocumentParts extends LoadParts {
  readonly documents: Pick<ConversationDocuments, 'open' | 'parts'>;
  readonly bringMessage: (key: SessionKey, messageId: string) => Promise<boolean | undefined>;
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
      await loadFullHistory(parts, key);
      if (messageId !== undefined) await parts.bringMessage(key, messageId);
      const part = await choosePart(parts, key, messageId !== undefined || isScripted);
      if (!part || (await parts.documents.open(key, { messageId, part }))) return;
      throw new UserFacingError(t('The service does not have this message any more. The conversation is open.'));
    },
  };
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
