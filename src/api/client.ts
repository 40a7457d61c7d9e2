import * as z from 'zod/mini';
import { type Log, silentLog } from '../shared/log.ts';
import { inSlices } from '../shared/slices.ts';
import { type Endpoints, endpointsBelow } from './endpointUrls.ts';
import { serverTimeOf } from './http/readResponse.ts';
import { ApiError } from './errors.ts';
import { LongItems } from './http/longItems.ts';
import {
  identifiedMessageSchema,
  messagePageSchema,
  readIdentifiedMessage,
  readMessagePage,
} from './resources/message.ts';
import { jsonBody, messageBody } from './http/requestBody.ts';
import { type FailureListener, type KeySource, Requester, type RequestPlan } from './http/requester.ts';
import { sessionSchema, sessionStatusSchema, writableSettings } from './resources/session.ts';
import type { ListOptions, MessagePage, SessionsApi } from './sessionsApi.ts';
import type { Transport } from './http/transport.ts';

export interface SessionsClientOptions {
  /** The `baseUrl` that `parseServiceUrl` returns: no trailing slash, no `/api/v0`. */
  readonly baseUrl: string;
  readonly key: KeySource;
  /** A transport to the base URL's origin. The client disposes it. */
  readonly transport: Transport;
  readonly log?: Log | undefined;
  /**
   * The maximum duration of a request in ms (R18). Defaults: 30 s for reads, 120 s for writes. A message with a large
   * body gets more time.
   */
  readonly deadlines?: { readonly readMs?: number; readonly writeMs?: number } | undefined;
  /** Returns the current time in Unix ms. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  readonly onFailure?: FailureListener | undefined;
}

/** The response size limits of R19: for messages, listed or single, and for anything else. */
const maxMessageBytes = 32 * 1024 * 1024;
const maxOtherBytes = 8 * 1024 * 1024;
const defaultLimit = 20;
/**
 * The slowest upload rate to allow for. The deadline for adding a message is extended by its upload time at this rate.
 */
const minUploadBytesPerMs = 64;

const addedMessageSchema = z.object({ messageId: z.string().check(z.minLength(1)), status: sessionStatusSchema });

/** Creates a client for the Sessions API (spec 4). {@link SessionsApi} documents the operations. */
export function createSessionsClient(options: SessionsClientOptions): SessionsApi {
  const { baseUrl, key, transport, log = silentLog, deadlines = {}, now = Date.now, onFailure } = options;
  const requester = new Requester({ key, transport, log, now, onFailure });
  const urls = endpointsBelow(baseUrl);
  const read = { method: 'GET', deadlineMs: deadlines.readMs ?? 30_000, maxResponseBytes: maxOtherBytes } as const;
  const write = { deadlineMs: deadlines.writeMs ?? 120_000, maxResponseBytes: maxOtherBytes };

  return {
    async getSession(sessionId, { computerId, signal } = {}) {
      const url = urls.session(sessionId, computerId);
      return (await requester.request({ ...read, url, schema: sessionSchema, signal })).value;
    },

    async updateSession(sessionId, settings, { signal, unreadable } = {}) {
      const body = jsonBody({ sessionSettings: writableSettings(settings, unreadable) });
      const url = urls.session(sessionId);
      return (await requester.request({ ...write, method: 'PATCH', url, body, schema: sessionSchema, signal })).value;
    },

    listMessages: (sessionId, listOptions = {}) =>
      listWithinCap((limit) => listPlan(urls, sessionId, { ...listOptions, limit }, read), requester, listOptions),

    async addMessage(sessionId, message, { signal, mayStart, onProgress } = {}) {
      const body = messageBody(message);
      const onBytesSent = onProgress && ((sentBytes: number) => onProgress(sentBytes, body.sizeBytes));
      const deadlineMs = write.deadlineMs + body.sizeBytes / minUploadBytesPerMs;
      const target = { method: 'POST', url: urls.messages(sessionId) } as const;
      const plan = { ...write, ...target, deadlineMs, body, signal, mayStart, onBytesSent };
      const { value, response } = await requester.request({ ...plan, schema: addedMessageSchema });
      return { ...value, serverTimeMs: serverTimeOf(response) };
    },

    async getMessage(sessionId, messageId, { computerId, signal } = {}) {
      const url = urls.message(sessionId, messageId, computerId);
      const plan = { ...read, url, maxResponseBytes: maxMessageBytes, signal };
      const { value } = await requester.request({ ...plan, schema: identifiedMessageSchema });
      return await inSlices(readIdentifiedMessage(value));
    },

    dispose: () => requester.dispose(),
  };
}

interface ListPlan extends RequestPlan<typeof messagePageSchema> {
  readonly longItems: LongItems | undefined;
}

function listPlan(
  urls: Endpoints,
  sessionId: string,
  listOptions: ListOptions,
  read: Pick<ListPlan, 'method' | 'deadlineMs'>,
): ListPlan {
  const { limit, role, signal, maxBytes = maxMessageBytes, known } = listOptions;
  const url = urls.messages(sessionId, listOptions);
  const shown = { ...(limit !== undefined && { limit: String(limit) }), ...(role && { role }) };
  const loggedQuery = new URLSearchParams(shown).toString();
  const longItems = known && new LongItems(known);
  return { ...read, url, signal, loggedQuery, schema: messagePageSchema, longItems, maxResponseBytes: maxBytes };
}

/**
 * Requests a page. If the response exceeds the usual size limit, retries with half as many messages, down to one (R19).
 */
async function listWithinCap(
  planFor: (limit: number | undefined) => ListPlan,
  requester: Requester,
  { limit: requestedLimit, maxBytes }: ListOptions,
): Promise<MessagePage> {
  for (let limit = requestedLimit; ; limit = Math.floor((limit ?? defaultLimit) / 2)) {
    try {
      const plan = planFor(limit);
      const { value, response } = await requester.request(plan);
      const reducedLimit = limit === requestedLimit ? undefined : limit;
      const page = await inSlices(readMessagePage(value, plan.longItems));
      return { ...page, serverTimeMs: serverTimeOf(response), sizeBytes: response.body.byteLength, reducedLimit };
    } catch (error) {
      const isTooLarge = error instanceof ApiError && error.kind === 'tooLarge';
      if (!isTooLarge || maxBytes !== undefined || (limit ?? defaultLimit) <= 1) throw error;
    }
  }
}
