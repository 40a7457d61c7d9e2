import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { failureOf } from '../../../../src/api/http/failure.ts';

const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });
const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause });

describe('a fetch failure', () => {
  it.each([
    [coded('ENOTFOUND'), 'unreachable', 'no'],
    [coded('EAI_AGAIN'), 'unreachable', 'no'],
    [Object.assign(new AggregateError([coded('ECONNREFUSED')]), { code: 'ECONNREFUSED' }), 'unreachable', 'no'],
    [coded('UND_ERR_CONNECT_TIMEOUT'), 'unreachable', 'no'],
    [coded('ENETUNREACH', { syscall: 'connect' }), 'unreachable', 'no'],
    [coded('ETIMEDOUT', { syscall: 'connect' }), 'unreachable', 'no'],
    [coded('ETIMEDOUT', { syscall: 'read' }), 'unreachable', 'maybe'],
    [coded('ECONNRESET'), 'unreachable', 'maybe'],
    [coded('UND_ERR_SOCKET'), 'unreachable', 'maybe'],
    [new Error('other side closed'), 'unreachable', 'maybe'],
    ['no error at all', 'unreachable', 'maybe'],
    [coded('CERT_HAS_EXPIRED'), 'certificate', 'no'],
    [coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'certificate', 'no'],
    [coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'certificate', 'no'],
    [coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), 'certificate', 'maybe'],
    [new Error('net::ERR_CERT_AUTHORITY_INVALID'), 'certificate', 'no'],
    [new Error('net::ERR_NAME_NOT_RESOLVED'), 'unreachable', 'no'],
    [new Error('net::ERR_PROXY_CONNECTION_FAILED'), 'proxy', 'no'],
    [new Error('net::ERR_CONNECTION_RESET'), 'unreachable', 'maybe'],
    [new Error('Proxy response (407) !== 200 when HTTP Tunneling'), 'proxy', 'no'],
    [coded('Z_DATA_ERROR'), 'notJson', 'maybe'],
    [coded('UND_ERR_INVALID_ARG'), 'invalidRequest', 'no'],
  ])('caused by %s is classified by its code or message', (cause, kind, sent) => {
    expect(failureOf(fetchFailed(cause), {})).toMatchObject({ kind, sent });
  });

  it("counts as possibly sent once a response has started, and otherwise follows the route's report", () => {
    expect(failureOf(coded('ECONNREFUSED'), { status: 200 }).sent).toBe('maybe');
    expect(failureOf(coded('ECONNREFUSED'), { sent: 'maybe' }).sent).toBe('maybe');
    expect(failureOf(coded('ECONNRESET'), { sent: 'no' }).sent).toBe('no');
  });

  it('keeps the kind of an ApiError, even from another copy of the class', () => {
    class Copy extends Error {
      override readonly name = 'ApiError';
      readonly kind = 'invalidRequest';
      readonly sent = 'maybe';
      readonly code = 'SIZE_CHANGED';
    }
    const failure = failureOf(new Copy('It changed.'), { sent: 'no' });
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ kind: 'invalidRequest', code: 'SIZE_CHANGED', sent: 'no', message: 'It changed.' });
  });
});
