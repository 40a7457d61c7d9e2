import type {
  PageAnswers,
  PageMessages,
  PageMessageType,
  PageQuestion,
  PageQuestionType,
} from '../shared/protocol/pageMessages.ts';
import type { PageSession } from '../shared/protocol/pageModel.ts';
import type { HostChannel } from './hostChannel.ts';

/** The types of the messages that name no session. */
type UnaddressedType = {
  [K in PageMessageType]: keyof PageSession extends keyof PageMessages[K] ? never : K;
}[PageMessageType];
/** A message without the session that it is about. */
type MessageContent = { [K in PageMessageType]: Omit<PageMessages[K], keyof PageSession> }[PageMessageType];

const unaddressed: Readonly<Record<UnaddressedType, true>> = {
  ready: true,
  drawn: true,
  pong: true,
  saved: true,
  focused: true,
  composerFocus: true,
  failed: true,
  openLink: true,
  copy: true,
  compareCode: true,
  insertCode: true,
  newFile: true,
  previewDiagram: true,
  delivery: true,
  getUnavailableAttachments: true,
};

/**
 * The channel of a conversation. Adds the session that the page shows to each message that is about a session, because
 * the host may have switched to another one, possibly of another service, by the time the message arrives.
 */
export class SessionChannel {
  readonly #channel: HostChannel;
  #shown: PageSession | undefined;

  constructor(channel: HostChannel) {
    this.#channel = channel;
  }

  /** The session that the page shows. Undefined until a conversation is shown. */
  get shown(): PageSession | undefined {
    return this.#shown;
  }

  shows({ origin, sessionId }: PageSession): boolean {
    return this.#shown?.origin === origin && this.#shown.sessionId === sessionId;
  }

  show({ origin, sessionId }: PageSession): void {
    this.#shown = { origin, sessionId };
  }

  /**
   * Sends a message. `session` is the session that it is about, by default the one that is shown. A message about a
   * session is dropped if no session is given or shown.
   */
  post(message: MessageContent, session = this.#shown): void {
    if (isUnaddressed(message)) this.#channel.post(message);
    else if (session) this.#channel.post({ ...message, ...session });
  }

  /**
   * Resolves to the host's answer; to undefined if the host has none, or if the question is about a session and none is
   * shown.
   */
  ask<K extends PageQuestionType>(type: K, question: PageQuestion<K>): Promise<PageAnswers[K] | undefined> {
    if (type in unaddressed) return this.#channel.ask(type, question);
    return this.#shown ? this.#channel.ask(type, question, this.#shown) : Promise.resolve(undefined);
  }
}

function isUnaddressed(message: MessageContent): message is PageMessages[UnaddressedType] {
  return message.type in unaddressed;
}
