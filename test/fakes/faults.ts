import type { Exchange, ServiceAnswer } from './faultServer.ts';
import { gzipBomb } from './gzipBomb.ts';

/** `before`: the service behind never saw the request; `after`: it did all it was asked to. */
export type When = 'before' | 'after';

/** What can go wrong between a client and a service. */
export type Fault =
  /** The connection is reset at the request's head, whatever of its body is still under way. */
  | { readonly kind: 'resetEarly' }
  /** The request's body is never read: what does not fit into buffers on the way stays where it is. */
  | { readonly kind: 'stall' }
  /** The connection is reset instead of an answer. */
  | { readonly kind: 'reset'; readonly when: When }
  /** No answer, ever; with `afterHead` its head comes and then nothing. */
  | { readonly kind: 'hang'; readonly when: When; readonly afterHead?: boolean }
  | { readonly kind: 'delay'; readonly when: When; readonly delayMs: number }
  /** The answer comes by so many bytes at a time. */
  | { readonly kind: 'drip'; readonly pieceBytes: number; readonly intervalMs: number }
  /** The connection ends after so many bytes of the answer's body. */
  | { readonly kind: 'truncate'; readonly keepBytes: number }
  /** Another answer in place of the service's; with `after` the service acted all the same. */
  | ({ readonly kind: 'answer'; readonly when?: When } & ReplacedAnswer)
  /** The service's answer, changed. */
  | { readonly kind: 'change'; readonly change: (answer: ServiceAnswer) => ServiceAnswer }
  /** A small gzip answer that decompresses to so many bytes of JSON-like text. */
  | { readonly kind: 'gzipBomb'; readonly sizeBytes: number }
  /** The service's clock is off by so much (Date header). */
  | { readonly kind: 'clock'; readonly offsetMs: number };

/** The status is 200, the content type JSON and the body empty unless said otherwise. */
interface ReplacedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Plays what happens before the service sees the request. True: that was all. */
export async function playBefore(exchange: Exchange): Promise<boolean> {
  const { fault } = exchange;
  if (!fault || !('when' in fault ? fault.when === 'before' : fault.kind === 'answer')) return false;
  if (fault.kind === 'reset') breakConnection(exchange);
  else if (fault.kind === 'hang') hang(exchange, fault.afterHead);
  else if (fault.kind === 'answer') give(exchange, replaced(fault));
  else if (fault.kind === 'delay') return !(await pause(exchange, fault.delayMs));
  return true;
}

/** Plays what becomes of the service's answer. */
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

/** Resets the connection: the client sees ECONNRESET, or nothing but its end. */
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

/** The head of an answer whose body is sent whole, uncompressed. */
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

/** False where the client went away, or the server ended, before the time was over. */
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
