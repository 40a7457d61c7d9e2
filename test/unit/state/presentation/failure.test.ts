import { describe, expect, it } from 'vitest';
import { describeProblem, describeServiceUrlProblem } from '../../../../src/state/presentation/failure.ts';
import { hostile, hostileShown, t } from '../samples.ts';

describe('what went wrong', () => {
  it.each([
    [{ kind: 'unreachable' }, 'The service cannot be reached.'],
    [{ kind: 'unreachable', code: 'ENOTFOUND' }, 'The service cannot be reached (ENOTFOUND).'],
    [{ kind: 'proxy' }, 'The proxy did not let the request through. Check the setting "http.proxy".'],
    [{ kind: 'certificate' }, "The service's certificate is not trusted, so nothing was sent."],
    [{ kind: 'deadline' }, 'The service did not answer in time.'],
    [{ kind: 'cancelled' }, 'The request was cancelled.'],
    [
      { kind: 'redirect', redirectOrigin: 'https://b.test' },
      'The service redirects to https://b.test, which is not followed. Check the base URL.',
    ],
    [{ kind: 'redirect' }, 'The service redirects to ?, which is not followed. Check the base URL.'],
    [{ kind: 'notJson' }, 'The answer is not JSON: this may not be the Sessions API. Check the base URL.'],
    [{ kind: 'wrongShape' }, 'The answer does not have the shape of the Sessions API.'],
    [{ kind: 'tooLarge' }, 'The answer is too large and was not read.'],
    [{ kind: 'invalidRequest' }, 'The request could not be made.'],
    [{ kind: 'disk' }, 'A file of Lineside could not be written or read.'],
    [{ kind: 'unexpected' }, 'Something unexpected happened; the log has the details.'],
    [{ kind: 'status', status: 400 }, 'The service did not accept the request (400).'],
    [{ kind: 'status', status: 422 }, 'The service did not accept the request (422).'],
    [{ kind: 'status', status: 401 }, 'The service refused the API key.'],
    [{ kind: 'status', status: 403 }, 'This API key is not allowed to do that.'],
    [{ kind: 'status', status: 404 }, 'The service does not know this session.'],
    [{ kind: 'status', status: 413 }, 'This is too large for the service.'],
    [{ kind: 'status', status: 429 }, 'The service asks for fewer requests.'],
    [{ kind: 'status', status: 429, retryAfterMs: 1_500 }, 'The service asks for fewer requests, and to wait 2 s.'],
    [{ kind: 'status', status: 503 }, 'The service answered with an error (503).'],
    [{ kind: 'status' }, 'The service answered with an error (?).'],
  ] as const)('%j', (problem, sentence) => expect(describeProblem({ ...problem, at: 1 }, t)).toBe(sentence));

  it('does not blame the session alone where the request named a computer (spec 4.1, 4.4)', () => {
    const unknown = { kind: 'status', status: 404, at: 1 } as const;
    expect(describeProblem(unknown, t, 'build-7')).toBe(
      'The service does not know this session, or not the computer "build-7".',
    );
    expect(describeProblem(unknown, t, hostile)).not.toMatch(/[\u202e\r\n]/);
    expect(describeProblem({ ...unknown, status: 403 }, t, 'build-7')).toBe('This API key is not allowed to do that.');
  });

  it('has the words of the service behind it, as text on one line (R4, R7)', () => {
    const problem = { kind: 'status', status: 500, at: 1 } as const;
    expect(describeProblem({ ...problem, detail: hostile }, t)).toBe(
      `The service answered with an error (500). The service says: ${hostileShown}`,
    );
    expect(describeProblem({ ...problem, detail: ' \n ' }, t)).toBe('The service answered with an error (500).');
    expect(Array.from(describeProblem({ ...problem, detail: 'x'.repeat(5_000) }, t)).length).toBeLessThan(400);
    expect(describeProblem({ kind: 'unreachable', code: hostile, at: 1 }, t)).not.toMatch(/[\u202e\r\n]/);
  });
});

describe('what is no base URL', () => {
  it.each(['empty', 'notAUrl', 'wrongScheme', 'insecure', 'credentials', 'queryOrFragment'] as const)(
    '%s is said in one sentence of its own',
    (problem) => {
      const sentence = describeServiceUrlProblem(problem, t);
      expect(sentence).toMatch(/^[A-Zh].*\.$/);
      expect(sentence).not.toContain('\n');
    },
  );
});
