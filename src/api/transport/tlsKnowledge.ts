import { readFile } from 'node:fs/promises';
import { type SecureContext, createSecureContext, getCACertificates } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { defined } from '../../shared/defined.ts';
import { Lazy } from '../../shared/lazy.ts';

/** Environment variables that name a file with certificates (PEM). Not every editor's Node reads them itself. */
const fileVariables = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'];

/**
 * The TLS state that the connections to one origin share: the certificate authorities to trust, and the session to
 * resume. Starts with Node's authorities only. Reading the system's can take seconds, so they are added when a
 * connection needs them.
 */
export class TlsKnowledge {
  readonly #extended = new Lazy(extendedContext);
  #context: SecureContext | undefined;
  #session: Buffer | undefined;

  /** The options for the next connection. */
  get options(): { readonly secureContext?: SecureContext; readonly session?: Buffer } {
    return defined({ secureContext: this.#context, session: this.#session });
  }

  /** Remembers a session. Resuming it shortens the handshake of the next connection. */
  rememberSession(session: Buffer): void {
    this.#session = session;
  }

  /**
   * Also trusts the certificates of the operating system, `NODE_EXTRA_CA_CERTS`, and `SSL_CERT_FILE` from now on.
   * Resolves to whether `used`, the options of a connection, didn't include them. Never rejects: unreadable
   * certificates are left out.
   */
  async addAuthorities(used: TlsKnowledge['options']): Promise<boolean> {
    this.#context = await this.#extended.get().catch(() => undefined);
    return this.#context !== used.secureContext;
  }
}

async function extendedContext(): Promise<SecureContext> {
  const [system, ...files] = await Promise.all([readSystem().catch(() => []), ...fileVariables.map(readFileOf)]);
  return createSecureContext({ ca: [...new Set([...getCACertificates('default'), ...system, ...files.flat()])] });
}

/**
 * Reads the certificates that the operating system trusts. Uses a separate thread, because that takes seconds on macOS.
 * Never rejects.
 */
function readSystem(): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const worker = new Worker(
      `const { parentPort } = require('node:worker_threads');
      parentPort.postMessage(require('node:tls').getCACertificates('system'));`,
      { eval: true },
    );
    worker.unref();
    worker.once('message', (certificates: readonly string[]) => resolve(certificates));
    worker.once('error', () => resolve([]));
    worker.once('exit', () => resolve([]));
  });
}

async function readFileOf(variable: string): Promise<readonly string[]> {
  const path = process.env[variable];
  const text = path ? await readFile(path, 'utf8').catch(() => '') : '';
  return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}
