import { describe, expect, it } from 'vitest';
import { ApiError, type ApiErrorKind } from '../../../../src/api/errors.ts';
import { judgeFailure } from '../../../../src/sync/outbox/outcomes.ts';

describe('a failed POST (R31)', () => {
  it.each<[ApiErrorKind, 'no' | 'maybe', number | undefined, string]>([
    ['unreachable', 'no', undefined, 'retry'],
    ['proxy', 'no', undefined, 'retry'],
    ['certificate', 'no', undefined, 'retry'],
    ['cancelled', 'no', undefined, 'retry'],
    ['deadline', 'no', undefined, 'retry'],
    ['status', 'maybe', 429, 'retry'],
    ['status', 'maybe', 401, 'keyRejected'],
    ...[400, 403, 404, 409, 413, 422, 499].map((status): ['status', 'maybe', number, string] => {
      return ['status', 'maybe', status, 'notSent'];
    }),
    ['invalidRequest', 'no', undefined, 'notSent'],
    ['unreachable', 'maybe', undefined, 'unknown'],
    ['proxy', 'maybe', undefined, 'unknown'],
    ['deadline', 'maybe', undefined, 'unknown'],
    ['cancelled', 'maybe', undefined, 'unknown'],
    ['redirect', 'maybe', 303, 'unknown'],
    ['notJson', 'maybe', 200, 'unknown'],
    ['wrongShape', 'maybe', 200, 'unknown'],
    ['tooLarge', 'maybe', 200, 'unknown'],
    ...[202, 204, 408, 500, 502, 503, 504].map((status): ['status', 'maybe', number, string] => {
      return ['status', 'maybe', status, 'unknown'];
    }),
  ])('%s, sent %s, status %s: %s', (kind, sent, status, outcome) => {
    expect(judgeFailure(new ApiError(kind, 'x', { sent, status })).kind).toBe(outcome);
  });

  it('has an unknown outcome if its error does not come from the API client', () => {
    expect(judgeFailure(new TypeError('x')).kind).toBe('unknown');
  });
});
