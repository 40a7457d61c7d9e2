import { withViewProgress } from '../../host/prompts/progress.ts';
import { readSettings } from '../../host/settings.ts';
import { askText } from '../../host/prompts/askText.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import type { OutboxEntry, StoredAttachment } from '../../state/store/outboxEntry.ts';
import type { Draft } from '../../state/store/sessionRecord.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { plainLine } from '../../shared/text.ts';
import type { Settlement } from '../../sync/outbox/outbox.ts';
import { attachmentSources } from '../attachments/sources.ts';
import type { CommandContext } from '../context.ts';
import { errorMessageOf, MessageKeptError, UserFacingError } from '../commandErrors.ts';
import type { Caller, CommandArguments, CommandHandlers } from '../commandArguments.ts';
import { activeOrTarget, pickSession, targetSession } from '../sessions/pick.ts';
import { UnsentTexts } from './unsentTexts.ts';

interface SendingContext extends CommandContext {
  readonly unsentTexts: UnsentTexts;
}

/** Commands that send a message without the composer. */
export function sendingCommands(services: CommandContext) {
  const context: SendingContext = { ...services, unsentTexts: new UnsentTexts() };
  const { attachments, t } = context;
  const sources = attachmentSources(attachments, t);
  return {
    sendSelection: (argument, caller) =>
      send(context, argument, caller, t('Send Selection to Session'), () => sources.selection.choose({})),
    sendFile: (argument, caller) =>
      send(context, argument, caller, t('Send File to Session'), () => sources.file.choose(argument)),
    sendProblems: (argument, caller) =>
      send(context, argument, caller, t('Send Problems to Session'), () => sources.problems.choose(argument)),
    sendMessage: (argument, caller) => send(context, argument, caller, t('Send Message'), () => Promise.resolve([])),
  } satisfies Partial<CommandHandlers>;
}

/**
 * Sends a message and waits for the outcome. Resolves to undefined if the user cancels, or discards the message. The
 * session is determined before the user is asked about attachments.
 * @throws UserFacingError if the list is empty or doesn't contain the given session, if the given text is blank and
 * nothing is attached, or if the message couldn't be queued. UserFacingError or NotAttachable if there is nothing to
 * attach, or if the content can't be attached. NotSentError if the message certainly wasn't sent.
 */
async function send(
  context: SendingContext,
  argument: CommandArguments['sendMessage'],
  caller: Caller,
  title: string,
  pick: () => Promise<StoredAttachment[] | undefined>,
): Promise<Settlement | undefined> {
  const { outbox, attachments, navigation } = context;
  // A script that names no session doesn't know which one is open, so ask the user.
  const target = await (caller === 'script' ? targetSession : activeOrTarget)(context, argument, title);
  const picked = target && (await pick());
  if (!picked) return undefined;
  if (argument.text?.trim() === '' && picked.length === 0) throw new UserFacingError(context.t('Enter a message.'));
  const message = await askMessage(context, target, argument.text, title, picked);
  if (!message) {
    await attachments.drop(picked);
    return undefined;
  }
  const { key, text } = message;
  const entry = await enqueue(context, key, { text, attachments: picked });
  await navigation.openConversation(key);
  return withViewProgress('lineside.conversation', () => outbox.settled(entry.entryId));
}

/** Queues a message. If that fails, adds it to the session's draft. @throws MessageKeptError if it wasn't queued. */
async function enqueue(
  { outbox, drafts, blobs, t }: CommandContext,
  key: SessionKey,
  message: Pick<Draft, 'text' | 'attachments'>,
): Promise<OutboxEntry> {
  // Hold the bytes, because the outbox releases them if it can't save the message.
  blobs.hold(message.attachments);
  try {
    return await outbox.enqueue(key, message);
  } catch (error) {
    drafts.addText(key, message.text);
    drafts.addAttachments(key, message.attachments);
    const reason = errorMessageOf(error, readSettings(), t);
    throw new MessageKeptError(`${reason} ${t("The message wasn't sent. It was added to your draft.")}`, {
      cause: error,
    });
  } finally {
    await blobs.release(message.attachments);
  }
}

/**
 * Asks for the text of a message unless it is given. The user can also change the session, and the entered text is kept
 * then. Resolves to undefined if the input box or the list of sessions is closed; the text is then offered the next
 * time.
 */
async function askMessage(
  context: SendingContext,
  target: SessionKey,
  given: string | undefined,
  title: string,
  attached: readonly StoredAttachment[],
): Promise<{ readonly key: SessionKey; readonly text: string } | undefined> {
  if (given !== undefined) return { key: target, text: given };
  const { store, unsentTexts, t } = context;
  const names = t.formats.list(attached.map((attachment) => plainLine(attachment.name, 120)));
  let key = target;
  const usual = names === '' ? '' : t('Take a look at {0}.', names);
  let value = unsentTexts.of(key) ?? usual;
  for (;;) {
    const record = store.record(key);
    const answer = await askText({
      title,
      prompt: t('Message to "{0}"', record ? sessionTitle(record) : key.sessionId),
      placeholder: t('What should the agent do?'),
      value,
      ...(store.records.length > 1 && { changeLabel: t('Change Session...') }),
      check: (text) => (text.trim() === '' ? { message: t('Enter a message.'), isWarning: false } : undefined),
    });
    const changed = answer.kind === 'back' ? await pickSession(context, title) : undefined;
    if (answer.kind !== 'text' && !changed) {
      // Don't show the input box again if the list was closed: the user may have opened another quick input, and the
      // input box would close it.
      unsentTexts.set(key, answer.text === usual ? '' : answer.text);
      return undefined;
    }
    unsentTexts.set(key, '');
    if (!changed) return { key, text: answer.text };
    key = changed;
    value = answer.text === usual ? (unsentTexts.of(key) ?? usual) : answer.text;
  }
}
