import { createHash } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pageOf } from './paging.ts';

/**
 * What happens to a POST. With `atBytes`, it happens when the service has received this number of bytes of the body.
 */
export type UploadFault =
  | { readonly kind: 'kill' | 'reset' | 'stall'; readonly atBytes: number }
  | { readonly kind: 'killAfter' | 'resetAfter' | 'truncate' | 'busy' | 'refused' }
  | { readonly kind: 'error'; readonly isProcessed: boolean };

/** A message that the service has. The hashes are those of the decoded attachments. */
export interface Upload {
  readonly id: string;
  readonly sessionId: string;
  readonly createdAt: number;
  readonly text: string;
  readonly sha256s: readonly string[];
}

interface SentBytes {
  readonly data: string;
}

/** The longest time for which a stalled upload stays open. */
const stallMs = 300;

/** A service over HTTP that outlives every window, decodes the attachments it receives, and fails on demand. */
export class UploadService {
  readonly uploads: Upload[] = [];
  faultCount = 0;
  /** Chooses the fault of the next POST. */
  nextFault: () => UploadFault | undefined = () => undefined;
  /** Kills the window that sends the current POST. */
  kill: () => void = () => undefined;
  /** Whether the next list request fails. */
  failsList: () => boolean = () => false;
  readonly #now: () => number;
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch(() => request.socket.destroy());
  });
  #lastCreatedAt = 0;

  private constructor(now: () => number) {
    this.#now = now;
  }

  /** Starts the service on a free port. `now` is the clock of the windows, in Unix ms. */
  static async start(now: () => number): Promise<UploadService> {
    const service = new UploadService(now);
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.baseUrl);
    const sessionId = /\/sessions\/([^/]+)\/messages/.exec(pathname)?.[1] ?? '';
    if (request.method === 'POST') await this.#add(sessionId, request, response);
    else if (this.failsList()) request.socket.destroy();
    else json(response, 200, this.#page(sessionId, searchParams));
  }

  async #add(sessionId: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = this.nextFault();
    if (fault) this.faultCount++;
    if (fault?.kind === 'refused') {
      request.socket.resetAndDestroy();
      return;
    }
    const body = await this.#receive(request, fault);
    if (!body) return;
    if (fault?.kind === 'busy') json(response, 429, {});
    else if (fault?.kind === 'error' && !fault.isProcessed) json(response, 500, {});
    else this.#process(sessionId, body, response, fault);
  }

  #process(sessionId: string, body: Buffer, response: ServerResponse, fault: UploadFault | undefined): void {
    const { id } = this.#create(sessionId, body);
    if (fault?.kind === 'killAfter') this.kill();
    else if (fault?.kind === 'resetAfter') response.destroy();
    else if (fault?.kind === 'error') json(response, 500, {});
    else if (fault?.kind === 'truncate') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"messageId":', () => response.destroy());
    } else json(response, 200, { messageId: id, status: 'running' });
  }

  /** Reads the body of a request. Rejects or resolves to undefined if a fault or the end of the window cuts it off. */
  async #receive(request: IncomingMessage, fault: UploadFault | undefined): Promise<Buffer | undefined> {
    const chunks: Buffer[] = [];
    let count = 0;
    let isStruck = false;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      count += chunk.byteLength;
      if (isStruck || !fault || !('atBytes' in fault) || count < fault.atBytes) continue;
      isStruck = true;
      if (fault.kind === 'kill') this.kill();
      if (fault.kind === 'stall') await new Promise((resolve) => setTimeout(resolve, stallMs));
      if (fault.kind !== 'kill') request.socket.resetAndDestroy();
    }
    return request.complete ? Buffer.concat(chunks) : undefined;
  }

  #create(sessionId: string, body: Buffer): Upload {
    const {
      text,
      files = [],
      images = [],
    } = JSON.parse(body.toString()) as {
      readonly text: string;
      readonly files?: readonly SentBytes[];
      readonly images?: readonly SentBytes[];
    };
    const createdAt = Math.max(this.#lastCreatedAt + 1, Math.floor(this.#now()));
    this.#lastCreatedAt = createdAt;
    const sha256s = [...images, ...files].map(({ data }) =>
      createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex'),
    );
    const upload = { id: `m${createdAt}`, sessionId, createdAt, text, sha256s };
    this.uploads.push(upload);
    return upload;
  }

  /** A page of the messages of a session, newest first. */
  #page(sessionId: string, query: URLSearchParams): object {
    const own = this.uploads.filter((upload) => upload.sessionId === sessionId).toReversed();
    const limit = query.has('limit') ? Number(query.get('limit')) : undefined;
    const { items, ...pagination } = pageOf(own, { cursor: query.get('cursor') ?? undefined, limit });
    const messages = items.map(({ id, createdAt, text }) => {
      return { id, role: 'user', createdAt, updatedAt: createdAt, content: [{ type: 'text', text }] };
    });
    return { messages, pagination };
  }
}

function json(response: ServerResponse, status: number, value: object): void {
  const body = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': String(body.length) });
  response.end(body);
}
