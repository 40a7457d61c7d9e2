import { describe, expect, it } from 'vitest';
import { describeFailure, describeServiceUrlFailure } from '../../../../src/state/presentation/describeFailure.ts';
import { hostile, hostileShown, t } from '../samples.ts';

const unknownAuthority =
  "The service's certificate was issued by an unknown authority. Nothing was sent. If your organization has its own certificate authority, add its certificate to the operating system's trusted certificates.";

describe('a failure', () => {
  it.each([
    [{ kind: 'unreachable' }, "Can't reach the service."],
    [{ kind: 'unreachable', code: 'ENOTFOUND' }, "Can't reach the service."],
    [
      { kind: 'unreachable', fixedRoute: 'direct' },
      'Can\'t reach the service. To also use the proxy and certificates of VS Code, set "lineside.network.route" to "auto".',
    ],
    [{ kind: 'unreachable', fixedRoute: 'editor' }, "Can't reach the service."],
    [{ kind: 'proxy' }, 'The proxy rejected the connection. Check your proxy settings.'],
    [
      { kind: 'proxy', reason: 'proxyRefused', code: '403' },
      'The proxy rejected the connection (403). Check your proxy settings.',
    ],
    [
      { kind: 'proxy', reason: 'proxyLogin', code: '407' },
      'The proxy requires authentication. Retry, and sign in when VS Code asks for your proxy credentials.',
    ],
    [{ kind: 'proxy', reason: 'proxyUnreachable' }, "Can't reach the proxy. Check your proxy settings."],
    [
      { kind: 'proxy', reason: 'proxyUnreachable', proxy: 'proxy.test:8080', fixedRoute: 'editor' },
      'Can\'t reach the proxy proxy.test:8080. Check your proxy settings. To also try a direct connection, set "lineside.network.route" to "auto".',
    ],
    [{ kind: 'certificate' }, "Couldn't establish a secure connection to the service."],
    [{ kind: 'certificate', code: 'EPROTO' }, "Couldn't establish a secure connection to the service (EPROTO)."],
    [
      { kind: 'certificate', reason: 'expired', fixedRoute: 'direct' },
      "The service's certificate has expired, or this computer's clock is wrong. Nothing was sent.",
    ],
    [
      { kind: 'certificate', reason: 'wrongHost', fixedRoute: 'editor' },
      "The service's certificate is for a different host. Nothing was sent. Check the base URL.",
    ],
    [{ kind: 'certificate', reason: 'unknownAuthority' }, unknownAuthority],
    [
      { kind: 'certificate', reason: 'unknownAuthority', fixedRoute: 'direct' },
      `${unknownAuthority} To also use the proxy and certificates of VS Code, set "lineside.network.route" to "auto".`,
    ],
    [
      { kind: 'certificate', reason: 'unknownAuthority', fixedRoute: 'editor' },
      `${unknownAuthority} To also try a direct connection, set "lineside.network.route" to "auto".`,
    ],
    [{ kind: 'deadline' }, "The service didn't respond in time."],
    [{ kind: 'cancelled' }, 'The request was canceled.'],
    [
      { kind: 'redirect', redirectOrigin: 'https://b.test' },
      "The service redirected the request to https://b.test. Lineside doesn't follow redirects. Check the base URL.",
    ],
    [
      { kind: 'redirect' },
      "The service redirected the request to ?. Lineside doesn't follow redirects. Check the base URL.",
    ],
    [{ kind: 'notJson' }, "The response isn't JSON. Check that the base URL points to a Sessions API."],
    [{ kind: 'wrongShape' }, 'Unexpected response. Check that the base URL points to a Sessions API.'],
    [{ kind: 'tooLarge' }, 'The response is too large to load.'],
    [{ kind: 'invalidRequest' }, "Couldn't create the request."],
    [{ kind: 'disk' }, "Lineside couldn't read or write its data."],
    [{ kind: 'disk', code: 'EIO' }, "Lineside couldn't read or write its data (EIO)."],
    [{ kind: 'disk', code: 'ENOSPC' }, 'The disk is full. Free up some space and try again.'],
    [{ kind: 'disk', code: 'EROFS' }, "Lineside's data folder is read-only. Make it writable and try again."],
    [{ kind: 'disk', code: 'ENEWER' }, 'A newer version of Lineside saved this data. Update Lineside to change it.'],
    [
      { kind: 'disk', code: 'EDAMAGED' },
      "This message's file on disk was damaged. Part of the message might be missing.",
    ],
    [
      { kind: 'disk', code: 'ELOST' },
      "This message's file on disk was removed or damaged. Another window may have sent the message.",
    ],
    [{ kind: 'unexpected' }, 'An unexpected error occurred. See the log for details.'],
    [{ kind: 'status', status: 400 }, 'The service rejected the request (400).'],
    [{ kind: 'status', status: 422 }, 'The service rejected the request (422).'],
    [{ kind: 'status', status: 401 }, 'Your API key was rejected.'],
    [{ kind: 'status', status: 403 }, "Your API key doesn't have permission to do that."],
    [{ kind: 'status', status: 404 }, "This session wasn't found on the service."],
    [{ kind: 'status', status: 413 }, 'The request is larger than the service allows.'],
    [{ kind: 'status', status: 429 }, 'Too many requests.'],
    [{ kind: 'status', status: 429, retryAfterMs: 1_500 }, 'Too many requests. Retrying in 2 seconds.'],
    [
      { kind: 'status', status: 429, retryAfterMs: 3_600_000 },
      `Too many requests. The service asks to wait until ${t.formats.time(3_600_001)}.`,
    ],
    [{ kind: 'status', status: 429, retryAfterMs: 900 }, 'Too many requests. Retrying in 1 second.'],
    [{ kind: 'status', status: 503 }, 'The service returned an error (503).'],
    [{ kind: 'status' }, 'The service returned an error (?).'],
  ] as const)('%j', (failure, sentence) => expect(describeFailure({ ...failure, at: 1 }, t)).toBe(sentence));

  it('mentions the computer if the request named one (spec 4.1, 4.4)', () => {
    const unknown = { kind: 'status', status: 404, at: 1 } as const;
    expect(describeFailure(unknown, t, 'build-7')).toBe(
      'This session or the computer "build-7" wasn\'t found on the service.',
    );
    expect(describeFailure(unknown, t, hostile)).not.toMatch(/[\u202e\r\n]/);
    expect(describeFailure({ ...unknown, status: 403 }, t, 'build-7')).toBe(
      "Your API key doesn't have permission to do that.",
    );
  });

  it.each([
    [429, 'Too many requests', 'Too many requests.'],
    [404, 'Session not found.', "This session wasn't found on the service."],
    [401, 'Unauthorized', 'Your API key was rejected.'],
    [500, 'Internal Server Error', 'The service returned an error (500).'],
    [429, 'Not found', 'Too many requests. The service responded: Not found.'],
    [401, 'The key is invalid', 'Your API key was rejected. The service responded: The key is invalid.'],
    [401, 'Key expired!', 'Your API key was rejected. The service responded: Key expired!'],
    [401, '鍵が無効です。', 'Your API key was rejected. The service responded: 鍵が無効です。'],
    [400, 'Say "yes."', 'The service rejected the request (400). The service responded: Say "yes."'],
  ])('of status %d with the message %j repeats nothing, and ends with a full stop', (status, detail, sentence) => {
    expect(describeFailure({ kind: 'status', status, detail, at: 1 }, t)).toBe(sentence);
  });

  it("includes the service's message as plain text on one line (R4, R7)", () => {
    const failure = { kind: 'status', status: 500, at: 1 } as const;
    expect(describeFailure({ ...failure, detail: hostile }, t)).toBe(
      `The service returned an error (500). The service responded: ${hostileShown}.`,
    );
    expect(describeFailure({ ...failure, detail: ' \n ' }, t)).toBe('The service returned an error (500).');
    expect(Array.from(describeFailure({ ...failure, detail: 'x'.repeat(5_000) }, t)).length).toBeLessThan(400);
    expect(describeFailure({ kind: 'unreachable', code: hostile, at: 1 }, t)).not.toMatch(/[\u202e\r\n]/);
    const proxy = { kind: 'proxy', reason: 'proxyUnreachable', proxy: hostile, at: 1 } as const;
    expect(describeFailure(proxy, t)).not.toMatch(/[\u202e\r\n]/);
  });
});

describe('an invalid base URL', () => {
  it.each(['empty', 'notAUrl', 'wrongScheme', 'insecure', 'credentials', 'queryOrFragment'] as const)(
    '%s is explained in one sentence',
    (failure) => {
      const sentence = describeServiceUrlFailure(failure, t);
      expect(sentence).toMatch(/^[A-Zh].*\.$/);
      expect(sentence).not.toContain('\n');
    },
  );
});
