import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { FinishedNotifications } from '../../../../src/commands/notices/finishedNotifications.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { configured, person, recorded, window } from '../../../fakes/recordedEditor.ts';
import { ready, service, sessionOf, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const setting = 'lineside.notifications.whenFinished';
const keyOf = (sessionId: string): SessionKey => ({ origin: service.origin, sessionId });

let store: Store;
let done: unknown[][];
let claimed: boolean;
let notifications: FinishedNotifications;
beforeEach(() => {
  vi.useFakeTimers();
  recorded.length = 0;
  configured.clear();
  [person.clicks, window.state.focused, claimed, done] = [undefined, false, true, []];
  store = new Store(memoryBodies());
  store.setConnection(ready);
  const note =
    (what: string) =>
    (...args: readonly unknown[]) =>
      Promise.resolve(done.push([what, ...args]));
  notifications = new FinishedNotifications({
    store,
    t,
    notifications: { claim: () => Promise.resolve(claimed) },
    sessions: { isBeingChecked: () => false },
    systemNotifications: { show: () => undefined },
    navigation: { openConversation: note('open') },
    sessionList: { change: note('change') },
  } as unknown as CommandContext);
});
afterEach(() => {
  notifications.dispose();
  vi.useRealTimers();
  window.state.focused = true;
  configured.clear();
});

/** Lets the agents of these sessions run and finish. Resolves when a notification would have been shown. */
async function work(...sessionIds: readonly string[]): Promise<void> {
  for (const sessionId of sessionIds) {
    for (const [at, status] of (['idle', 'running', 'idle'] as const).entries()) {
      const session = sessionOf({ sessionId, status, title: `Title of ${sessionId}`, updatedAt: at });
      store.takeSession(keyOf(sessionId), session, at, at);
    }
  }
  await vi.advanceTimersByTimeAsync(3_000);
}

async function finish(...sessionIds: readonly string[]): Promise<void> {
  for (const sessionId of sessionIds) store.addSession({ key: keyOf(sessionId), addedAt: 1 });
  await work(...sessionIds);
}

const shown = () => recorded.map(({ what, args }) => [what, ...args]);
const buttons = ['Open', 'Reply', 'Mute'];
const finished = ['information', '"\u2068Title of a\u2069" finished after less than a minute.', ...buttons];

describe('the notification that an agent finished', () => {
  it.each([
    [undefined, false, [finished]],
    [undefined, true, []],
    ['always', true, [finished]],
    ['never', false, []],
  ] as const)('follows the setting %s in a window whose focus is %s', async (value, isFocused, expected) => {
    if (value !== undefined) configured.set(setting, value);
    window.state.focused = isFocused;
    await finish('a');
    expect(shown()).toEqual(expected);
  });

  it.each([
    ['Open', [['open', keyOf('a')]]],
    ['Reply', [['open', keyOf('a'), undefined, true]]],
    ['Mute', [['change', keyOf('a'), { isMuted: true }]]],
    [undefined, []],
  ] as const)('does what the button %s says', async (button, expected) => {
    person.clicks = button;
    await finish('a');
    expect(done).toEqual(expected);
  });

  it('is one for several sessions, and shows their list', async () => {
    person.clicks = 'Show Sessions';
    await finish('a', 'b');
    expect(shown()).toEqual([
      ['information', '2 sessions finished: "Title of a", "Title of b".', 'Show Sessions'],
      ['command', 'lineside.sessions.focus'],
    ]);
  });

  it('is not shown for a muted session', async () => {
    store.addSession({ key: keyOf('a'), addedAt: 1, isMuted: true });
    await work('a');
    expect(shown()).toEqual([]);
  });

  it('is not shown if another window shows it', async () => {
    claimed = false;
    await finish('a');
    expect(shown()).toEqual([]);
  });
});
