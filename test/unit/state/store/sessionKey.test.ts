import { expect, it } from 'vitest';
import { namedSession } from '../../../../src/state/store/sessionKey.ts';
import { key } from '../samples.ts';

it('is the session of a message without its other fields, and none for a message about no session', () => {
  expect(namedSession({ type: 'loadOlder', ...key })).toEqual(key);
  expect(namedSession({ type: 'act', action: 'refresh', ...key })).toEqual(key);
  expect(namedSession({ type: 'act', action: 'refresh' })).toBeUndefined();
  expect(namedSession({ type: 'act', action: 'refresh', origin: key.origin })).toBeUndefined();
  expect(namedSession({ type: 'ready' })).toBeUndefined();
});
