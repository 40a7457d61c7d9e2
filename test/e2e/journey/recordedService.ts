import { createHash } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import type { DemoService, DemoServiceOptions } from '../../../src/demoService/options.ts';
import { startDemoService } from '../../../src/demoService/service.ts';
import { type FaultServer, type LoggedRequest, forwardTo, startFaultServer } from '../../fakes/faultServer.ts';

/** The demo service behind a proxy that records requests and can simulate faults. */
export interface RecordedService {
  /** The base URL for clients. */
  readonly baseUrl: string;
  readonly token: string;
  readonly sessionIdByName: DemoService['sessionIdByName'];
  /** All requests that were received completely, in order. Excludes those that a fault cut off earlier. */
  readonly requests: readonly LoggedRequest[];
  readonly wire: FaultServer;
  /** The posted messages, in the order received. */
  posts(): PostedMessage[];
  /** The parsed bodies of the requests that change session settings. */
  patches(): unknown[];
  /** Replaces the service at the same base URL with one that has different options, such as another API key. */
  restart(options: Partial<DemoServiceOptions>): Promise<void>;
  /** Adds a message to a session as another client would, bypassing the proxy. */
  post(sessionId: string, text: string): Promise<void>;
  /** Returns the status of a session and the text of its newest message, bypassing the proxy. */
  newest(sessionId: string): Promise<{ readonly status: string; readonly text: string }>;
}

/** The path and body of a POST request, as received. */
export interface PostedMessage {
  readonly path: string;
  readonly text: string;
  readonly files: readonly {
    readonly name: string;
    readonly path?: string;
    readonly mediaType: string;
    readonly data: string;
    readonly parsedData?: string;
  }[];
  readonly images: readonly { readonly data: string; readonly mediaType?: string }[];
  readonly computerId?: string | undefined;
  /** Whether the service behind the proxy processed the request. */
  readonly isProcessed: boolean;
}

/** Fast enough for tests, slow enough that tests can see the agent running, and without random failures. */
const usualOptions: Partial<DemoServiceOptions> = { agentDelayMs: 40, failOneIn: 0 };

/**
 * Changes the JSON of a response, to simulate other content, or a service that uses what the specification leaves open.
 */
export type Reshape = (json: unknown) => unknown;

type Fields = Readonly<Record<string, unknown>>;

/** Replaces each object in a response. The objects inside an object are replaced first. */
export function withObjects(replace: (fields: Fields) => unknown): Reshape {
  return function replaced(json: unknown): unknown {
    if (typeof json !== 'object' || json === null) return json;
    if (Array.isArray(json)) return json.map(replaced);
    return replace(Object.fromEntries(Object.entries(json).map(([name, value]) => [name, replaced(value)])));
  };
}

/** Lets a service report that the agent of one session is running for as long as a test needs. */
export class HeldAgent {
  #sessionId: string | undefined;

  /** From now on, this session is running. */
  hold(sessionId: string): void {
    this.#sessionId = sessionId;
  }

  /** From now on, the session has its own status again. */
  release(): void {
    this.#sessionId = undefined;
  }

  /** Changes the responses of the service. */
  readonly reshape: Reshape = (json) => {
    if (typeof json !== 'object' || json === null || !('sessionId' in json) || !('status' in json)) return json;
    return json.sessionId === this.#sessionId ? { ...json, status: 'running' } : json;
  };
}

/** Replaces the contents of the messages whose IDs are in `contents`. */
export function withContents(contents: Readonly<Record<string, readonly unknown[]>>): Reshape {
  return withObjects((fields) => withContent(fields, contents));
}

/** Replaces the content of a message if `contents` has its ID. Returns the fields of anything else unchanged. */
export function withContent(fields: Fields, contents: Readonly<Record<string, readonly unknown[]>>): Fields {
  const content = contents[String(fields['id'])];
  return content && fields['role'] !== undefined ? { ...fields, content } : fields;
}

/**
 * Starts the service once for the calling test file, and stops it after the last test. Its members can be used only
 * inside tests and hooks.
 */
