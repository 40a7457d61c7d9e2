import type { ScriptedAgent } from '../agent/scriptedAgent.ts';
import { defined } from '../../shared/defined.ts';
import { base64Start } from '../base64.ts';
import { isKnownComputer } from '../demoComputers.ts';
import type { ContentBlock, Message, Session, SessionStatus } from '../resources.ts';
import type { PatchRule, SessionStore } from '../sessionStore.ts';
import {
  checkListQuery,
  checkMessageBody,
  checkQuery,
  checkSettingsBody,
  type ImageMediaType,
  type MessageBody,
} from './checks.ts';
import { type LastCursor, type ListOrder, type Page, pageOf } from './paging.ts';
import { RequestError } from './jsonBody.ts';

/** The content blocks of a submitted message (spec 4.4): the text, then the images, then the files. */
function userContent(body: MessageBody): ContentBlock[] {
  const images = (body.images ?? []).map(({ data, mediaType = imageMediaType(data) }): ContentBlock => {
    return { type: 'image', source: { type: 'base64', mediaType, data } };
  });
  const files = (body.files ?? []).map((file, index): ContentBlock => {
    const mediaType = file.mediaType ?? 'application/octet-stream';
    return {
      type: 'document',
      name: file.name ?? file.path?.split('/').at(-1) ?? `file ${index + 1}`,
      mediaType,
      ...defined({ path: file.path }),
      source: { type: 'base64', mediaType, data: file.data, ...defined({ parsedData: file.parsedData }) },
    };
  });
  return [{ type: 'text', text: body.text }, ...images, ...files];
}

/** The media type of an image, detected from its first bytes for a request that doesn't contain it. */
function imageMediaType(data: string): string {
  const start = base64Start(data, 12).toString('latin1');
  if (start.startsWith('\x89PNG')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF8')) return 'image/gif';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp';
  return 'application/octet-stream';
}

/** The behavior of this service in cases that the spec leaves open. */
export interface ServiceHabits {
  /** Whether lists start with the oldest (`asc`) or the newest (`desc`) message. */
  readonly order: ListOrder;
  readonly patch: PatchRule;
  readonly lastCursor: LastCursor;
  /** Whether listed messages include their `role`. */
  readonly listRoles: boolean;
  readonly imageMediaType: ImageMediaType;
  /** How far the list of messages lags behind the session, in ms. */
  readonly listLagMs: number;
}

/** The response to "List messages". An undefined `role` is omitted from the JSON. */
type ListAnswer = Omit<Page, 'messages'> & { readonly messages: readonly ListedMessage[] };
type ListedMessage = Omit<Message, 'role'> & { readonly role: Message['role'] | undefined };

/**
 * The five operations of spec 4. Each validates its input as strictly as the spec allows.
 *
 * @throws RequestError 400 for an invalid parameter or body, 404 for an unknown session, message, or computer.
 */
export class SessionEndpoints {
  readonly #store: SessionStore;
  readonly #agent: ScriptedAgent;
  readonly #habits: ServiceHabits;

  constructor(store: SessionStore, agent: ScriptedAgent, habits: ServiceHabits) {
    this.#store = store;
    this.#agent = agent;
    this.#habits = habits;
  }

  /** Gets a session (spec 4.1). */
  getSession(sessionId: string, query: URLSearchParams): Session {
    checkComputer(checkQuery(query, ['computerId']).get('computerId'));
    return this.#session(sessionId);
  }

  /** Updates the settings of a session (spec 4.2). */
  updateSession(sessionId: string, query: URLSearchParams, body: unknown): Session {
    checkQuery(query, []);
    this.#session(sessionId);
    const { sessionSettings } = checkSettingsBody(body);
    return this.#store.patchSettings(sessionId, sessionSettings, this.#habits.patch);
  }

  /** Lists messages of a session (spec 4.3). */
  listMessages(sessionId: string, query: URLSearchParams): ListAnswer {
    const { limit, cursor, role, computerId } = checkListQuery(query);
    checkComputer(computerId);
    this.#session(sessionId);
    const { order, lastCursor, listRoles } = this.#habits;
    const page = pageOf(this.#listed(sessionId), { sessionId, order, role, limit, cursor, lastCursor });
    return listRoles ? page : { ...page, messages: page.messages.map((message) => ({ ...message, role: undefined })) };
  }

  /** Adds a message to a session (spec 4.4). The agent answers the message after those that are already queued. */
  addMessage(sessionId: string, query: URLSearchParams, body: unknown): { messageId: string; status: SessionStatus } {
    checkQuery(query, []);
    const session = this.#session(sessionId);
    const submitted = checkMessageBody(body, this.#habits.imageMediaType);
    checkComputer(submitted.computerId);
    const message = this.#store.append(sessionId, {
      role: 'user',
      content: userContent(submitted),
      userMessageSource: 'sessions_api',
      visibility: 'both',
    });
    this.#agent.submit(sessionId, message, submitted.computerId ?? session.computerId);
    return { messageId: message.id, status: this.#session(sessionId).status };
  }

  /** Gets one message (spec 4.5). */
  getMessage(sessionId: string, messageId: string, query: URLSearchParams): Message {
    checkComputer(checkQuery(query, ['computerId']).get('computerId'));
    this.#session(sessionId);
    const message = this.#store.message(sessionId, messageId);
    if (!message) throw new RequestError(404, 'There is no message of this ID in the session.');
    return message;
  }

  #listed(sessionId: string): readonly Message[] {
    const messages = this.#store.messages(sessionId);
    const { listLagMs } = this.#habits;
    if (listLagMs === 0) return messages;
    const listedUntil = this.#store.nowMs - listLagMs;
    return messages.slice(0, messages.findLastIndex(({ createdAt }) => createdAt <= listedUntil) + 1);
  }

  #session(sessionId: string): Session {
    const session = this.#store.session(sessionId);
    if (!session) throw new RequestError(404, 'There is no session of this ID.');
    return session;
  }
}

function checkComputer(computerId: string | undefined): void {
  if (computerId !== undefined && !isKnownComputer(computerId)) {
    throw new RequestError(404, 'There is no computer of this ID.');
  }
}
