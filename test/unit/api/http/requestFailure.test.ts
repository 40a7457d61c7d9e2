import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { failureOf, isUnknownAuthority, rejectOnAbort } from '../../../../src/api/http/requestFailure.ts';

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
    [Object.assign(new Error('no code'), { syscall: 'connect' }), 'unreachable', 'maybe'],
    ['no error at all', 'unreachable', 'maybe'],
    [coded('CERT_HAS_EXPIRED'), 'certificate', 'no'],
    [coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'certificate', 'no'],
    [coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'certificate', 'no'],
    [coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), 'certificate', 'maybe'],
    [coded('EPROTO'), 'certificate', 'maybe'],
    [coded('EPROTONOSUPPORT'), 'unreachable', 'maybe'],
    [new Error('net::ERR_CERT_AUTHORITY_INVALID'), 'certificate', 'no'],
    [new Error('net::ERR_NAME_NOT_RESOLVED'), 'unreachable', 'no'],
    [new Error('net::ERR_CONNECTION_REFUSED'), 'unreachable', 'no'],
    [new Error('net::ERR_CONNECTION_TIMED_OUT'), 'unreachable', 'no'],
    [new Error('net::ERR_ADDRESS_UNREACHABLE'), 'unreachable', 'no'],
    [new Error('net::ERR_INTERNET_DISCONNECTED'), 'unreachable', 'no'],
    [new Error('net::ERR_PROXY_CONNECTION_FAILED'), 'proxy', 'no'],
    [new Error('net::ERR_CONNECTION_RESET'), 'unreachable', 'maybe'],
    [new Error('Proxy response (407) !== 200 when HTTP Tunneling'), 'proxy', 'no'],
    [coded('Z_DATA_ERROR'), 'notJson', 'maybe'],
    [coded('UND_ERR_INVALID_ARG'), 'invalidRequest', 'no'],
    [coded('ERR_INVALID_CHAR'), 'invalidRequest', 'no'],
    [coded('ERR_INVALID_ARG_TYPE'), 'invalidRequest', 'no'],
  ])('caused by %s is classified by its code or message', (cause, kind, sent) => {
    expect(failureOf(fetchFailed(cause), {})).toMatchObject({ kind, sent });
  });

  it.each([
    ['CERT_HAS_EXPIRED', 'expired'],
    ['CERT_NOT_YET_VALID', 'expired'],
    ['net::ERR_CERT_DATE_INVALID', 'expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'wrongHost'],
    ['HOSTNAME_MISMATCH', 'wrongHost'],
    ['net::ERR_CERT_COMMON_NAME_INVALID', 'wrongHost'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unknownAuthority'],
    ['UNABLE_TO_GET_ISSUER_CERT', 'unknownAuthority'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unknownAuthority'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'unknownAuthority'],
    ['CERT_UNTRUSTED', 'unknownAuthority'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'unknownAuthority'],
    ['net::ERR_CERT_AUTHORITY_INVALID', 'unknownAuthority'],
    ['CERT_REVOKED', undefined],
    ['ERR_SSL_WRONG_VERSION_NUMBER', undefined],
  ])('caused by the certificate (%s) has the reason %s', (code, reason) => {
    const cause = code.startsWith('net::') ? new Error(code) : coded(code);
    const failure = failureOf(fetchFailed(cause), {});
    expect(failure).toMatchObject({ kind: 'certificate', reason });
    expect(isUnknownAuthority(cause)).toBe(reason === 'unknownAuthority');
  });

  it.each(['MY_CERT_HAS_EXPIRED', 'MY_ERR_TLS_X', 'MY_ERR_PROXY_X', 'FUZZ_DATA'])(
    'with a code that only contains a known one (%s) is not classified by it',
    (code) => {
      expect(failureOf(fetchFailed(coded(code)), {})).toMatchObject({ kind: 'unreachable', sent: 'maybe', code });
    },
  );

  it('is classified by the code in its message if its own code is a number', () => {
    const failure = failureOf(Object.assign(new Error('net::ERR_NAME_NOT_RESOLVED'), { code: 11 }), {});
    expect(failure).toMatchObject({ sent: 'no', code: 'ERR_NAME_NOT_RESOLVED' });
  });

  it('is classified by a cause at most six errors deep', () => {
    const causedBy = (error: Error, depth: number): Error =>
      depth === 1 ? error : fetchFailed(causedBy(error, depth - 1));
    expect(failureOf(causedBy(coded('CERT_HAS_EXPIRED'), 6), {})).toMatchObject({ kind: 'certificate' });
    expect(failureOf(causedBy(coded('CERT_HAS_EXPIRED'), 7), {})).toMatchObject({ kind: 'unreachable' });
  });

  const timeout = (addresses: string) =>
    coded('UND_ERR_CONNECT_TIMEOUT', { message: `Connect Timeout Error (attempted ${addresses}, timeout: 10000ms)` });
  const refused = (address: string, port: number) => coded('ECONNREFUSED', { syscall: 'connect', address, port });
  it.each([
    [coded('ENOTFOUND', { hostname: 'proxy.test' }), 'proxy.test'],
    [refused('192.0.2.1', 8080), '192.0.2.1:8080'],
    [Object.assign(refused('192.0.2.1', 8080), { hostname: undefined }), '192.0.2.1:8080'],
    [new AggregateError([refused('::1', 8080), refused('127.0.0.1', 8080)]), '::1:8080'],
    [timeout('address: proxy.test:8080'), 'proxy.test:8080'],
    [timeout('addresses: 192.0.2.1:8080, 192.0.2.2:8080'), '192.0.2.1:8080'],
    [new Error('net::ERR_PROXY_CONNECTION_FAILED'), undefined],
  ])('to connect to an address that is not the service names the proxy (%s)', (cause, proxy) => {
    for (const url of ['https://service.test', 'https://service.test:444/x', 'http://localhost']) {
      const failure = failureOf(fetchFailed(cause), { service: new URL(url) });
      expect(failure).toMatchObject({ kind: 'proxy', reason: 'proxyUnreachable', proxy, sent: 'no' });
    }
  });

  it.each([
    [coded('ENOTFOUND', { hostname: 'service.test' }), 'https://service.test'],
    [refused('192.0.2.1', 443), 'https://service.test'],
    [refused('127.0.0.1', 80), 'http://localhost'],
    [refused('192.0.2.1', 8443), 'https://service.test:8443'],
    [timeout('addresses: 192.0.2.1:443'), 'https://service.test'],
    [coded('ENETUNREACH', { syscall: 'connect' }), 'https://service.test'],
    [coded('ENETUNREACH', { syscall: 'connect', address: '192.0.2.1' }), 'https://service.test'],
  ])('to connect to the service itself is no failure of a proxy (%s, %s)', (cause, url) => {
    const failure = failureOf(fetchFailed(cause), { service: new URL(url) });
    expect(failure).toMatchObject({ kind: 'unreachable', reason: undefined, proxy: undefined, sent: 'no' });
  });

  it('of a proxy has its status and reason', () => {
    const ofStatus = (status: number) => new Error(`Proxy response (${status}) !== 200 when HTTP Tunneling`);
    expect(failureOf(fetchFailed(ofStatus(407)), {})).toMatchObject({ reason: 'proxyLogin', code: '407' });
    expect(failureOf(fetchFailed(ofStatus(502)), {})).toMatchObject({ reason: 'proxyRefused', code: '502' });
    const ofCode = (code: string) => failureOf(new Error(`net::${code}`), {});
    for (const [code, reason] of [
      ['ERR_PROXY_AUTH_UNSUPPORTED', 'proxyLogin'],
      ['ERR_TUNNEL_CONNECTION_FAILED', 'proxyRefused'],
      ['ERR_PROXY_CONNECTION_FAILED', 'proxyUnreachable'],
    ] as const) {
      expect(ofCode(code)).toMatchObject({ kind: 'proxy', reason, code });
    }
  });

  it('without a connection is one of the service if the transport uses no proxy', () => {
    expect(failureOf(refused('192.0.2.1', 8080), {})).toMatchObject({ kind: 'unreachable', proxy: undefined });
    // A lost connection may have carried the request, whoever the peer was.
    const lost = coded('ECONNRESET', { address: '192.0.2.1', port: 8080 });
    expect(failureOf(lost, { service: new URL('https://service.test') })).toMatchObject({
      kind: 'unreachable',
      sent: 'maybe',
    });
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

describe('a promise that is rejected on abort', () => {
  it('is rejected if the signal was aborted before, even if the promise resolves', async () => {
    await expect(rejectOnAbort(Promise.resolve('done'), AbortSignal.abort())).rejects.toMatchObject({
      kind: 'cancelled',
      sent: 'no',
    });
  });

  it('leaves no listener on the signal, whether it settles or not', async () => {
    const controller = new AbortController();
    await rejectOnAbort(Promise.resolve('done'), controller.signal);
    await rejectOnAbort(Promise.reject(new Error('failed')), controller.signal).catch(() => undefined);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    const hanging = rejectOnAbort(new Promise(() => undefined), controller.signal);
    controller.abort();
    await expect(hanging).rejects.toMatchObject({ kind: 'cancelled' });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});
