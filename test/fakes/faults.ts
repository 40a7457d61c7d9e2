import type { Exchange, ServiceAnswer } from './faultServer.ts';
import { gzipBomb } from './gzipBomb.ts';

/** `before`: the fault occurs before the backing service receives the request. `after`: it occurs after processing. */
export type When = 'before' | 'after';

/** A failure that can occur between a client and a service. */
export type Fault =
  /** Resets the connection after the request headers, even if the body is still being sent. */
  | { readonly kind: 'resetEarly' }
  /** Never reads the request body, so data that exceeds the network buffers is never sent. */
  | { readonly kind: 'stall' }
  /** Resets the connection instead of responding. */
  | { readonly kind: 'reset'; readonly when: When }
  /** Never responds. With `afterHead`, sends the response headers and the start of a body, and then nothing. */
  | { readonly kind: 'hang'; readonly when: When; readonly afterHead?: boolean }
  | { readonly kind: 'delay'; readonly when: When; readonly delayMs: number }
  /** Sends the response in pieces of `pieceBytes`, one every `intervalMs`. */
  | { readonly kind: 'drip'; readonly pieceBytes: number; readonly intervalMs: number }
  /** Closes the connection after `keepBytes` of the response body. */
  | { readonly kind: 'truncate'; readonly keepBytes: number }
  /** Replaces the response. With `after`, the service still processes the request. */
  | ({ readonly kind: 'answer'; readonly when?: When } & ReplacedAnswer)
  /** Transforms the response of the service. */
  | { readonly kind: 'change'; readonly change: (answer: ServiceAnswer) => ServiceAnswer }
  /** Sends a small gzip response that decompresses to about `sizeBytes` of JSON. */
  | { readonly kind: 'gzipBomb'; readonly sizeBytes: number }
  /** Shifts the Date header by `offsetMs`, as if the service's clock were wrong. */
  | { readonly kind: 'clock'; readonly offsetMs: number };

/** Defaults to status 200, a JSON content type, and an empty body. */
interface ReplacedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Applies a fault that precedes processing. Resolves to true if the request must not reach the service. */
export async function playBefore(exchange: Exchange): Promise<boolean> {
  const { fault } = exchange;
  if (!fault || !('when' in fault ? fault.when === 'before' : fault.kind === 'answer')) return false;
  if (fault.kind === 'reset') breakConnection(exchange);
  else if (fault.kind === 'hang') hang(exchange, fault.afterHead);
  else if (fault.kind === 'answer') give(exchange, replaced(fault));
  else if (fault.kind === 'delay') return !(await pause(exchange, fault.delayMs));
  return true;
}

/** Sends the response of the service with the fault applied. */
export async function playAfter(exchange: Exchange, answer: ServiceAnswer): Promise<void> {
  const { fault } = exchange;
  if (fault?.kind === 'reset') breakConnection(exchange);
  else if (fault?.kind === 'hang') hang(exchange, fault.afterHead);
  else if (fault?.kind === 'drip') drip(exchange, answer, fault.pieceBytes, fault.intervalMs);
  else if (fault?.kind === 'truncate') truncate(exchange, answer, fault.keepBytes);
  else if (fault?.kind === 'gzipBomb') await giveBomb(exchange, fault.sizeBytes);
  else if (fault?.kind === 'answer') give(exchange, replaced(fault));
  else if (fault?.kind === 'change') give(exchange, fault.change(answer));
  else if (fault?.kind === 'clock') give(exchange, withDate(answer, Date.now() + fault.offsetMs));
  else if (fault?.kind !== 'delay' || fault.when === 'before' || (await pause(exchange, fault.delayMs))) {
    give(exchange, answer);
  }
}

/** Resets the connection. Over TLS, the client only sees it close. */
export function breakConnection({ incoming }: Exchange): void {
  const { socket } = incoming;
  if ('resetAndDestroy' in socket && !('encrypted' in socket)) socket.resetAndDestroy();
  else socket.destroy();
}

function replaced({ status = 200, headers = {}, body = '' }: ReplacedAnswer): ServiceAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: Buffer.from(body) };
}

function withDate(answer: ServiceAnswer, dateMs: number): ServiceAnswer {
  return { ...answer, headers: { ...answer.headers, date: new Date(dateMs).toUTCString() } };
}

function give({ response }: Exchange, answer: ServiceAnswer): void {
  response.writeHead(answer.status, headOf(answer));
  response.end(answer.body);
}

/** The headers with the length of the whole body, without those that are only about the service's own connection. */
function headOf({ headers, body }: ServiceAnswer): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => !/^(content-length|transfer-encoding|connection)$/i.test(name),
  );
  return { ...Object.fromEntries(kept), 'content-length': String(body.byteLength) };
}

function hang({ response }: Exchange, afterHead = false): void {
  if (!afterHead) return;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{');
}

function truncate({ response, incoming }: Exchange, answer: ServiceAnswer, keepBytes: number): void {
  response.writeHead(answer.status, headOf(answer));
  response.write(answer.body.subarray(0, keepBytes), () => incoming.socket.destroy());
}

function drip(exchange: Exchange, answer: ServiceAnswer, pieceBytes: number, intervalMs: number): void {
  const { response, cleanups } = exchange;
  response.writeHead(answer.status, headOf(answer));
  let sentBytes = 0;
  const stop = () => {
    clearInterval(timer);
    cleanups.delete(stop);
  };
  const timer = setInterval(() => {
    response.write(answer.body.subarray(sentBytes, sentBytes + pieceBytes));
    sentBytes += pieceBytes;
    if (sentBytes < answer.body.byteLength) return;
    stop();
    response.end();
  }, intervalMs);
  cleanups.add(stop);
  response.on('close', stop);
}

/** Resolves to false if the client disconnects or the server is disposed before the delay ends. */
function pause({ response, cleanups }: Exchange, delayMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isOver: boolean) => {
      clearTimeout(timer);
      cleanups.delete(giveUp);
      resolve(isOver);
    };
    const giveUp = () => end(false);
    const timer = setTimeout(() => end(true), delayMs);
    cleanups.add(giveUp);
    response.on('close', giveUp);
  });
}

async function giveBomb({ response }: Exchange, sizeBytes: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  response.end(await gzipBomb(sizeBytes));
}
