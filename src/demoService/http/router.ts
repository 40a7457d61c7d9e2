import type { IncomingMessage } from 'node:http';
import type { SessionEndpoints } from './sessionEndpoints.ts';
import { readJsonBody, refuseBody, RequestError } from './jsonBody.ts';

type Read = (query: URLSearchParams) => unknown;
type Write = (query: URLSearchParams, body: unknown) => unknown;

/** The operations of one path: GET, and optionally one that writes data. */
interface Route {
  readonly get: Read;
  readonly write?: { readonly method: 'POST' | 'PATCH'; readonly call: Write };
}

/** Maps requests to the operations of spec 4. */
export class Router {
  readonly #endpoints: SessionEndpoints;
  readonly #maxBodySizeBytes: number;

  constructor(endpoints: SessionEndpoints, maxBodySizeBytes: number) {
    this.#endpoints = endpoints;
    this.#maxBodySizeBytes = maxBodySizeBytes;
  }

  /**
   * Runs the operation and returns the JSON value of the response.
   *
   * @throws RequestError 404 for an unknown path, 400 for an invalid percent-encoding, 405 for an unsupported method,
   * and the errors that the body check and the operation throw.
   */
  async answer(request: IncomingMessage): Promise<unknown> {
    const [path = '', ...rest] = (request.url ?? '').split('?');
    const query = new URLSearchParams(rest.join('?'));
    const route = this.#route(path);
    if (request.method === 'GET') {
      refuseBody(request);
      return route.get(query);
    }
    if (request.method === route.write?.method) {
      const body = await readJsonBody(request, this.#maxBodySizeBytes);
      return route.write?.call(query, body);
    }
    const allow = route.write ? `GET, ${route.write.method}` : 'GET';
    throw new RequestError(405, `This path takes ${allow.replace(', ', ' and ')} only.`, { Allow: allow });
  }

  #route(path: string): Route {
    const [, root, version, sessions, sessionPart, messages, messagePart, ...more] = path.split('/');
    const isKnown = root === 'api' && version === 'v0' && sessions === 'sessions' && more.length === 0;
    if (!isKnown || !sessionPart) throw unknownPath();
    const sessionId = decodeId(sessionPart);
    if (messages === undefined) return this.#sessionRoute(sessionId);
    if (messages !== 'messages') throw unknownPath();
    if (messagePart === undefined) return this.#messagesRoute(sessionId);
    if (messagePart === '') throw unknownPath();
    const messageId = decodeId(messagePart);
    return { get: (query) => this.#endpoints.getMessage(sessionId, messageId, query) };
  }

  #sessionRoute(sessionId: string): Route {
    return {
      get: (query) => this.#endpoints.getSession(sessionId, query),
      write: { method: 'PATCH', call: (query, body) => this.#endpoints.updateSession(sessionId, query, body) },
    };
  }

  #messagesRoute(sessionId: string): Route {
    return {
      get: (query) => this.#endpoints.listMessages(sessionId, query),
      write: { method: 'POST', call: (query, body) => this.#endpoints.addMessage(sessionId, query, body) },
    };
  }
}

function unknownPath(): RequestError {
  return new RequestError(404, 'There is nothing at this path.');
}

function decodeId(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new RequestError(400, 'The path is not percent-encoded UTF-8.');
  }
}
