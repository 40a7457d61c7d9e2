import { describe, expect, it } from 'vitest';
import { describeHeader } from '../../../../src/state/presentation/describeConversation.ts';
import { describePlace } from '../../../../src/state/presentation/describeMessage.ts';
import { describeSession } from '../../../../src/state/presentation/describeSession.ts';
import { describeStatusBar } from '../../../../src/state/presentation/describeStatusBar.ts';
import { headerOf, t, now, ready, recordOf, sessionOf } from '../samples.ts';

const running = sessionOf({ status: 'running', title: 'Tidy up' });
const asOf = now - 7_000;
const remembered = recordOf({ session: running, asOf, isRemembered: true });
const fresh = recordOf({ session: running, asOf });

describe('a session known from an earlier window', () => {
  it('has no animated icon, and shows the exact time of its state', () => {
    expect(describeSession(remembered, ready, now, t)).toMatchObject({
      label: 'Tidy up',
      icon: 'history',
      iconColor: 'disabledForeground',
      spoken: expect.stringContaining('Running, last known') as string,
    });
    expect(describeSession(fresh, ready, now, t).icon).toBe('sync');
    expect(describeHeader(remembered, ready, t)).toMatchObject({ isStale: true, asOf, status: 'running' });
    expect(describeHeader(fresh, ready, t)).toMatchObject({ isStale: false });
  });

  it('is shown as neither running nor disconnected in the status bar', () => {
    const other = {
      ...remembered,
      sessionList: { ...remembered.listEntry, key: { origin: 'https://service.test', sessionId: 'other' } },
    };
    expect(describeStatusBar(ready, remembered, [remembered, other], now, t)?.text).toBe(
      '$(comment-discussion) Sessions',
    );
    expect(describeStatusBar(ready, undefined, [fresh], now, t)?.text).toBe('$(comment-discussion) 1 running');
  });
});

it('badges mark a message that is no longer listed and a detached one', () => {
  expect(describePlace(headerOf('m', { isGone: true }), t).map(({ label }) => label)).toEqual([
    'Removed from the service',
  ]);
  expect(describePlace(headerOf('m', { isDetached: true }), t).map(({ label }) => label)).toEqual([
    'Messages missing before this',
  ]);
  expect(describePlace(headerOf('m'), t)).toEqual([]);
  expect(describePlace(undefined, t)).toEqual([]);
});
