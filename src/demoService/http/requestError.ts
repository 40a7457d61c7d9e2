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
