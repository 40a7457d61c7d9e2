import * as vscode from 'vscode';
import { askText } from '../../host/prompts/askText.ts';
import { sessionTitle } from '../../state/presentation/session.ts';
import type { StoredAttachment } from '../../state/store/outboxEntry.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import type { Outbox, Settlement } from '../../sync/outbox/outbox.ts';
import { attachWays } from '../attachments/sources.ts';
import type { Attachments } from '../attachments/attachments.ts';
import type { CommandArgument, CommandTable } from '../register.ts';
import { targetSession } from '../sessions/pick.ts';

export interface SendingParts {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly attachments: Attachments;
  readonly refresh: (key: SessionKey) => Promise<void>;
  /** Makes a session the current one and shows its conversation; with `focus`, the composer. */
  readonly openConversation: (key: SessionKey, messageId?: string, focus?: boolean) => Promise<void>;
  readonly t: Translate;
}

/** Everything that hands something to an agent from outside the composer. */
export function sendingCommands(parts: SendingParts): CommandTable {
  const { attachments, t } = parts;
  const ways = attachWays(attachments, t);
  return {
    sendSelection: (argument) => send(parts, argument, t('Send Selection to Session'), () => ways.selection(argument)),
    sendFile: (argument) => send(parts, argument, t('Send File to Session'), () => ways.file(argument)),
    sendProblems: (argument) => send(parts, argument, t('Send Problems to Session'), () => ways.problems(argument)),
    sendMessage: (argument) => send(parts, argument, t('Send Message'), () => Promise.resolve([])),
  };
}

/** Sends and waits until something can be said of it; undefined where the person stopped on the way. */
async function send(
  parts: SendingParts,
  argument: CommandArgument,
  title: string,
  pick: () => Promise<StoredAttachment[] | undefined>,
): Promise<Settlement | undefined> {
  const { store, outbox, attachments, openConversation, t } = parts;
  const picked = await pick();
  if (!picked) return undefined;
  const key = await targetSession(parts, argument, title);
  const text = key && (argument.text ?? (await askMessage(store, key, title, picked, t)));
  if (!key || text === undefined) {
    await attachments.drop(picked);
    return undefined;
  }
  const entry = await outbox.enqueue(key, { text, attachments: picked });
  await openConversation(key);
  const options = { location: { viewId: 'lineside.conversation' } };
  return vscode.window.withProgress(options, () => outbox.settled(entry.entryId));
}

/** Asks for the words that go with it; the suggestion is selected, so that typing replaces it. */
async function askMessage(
  store: Store,
  key: SessionKey,
  title: string,
  attached: readonly StoredAttachment[],
  t: Translate,
): Promise<string | undefined> {
  const record = store.record(key);
  const names = attached.map((attachment) => plainLine(attachment.name, 120)).join(', ');
  const answer = await askText({
    title,
    prompt: t('Message to "{0}"', record ? sessionTitle(record) : key.sessionId),
    placeholder: t('What should the agent do?'),
    value: names === '' ? '' : t('Take a look at {0}.', names),
    check: (text) =>
      text.trim() === '' ? { message: t('Write what the agent should do.'), isWarning: false } : undefined,
  });
  return answer.kind === 'text' ? answer.text : undefined;
}
