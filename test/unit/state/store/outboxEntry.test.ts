import { describe, expect, it } from 'vitest';
import { type OutboxState, assertTransition } from '../../../../src/state/store/outboxEntry.ts';

const states: readonly (OutboxState | 'gone')[] = ['queued', 'sending', 'accepted', 'unknown', 'notSent', 'gone'];
const allowed = new Set([
  'queued sending',
  'queued notSent',
  'queued gone',
  'sending accepted',
  'sending unknown',
  'sending notSent',
  'sending queued',
  'accepted gone',
  'unknown accepted',
  'unknown notSent',
  'notSent queued',
  'notSent gone',
]);

describe('the states of an outgoing message (R29)', () => {
  const pairs = states.flatMap((from) => (from === 'gone' ? [] : states.map((to) => [from, to] as const)));

  it.each(pairs)('%s to %s', (from, to) => {
    const move = () => assertTransition(from, to);
    if (allowed.has(`${from} ${to}`)) expect(move).not.toThrow();
    else expect(move).toThrow(`from ${from} to ${to}`);
  });
});
