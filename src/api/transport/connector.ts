import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Disposable } from '../../shared/lifecycle.ts';
import { isUnknownAuthority } from '../http/requestFailure.ts';
import type { TlsKnowledge } from './tlsKnowledge.ts';

/** The address to connect to. An IPv6 host has no brackets. */
interface ConnectTarget {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

type ConnectCallback = (...outcome: [null, Socket] | [Error, null]) => void;

const connectTimeoutMs = 10_000;
const tcpKeepAliveDelayMs = 60_000;

/**
 * Opens the connections of the direct transport, including the TLS handshake, with a timeout of 10 s. If no known
 * authority signed the certificate, connects once more, with the authorities of the system and the environment (R15).
 * Unlike undici's own connector, this one can be disposed, which ends pending attempts.
 */
export class Connector implements Disposable {
  readonly #attempts = new Set<Attempt>();
  readonly #tls: TlsKnowledge;
  #disposed = false;

  constructor(tls: TlsKnowledge) {
    this.#tls = tls;
  }

  /** Calls `callback` once, with a connected socket or with an error. */
  readonly connect = (target: ConnectTarget, callback: ConnectCallback): void => {
    if (this.#disposed) {
      callback(new Error('The connector is closed.'), null);
      return;
    }
    const attempt = new Attempt(target, this.#tls, (...outcome) => {
      this.#attempts.delete(attempt);
      callback(...outcome);
    });
    this.#attempts.add(attempt);
    attempt.open();
  };

  dispose(): void {
    this.#disposed = true;
    for (const attempt of [...this.#attempts]) attempt.dispose();
  }
}

/** The attempt to open one connection. */
class Attempt implements Disposable {
  readonly #target: ConnectTarget;
  readonly #tls: TlsKnowledge;
  readonly #onEnd: ConnectCallback;
  #socket: Socket | undefined;
  #isDisposed = false;

  constructor(target: ConnectTarget, tls: TlsKnowledge, onEnd: ConnectCallback) {
    this.#target = target;
    this.#tls = tls;
    this.#onEnd = onEnd;
  }

  open(): void {
    const isTls = this.#target.protocol === 'https:';
    const used = this.#tls.options;
    const socket = isTls ? this.#openTls(used) : openTcp(this.#target);
    this.#socket = socket;
    const timer = setTimeout(() => socket.destroy(connectTimeoutError()), connectTimeoutMs);
    let isSettled = false;
    const settle = (error: Error | null) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      if (!error) this.#onEnd(null, socket);
      else if (isUnknownAuthority(error)) void this.#openWithMoreAuthorities(used, error);
      else this.#onEnd(error, null);
    };
    socket.setNoDelay(true).setKeepAlive(true, tcpKeepAliveDelayMs);
    socket.once(isTls ? 'secureConnect' : 'connect', () => settle(null));
    socket.on('error', settle);
    socket.once('close', () => settle(new Error('The connection was closed before it was ready.')));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#socket?.destroy();
  }

  async #openWithMoreAuthorities(used: TlsKnowledge['options'], error: Error): Promise<void> {
    const hasMore = await this.#tls.addAuthorities(used);
    if (hasMore && !this.#isDisposed) this.open();
    else this.#onEnd(error, null);
  }

  #openTls(options: TlsKnowledge['options']): Socket {
    const { hostname, port } = this.#target;
    const socket = connectTls({
      host: hostname,
      port: Number(port || 443),
      // An IP address is not a valid server name. The certificate is then checked against `host`.
      servername: isIP(hostname) ? '' : hostname,
      ALPNProtocols: ['http/1.1'],
      ...options,
    });
    socket.on('session', (session) => this.#tls.rememberSession(session));
    return socket;
  }
}

function openTcp({ hostname, port }: ConnectTarget): Socket {
  return connectTcp({ host: hostname, port: Number(port || 80) });
}

function connectTimeoutError(): Error {
  return Object.assign(new Error('The connection timed out.'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
}