export function useService(options: Partial<DemoServiceOptions> = {}, reshape?: Reshape): RecordedService {
  const started: { service?: RecordedService & { dispose(): Promise<void> } } = {};
  const service = () => {
    if (!started.service) throw new Error('The service runs inside tests and hooks only.');
    return started.service;
  };
  beforeAll(async () => {
    started.service = await startService({ ...usualOptions, ...options }, reshape);
  });
  afterAll(() => started.service?.dispose());
  return {
    get baseUrl() {
      return service().baseUrl;
    },
    get token() {
      return service().token;
    },
    get sessionIdByName() {
      return service().sessionIdByName;
    },
    get requests() {
      return service().requests;
    },
    get wire() {
      return service().wire;
    },
    posts: () => service().posts(),
    patches: () => service().patches(),
    restart: (change) => service().restart(change),
    post: (sessionId, text) => service().post(sessionId, text),
    newest: (sessionId) => service().newest(sessionId),
  };
}

async function startService(
  options: Partial<DemoServiceOptions>,
  reshape?: Reshape,
): Promise<RecordedService & { dispose(): Promise<void> }> {
  let demoService = await startDemoService(options);
  const wire = await startFaultServer({
    service: async (request) => {
      const answer = await forwardTo(demoService.baseUrl)(request);
      if (!reshape) return answer;
      const body = Buffer.from(JSON.stringify(reshape(JSON.parse(Buffer.from(answer.body).toString('utf8')))));
      return { ...answer, headers: { ...answer.headers, 'content-length': String(body.byteLength) }, body };
    },
  });
  const sent = (method: string) => wire.requests.filter((request) => request.method === method);
  const ask = async (path: string, options: { readonly method?: string; readonly body?: string } = {}) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${demoService.token}` };
    const answer = await fetch(`${demoService.baseUrl}/api/v0/sessions/${path}`, { ...options, headers });
    if (!answer.ok) throw new Error(`The service answered with ${answer.status}.`);
    return (await answer.json()) as unknown;
  };
  return {
    baseUrl: wire.origin,
    get token() {
      return demoService.token;
    },
    get sessionIdByName() {
      return demoService.sessionIdByName;
    },
    requests: wire.requests,
    wire,
    posts: () => sent('POST').map(postedMessage),
    patches: () => sent('PATCH').map((request) => JSON.parse(request.body.toString('utf8')) as unknown),
    restart: async (change) => {
      const next = await startDemoService({ ...options, ...change });
      await demoService.dispose();
      demoService = next;
    },
    post: async (sessionId, text) => {
      const path = `${encodeURIComponent(sessionId)}/messages`;
      await ask(path, { method: 'POST', body: JSON.stringify({ text }) });
    },
    newest: async (sessionId) => {
      const path = encodeURIComponent(sessionId);
      const { status } = (await ask(path)) as { status: string };
      const { messages } = (await ask(`${path}/messages?limit=1`)) as { messages: { content: { text?: string }[] }[] };
      return { status, text: messages[0]?.content[0]?.text ?? '' };
    },
    dispose: async () => {
      await wire.dispose();
      await demoService.dispose();
    },
  };
}

/** The parsed bodies. Tests that wait for a message read all bodies again and again, and some have many MB. */
const bodies = new WeakMap<LoggedRequest, Omit<PostedMessage, 'path' | 'isProcessed'>>();

function postedMessage(request: LoggedRequest): PostedMessage {
  const body = bodies.get(request) ?? bodyOf(request);
  bodies.set(request, body);
  return { path: request.url, ...body, isProcessed: request.processed };
}

function bodyOf({ body }: LoggedRequest): Omit<PostedMessage, 'path' | 'isProcessed'> {
  const {
    text,
    files = [],
    images = [],
    computerId,
  } = JSON.parse(body.toString('utf8')) as Partial<PostedMessage> & {
    readonly text: string;
  };
  return { text, files, images, computerId };
}

/** The SHA-256 digest of bytes or of base64-encoded data, in hexadecimal. */
export function sha256(content: Uint8Array | { readonly base64: string }): string {
  const bytes = 'base64' in content ? Buffer.from(content.base64, 'base64') : content;
  return createHash('sha256').update(bytes).digest('hex');
}
