import type { IncomingMessage } from 'node:http';

/** A request this service refuses: the HTTP status to answer with and the reason, told to the client as `detail`. */
export class RequestError extends Error {
  readonly status: number;
  /** Headers that belong to the refusal, such as `Allow`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, reason: string, headers: Readonly<Record<string, string>> = {}) {
    super(reason);
    this.name = 'RequestError';
    this.status = status;
    this.headers = headers;
  }
}

/**
 * The JSON value a request carries.
 * @throws RequestError 415 for another content type or encoding, 413 above `maxSizeBytes`, 400 for what is not UTF-8 JSON.
 */
export async function readJsonBody(request: IncomingMessage, maxSizeBytes: number): Promise<unknown> {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType)) {
    throw new RequestError(415, 'The Content-Type must be application/json.');
  }
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new RequestError(415, 'A Content-Encoding is not accepted.');
  }
  const bytes = await readBytes(request, maxSizeBytes);
  return parseJson(bytes);
}

/** @throws RequestError 400 when a request that takes no body carries one. */
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

function parseJson(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return JSON.parse(text);
  } catch {
    throw new RequestError(400, 'The body is not JSON in UTF-8.');
  }
}
