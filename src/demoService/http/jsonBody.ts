import type { IncomingMessage } from 'node:http';
import { parseJson } from '../../shared/json.ts';

/**
 * Thrown for a rejected request. Contains the HTTP status of the response and the reason, which the client receives as
 * `detail`.
 */
export class RequestError extends Error {
  readonly status: number;
  /** Additional headers of the response, such as `Allow`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, reason: string, headers: Readonly<Record<string, string>> = {}) {
    super(reason);
    this.name = 'RequestError';
    this.status = status;
    this.headers = headers;
  }
}

/**
 * Reads the JSON body of a request.
 *
 * @throws RequestError 415 for a content type other than JSON or for a content encoding other than `identity`, 413 for
 * a body larger than `maxSizeBytes`, 400 for a body that isn't JSON in valid UTF-8. Error if the client closes the
 * connection first.
 */
export async function readJsonBody(request: IncomingMessage, maxSizeBytes: number): Promise<unknown> {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType)) {
    throw new RequestError(415, 'The Content-Type must be application/json.');
  }
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new RequestError(415, 'A Content-Encoding is not accepted.');
  }
  const value = parseJson(await readBytes(request, maxSizeBytes));
  if (value === undefined) throw new RequestError(400, 'The body is not JSON in UTF-8.');
  return value;
}

/** @throws RequestError 400 if the request has a body. */
export function refuseBody(request: IncomingMessage): void {
  const sizeText = request.headers['content-length'] ?? '0';
  if (sizeText !== '0' || request.headers['transfer-encoding'] !== undefined) {
    throw new RequestError(400, 'This call takes no body.');
  }
}

async function readBytes(request: IncomingMessage, maxSizeBytes: number): Promise<Buffer> {
  const tooLarge = new RequestError(413, `The body is larger than ${maxSizeBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > maxSizeBytes) throw tooLarge;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    request.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes <= maxSizeBytes) chunks.push(chunk);
      else reject(tooLarge);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => reject(new Error('the client went away')));
  });
}
