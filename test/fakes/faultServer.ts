import { createHash } from 'node:crypto';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { findLastingPort } from '../../tools/editor/run/lastingPort.ts';
import { type Fault, breakConnection, playAfter, playBefore } from './faults.ts';

/** A received request. `processed` and `status` record whether and how the backing service has handled it. */
export interface LoggedRequest {
  readonly method: string;
  /** The path and query exactly as received. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly bodySha256: string;
  readonly receivedAtMs: number;
  /** True once the backing service has processed the request. Most faults with `when: 'before'` prevent that. */
  processed: boolean;
  /**
   * The status that the backing service returned, even if a fault changed or dropped the response; undefined until the
   * service has processed the request.
   */
  status: number | undefined;
}

/** The response of the backing service, before faults are applied. */
export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The backing service: a function, or a real service through `forwardTo`. */
export type ServiceBehind = (request: LoggedRequest) => Promise<ServiceAnswer> | ServiceAnswer;

/**
 * A fault and the requests that it applies to. `path` is compared with the path of a request without its query. `nth`
 * (1-based) selects one matching request, and `times` limits how often the rule applies.
 */
export interface FaultRule {
  readonly method?: string;
  readonly path?: string | RegExp;
  readonly nth?: number;
  readonly times?: number;
  readonly fault: Fault;
}

export interface FaultServerOptions {
  readonly service: ServiceBehind;
  readonly faults?: readonly FaultRule[];
  /** The PEM-encoded key and certificate. If set, the server uses TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** An HTTP server on the loopback address that fronts a backing service and injects scripted faults. */
export interface FaultServer {
  readonly origin: string;
  /**
   * All requests that were read completely, in the order in which reading them ended. Excludes requests that a fault
   * cut off earlier.
   */
  readonly requests: readonly LoggedRequest[];
  readonly openSocketCount: number;
  /** The number of connections accepted so far. */
  readonly connectionCount: number;
  /** Adds a rule. The first matching rule applies. */
  addFault(rule: FaultRule): void;
  clearFaults(): void;
  /** Closes open connections and rejects new ones (ECONNREFUSED) until `acceptConnections` is called. */
  refuseConnections(): Promise<void>;
  acceptConnections(): Promise<void>;
  dispose(): Promise<void>;
}

/** Starts a fault server on a free port of 127.0.0.1. */
export async function startFaultServer(options: FaultServerOptions): Promise<FaultServer> {
  const rules = (options.faults ?? []).map(countedRule);
  const requests: LoggedRequest[] = [];
  const sockets = new Set<Socket>();
  const cleanups = new Set<() => void>();
  let connectionCount = 0;

  const listener: RequestListener = (incoming, response) => {
    const [due] = rules.filter((rule) => rule.isDue(incoming));
    const fault = due?.strike();
    const exchange = { incoming, response, fault, cleanups };
    answer(exchange, options.service, requests).catch(() => incoming.socket.destroy());
  };
  const server: Server = options.tls ? createTlsServer(options.tls, listener) : createServer(listener);
  server.on('connection', (socket: Socket) => {
    connectionCount++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', () => resolve()));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  const port = await findLastingPort();
  await listen(port);

  return {
    origin: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    get openSocketCount() {
      return sockets.size;
    },
    get connectionCount() {
      return connectionCount;
    },
    addFault: (rule) => void rules.push(countedRule(rule)),
    clearFaults: () => void (rules.length = 0),
    refuseConnections: stop,
    acceptConnections: () => listen(port),
    async dispose() {
      for (const cleanup of cleanups) cleanup();
      if (server.listening) await stop();
    },
  };
}

/** A request in progress and the fault that applies to it. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly fault: Fault | undefined;
  /** Callbacks for cleanup, such as clearing timers. They run if the server is disposed before the exchange ends. */
  readonly cleanups: Set<() => void>;
}

async function answer(exchange: Exchange, service: ServiceBehind, requests: LoggedRequest[]): Promise<void> {
  if (exchange.fault?.kind === 'resetEarly') {
    breakConnection(exchange);
    return;
  }
  if (exchange.fault?.kind === 'stall') return;
  const request = await readRequest(exchange.incoming);
  requests.push(request);
  if (await playBefore(exchange)) return;
  const answered = await service(request);
  request.processed = true;
  request.status = answered.status;
  await playAfter(exchange, answered);
}

async function readRequest(incoming: IncomingMessage): Promise<LoggedRequest> {
  const receivedAtMs = Date.now();
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  return {
    method: incoming.method ?? '',
    url: incoming.url ?? '',
    headers: incoming.headers,
    body,
    bodySha256: createHash('sha256').update(body).digest('hex'),
    receivedAtMs,
    processed: false,
    status: undefined,
  };
}

/** Adds counters to a rule. Call `isDue` for every request, including requests that another rule applies to. */
function countedRule(rule: FaultRule) {
  let fitCount = 0;
  let strikeCount = 0;
  return {
    isDue(incoming: IncomingMessage): boolean {
      if (!fits(rule, incoming)) return false;
      fitCount++;
      return (rule.nth === undefined || fitCount === rule.nth) && strikeCount < (rule.times ?? Infinity);
    },
    strike(): Fault {
      strikeCount++;
      return rule.fault;
    },
  };
}

function fits({ method, path }: FaultRule, incoming: IncomingMessage): boolean {
  if (method !== undefined && method !== incoming.method) return false;
  const pathname = (incoming.url ?? '').split('?')[0] ?? '';
  if (path === undefined) return true;
  return typeof path === 'string' ? path === pathname : path.test(pathname);
}

/** A backing service that forwards to a real one, such as the embedded service. */
export function forwardTo(baseUrl: string): ServiceBehind {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  return async (request) => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      const isOwn = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding'].includes(name);
      if (!isOwn && value !== undefined) headers.set(name, String(value));
    }
    const hasBody = request.body.byteLength > 0;
    const response = await fetch(base.origin + prefix + request.url, {
      method: request.method,
      headers,
      body: hasBody ? new Uint8Array(request.body) : null,
      redirect: 'manual',
    });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: new Uint8Array(await response.arrayBuffer()),
    };
  };
}

/** A backing service that always returns this JSON value. */
export function jsonService(value: unknown, status = 200): ServiceBehind {
  return () => jsonAnswer(value, status);
}

export function jsonAnswer(value: unknown, status = 200): ServiceAnswer {
  const headers = { 'content-type': 'application/json' };
  return { status, headers, body: Buffer.from(JSON.stringify(value)) };
}
