import { pickRow } from '../../host/prompts/picker.ts';
import { withCancel } from '../../host/prompts/progress.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { CommandContext } from '../context.ts';
import { givenMessage } from './givenMessage.ts';
import { loadFullHistory } from './loadFullHistory.ts';
import { UserFacingError } from '../commandErrors.ts';
import type { CommandHandlers } from '../commandArguments.ts';
import { activeOrTarget } from '../sessions/pick.ts';

/** The commands that open a conversation or a message as a document. */
export function documentCommands(context: CommandContext) {
  const { store, sessions, documents, t } = context;
  return {
    openConversationAsDocument: async (argument, caller) => {
      const key = await activeOrTarget(context, argument, t('Open Conversation as Document'));
      if (!key) return;
      const { messageId } = argument;
      await sessions.restoreFromCache(key);
      // The document watches the conversation, and shows newer messages as soon as they are loaded.
      if (store.record(key)?.history.completeness !== 'complete') await loadFullHistory(context, key);
      const isThere = messageId === undefined || (await sessions.fetchMessage(key, messageId));
      const part = await choosePart(context, key, messageId !== undefined || caller === 'script');
      if (!part || (await documents.open(key, { messageId, part }))) return;
      throw new UserFacingError(
        isThere === undefined
          ? t("This message isn't cached on this machine. It will load when the service is available.")
          : t('This message was removed from the service. The conversation is open.'),
      );
    },
    openMessageAsDocument: async (argument) => {
      const { key, messageId } = await givenMessage(context, argument);
      await documents.openContent(key, { messageId, form: 'text' });
    },
  } satisfies Partial<CommandHandlers>;
}

/**
 * The 1-based number of the part to show: the one that the user selects, or the last one if there is only one or if
 * `skipsQuestion` is set. Undefined if canceled.
 */
async function choosePart(
  { documents, t }: CommandContext,
  key: SessionKey,
  skipsQuestion: boolean,
): Promise<number | undefined> {
  const title = t('Preparing document');
  const parts = await withCancel(title, (signal, report) =>
    documents.parts(key, signal, (done, total) => report(t('{0} of {1}', done, total))),
  );
  if (skipsQuestion || !parts || parts.length === 1) return parts?.length;
  const items = parts.map(({ number, firstHeading }) => ({
    label: t('Part {0} of {1}', number, parts.length),
    description: number === parts.length ? t('latest') : '',
    detail: firstHeading,
    number,
  }));
  const placeHolder = t('The conversation is too large for one document. Select a part.');
  return (await pickRow(items.toReversed(), { placeHolder }))?.number;
}
