import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Disposable } from '../../shared/lifecycle.ts';

/** The address to connect to. An IPv6 host has no brackets. */
interface ConnectTarget {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

/** The latest TLS session of an origin. Resuming it shortens the handshake of the next connection. */
export interface TlsSessions {
  latest?: Buffer;
}

type ConnectCallback = (...outcome: [null, Socket] | [Error, null]) => void;

const connectTimeoutMs = 10_000;
const tcpKeepAliveDelayMs = 60_000;

/**
 * Opens the connections of the direct transport, including the TLS handshake, with a timeout of 10 s. Unlike undici's own
 * connector, it can be disposed, which ends pending attempts.
 */
export class Connector implements Disposable {
  readonly #attempts = new Set<Socket>();
  readonly #tlsSessions: TlsSessions;
  #disposed = false;

  constructor(tlsSessions: TlsSessions) {
    this.#tlsSessions = tlsSessions;
  }

  /** Calls `callback` once, with a connected socket or with an error. */
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
      // An IP address is not a valid server name. The certificate is then checked against `host`.
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
  return Object.assign(new Error('The connection timed out.'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
}
