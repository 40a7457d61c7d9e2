import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Disposable } from '../../shared/lifecycle.ts';

/** Where to connect to; the host without the brackets of an IPv6 address. */
export interface ConnectTarget {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

/** The last TLS session of an origin, which spares the next connection half of its handshake. */
export interface TlsSessions {
  latest?: Buffer;
}

type ConnectCallback = (...outcome: [null, Socket] | [Error, null]) => void;

const connectTimeoutMs = 10_000;
const tcpKeepAliveDelayMs = 60_000;

/**
 * Opens the connections of the direct route, TLS handshake included, each within 10 s. Unlike undici's own it is an owner: disposing it ends attempts that are still under way.
 */
export class Connector implements Disposable {
  readonly #attempts = new Set<Socket>();
  readonly #tlsSessions: TlsSessions;
  #disposed = false;

  constructor(tlsSessions: TlsSessions) {
    this.#tlsSessions = tlsSessions;
  }

  /** Calls back once: with a connected socket, or with why there is none. */
  readonly connect = (target: ConnectTarget, callback: ConnectCallback): void => {
    if (this.#disposed) {
      callback(new Error('The connector is closed.'), null);
      return;
    }
    const isTls = target.protocol === 'https:';
    const socket = isTls ? this.#openTls(target) : openTcp(target);
    this.#attempts.add(socket);
    const timer = setTimeout(() => socket.destroy(connectTimeoutError()), connectTimeoutMs);
    let settled = false;
    const settle = (error: Error | null) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      this.#attempts.delete(socket);
      if (error) callback(error, null);
      else callback(null, socket);
    };
    socket.setNoDelay(true).setKeepAlive(true, tcpKeepAliveDelayMs);
    socket.once(isTls ? 'secureConnect' : 'connect', () => settle(null));
    socket.on('error', settle);
    socket.once('close', () => settle(new Error('The connection was closed before it was ready.')));
  };

  dispose(): void {
    this.#disposed = true;
    for (const socket of this.#attempts) socket.destroy();
  }

  #openTls({ hostname, port }: ConnectTarget): Socket {
    const socket = connectTls({
      host: hostname,
      port: Number(port || 443),
      // An address is no server name; the certificate is then checked against `host`.
      servername: isIP(hostname) ? '' : hostname,
      ALPNProtocols: ['http/1.1'],
      ...(this.#tlsSessions.latest && { session: this.#tlsSessions.latest }),
    });
    socket.on('session', (session) => (this.#tlsSessions.latest = session));
    return socket;
  }
}

function openTcp({ hostname, port }: ConnectTarget): Socket {
  return connectTcp({ host: hostname, port: Number(port || 80) });
}

function connectTimeoutError(): Error {
  return Object.assign(new Error('The connection was not made in time.'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
}
