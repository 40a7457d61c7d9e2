import { describe, expect, it } from 'vitest';
import { isOffline } from '../../../../src/state/store/connection.ts';
import { recordOf, sessionOf } from '../samples.ts';

describe('whether the service is unreachable', () => {
  const refreshedAt = (asOf: number) => recordOf({ session: sessionOf(), asOf });
  const failedAt = (at: number) => recordOf({ failure: { kind: 'unreachable', at }, asOf: 0 });

  it('depends on the last refresh of any session', () => {
    expect(isOffline([])).toBe(false);
    expect(isOffline([refreshedAt(1), failedAt(2)])).toBe(true);
    expect(isOffline([failedAt(2), refreshedAt(3)])).toBe(false);
    expect(isOffline([refreshedAt(1), recordOf({ failure: { kind: 'status', status: 500, at: 2 }, asOf: 0 })])).toBe(
      false,
    );
  });

  it('is known for any number of sessions', () => {
    expect(isOffline([...Array<ReturnType<typeof refreshedAt>>(300_000).fill(refreshedAt(1)), failedAt(2)])).toBe(true);
  });
});
