import * as vscode from 'vscode';
import type { Message } from '../../api/resources/message.ts';
import { showInfo } from '../../host/prompts/notify.ts';
import { inSlices } from '../../shared/slices.ts';
import { exportPieces } from '../../state/documents/export.ts';
import { messageMarkdown, messagePlainText, quoteMarkdown } from '../../state/documents/messageMarkdown.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import { readTurns, turnAround } from '../../state/store/turns.ts';
import { documentWords } from '../../views/documents/documentStrings.ts';
import type { Services } from '../services.ts';
import { loadedRecord } from './loadedRecord.ts';
import { loadFullHistory, outdatedMessage } from './loadFullHistory.ts';
import { NothingToDoError, UserFacingError } from '../commandErrors.ts';
import { linkOf, messageIdOf } from '../sessions/messageLinks.ts';

/** The actions that {@link MessageActions} carries out. */
export type CopyAction = 'copy' | 'copyPlain' | 'copyAnswer' | 'copyConversation' | 'copyLink' | 'quote';

type MessageServices = Pick<Services, 'store' | 'sessions' | 'drafts' | 'filters' | 't'>;

/** Copies and quotes messages. Uses the stored content of a message instead of the rendered page. */
export class MessageActions {
  readonly #services: MessageServices;

  constructor(services: MessageServices) {
    this.#services = services;
  }

  /**
   * Runs an action on the message of a row or on the conversation. `text` is the part of the message to quote, by
   * default the whole message; other actions ignore it. Copies nothing if the user cancels loading the whole
   * conversation.
   * @throws UserFacingError if the message isn't loaded, or if there is no answer to copy. CanceledWork if the user
   * cancels loading the messages with the last answer.
   */
  async run(key: SessionKey, action: CopyAction, rowKey: string | undefined, text?: string): Promise<void> {
    const { store, t } = this.#services;
    if (action === 'copyLink') return copy(linkOf(store, key, rowKey));
    if (action === 'copyConversation') {
      const conversation = await this.#conversation(key);
      return conversation === undefined ? undefined : copy(conversation);
    }
    if (action === 'copyAnswer') return copy(await inSlices(messageMarkdown(await this.#answer(key, rowKey), t)));
    const message = text === undefined || action !== 'quote' ? await this.#message(key, rowKey) : undefined;
    if (action === 'quote') {
      await this.#quote(key, text ?? (message ? await inSlices(messageMarkdown(message, t)) : ''));
    } else if (message) {
      const role = message.role ?? store.header(key, message.id)?.role;
      const work = action === 'copy' ? messageMarkdown(message, t) : messagePlainText(message, role, t);
      await copy(await inSlices(work));
    }
  }

  async #message(key: SessionKey, rowKey: string | undefined): Promise<Message> {
    const { store, t } = this.#services;
    const [message] = await store.readBodies(key, [messageIdOf(store, key, rowKey ?? '')]);
    if (!message) throw new UserFacingError(t('This message is still loading. Try again in a moment.'));
    return message;
  }

  /** The answer in the turn that a row belongs to, or the last answer if there is no row. */
  async #answer(key: SessionKey, rowKey: string | undefined): Promise<Message> {
    const { store, t } = this.#services;
    // A command can be about a conversation that no page shows.
    const record = rowKey === undefined ? await loadedRecord(this.#services, key) : store.record(key);
    const headers = record?.headers ?? [];
    const { answerIds } = readTurns(headers, true);
    const turn = rowKey === undefined ? undefined : turnAround(headers, messageIdOf(store, key, rowKey));
    // A message that isn't listed yet is in no turn.
    const { start, end } = turn ?? { start: 0, end: rowKey === undefined ? headers.length : 0 };
    const answer = headers.slice(start, end).findLast(({ messageId }) => answerIds.has(messageId));
    if (!answer) throw new NothingToDoError(t('No answer yet.'));
    return this.#message(key, answer.messageId);
  }

  /**
   * All messages that the conversation shows, formatted like an export without its header. Undefined if the user
   * cancels loading them, or if the session is no longer in the list.
   */
  async #conversation(key: SessionKey): Promise<string | undefined> {
    const { store, filters, t } = this.#services;
    const loaded = await loadFullHistory(this.#services, key);
    if (loaded === 'canceled') return undefined;
    const record = store.record(key);
    if (!record) return undefined;
    const choices = { format: 'markdown', isRedacted: false, filter: filters.get(key) } as const;
    const readBodies = (messageIds: readonly string[]) => store.readBodies(key, messageIds);
    const plan = {
      ...choices,
      record,
      connection: store.connectionOf(key.origin),
      words: documentWords(t),
      readBodies,
    };
    const pieces: string[] = [];
    for await (const { text } of exportPieces(plan)) pieces.push(text);
    if (record.history.completeness !== 'complete') void showInfo(this.#partlyCopied(record));
    if (loaded === 'outdated') void showInfo(outdatedMessage(t));
    return pieces.slice(1).join('').trimStart();
  }

  #partlyCopied({ headers, session }: SessionRecord): string {
    const [here, all] = [headers.length, Math.max(session?.messageCount ?? 0, headers.length)];
    return this.#services.t("Couldn't load older messages. Copied {0} of {1} messages.", here, all);
  }

  /** Inserts a quote into the draft in place of its selection. */
  async #quote(key: SessionKey, text: string): Promise<void> {
    const { drafts } = this.#services;
    const quote = await inSlices(quoteMarkdown(text));
    const draft = drafts.get(key);
    const before = draft.text.slice(0, draft.selectionStart);
    const gap = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n';
    const start = `${before}${gap}${quote}`;
    const caret = { selectionStart: start.length, selectionEnd: start.length };
    drafts.setText(key, { text: `${start}${draft.text.slice(draft.selectionEnd)}`, ...caret });
  }
}

async function copy(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
}
