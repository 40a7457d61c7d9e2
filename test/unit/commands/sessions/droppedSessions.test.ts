import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { sessionCommands } from '../../../../src/commands/sessions/sessionCommands.ts';
import { describeSession } from '../../../../src/state/presentation/describeSession.ts';
import { translator } from '../../../../src/shared/translate.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import { sessionLink } from '../../../../src/state/sessions/sessionLinks.ts';
import { person, recorded } from '../../../fakes/recordedEditor.ts';
import { hostile, isDisguised, ready, sessionOf, t, unreadRecord } from '../../state/samples.ts';
import { origin, OutboxRig } from '../../sync/outbox/outboxRig.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

let rig: OutboxRig;
let added: string[];
let drop: (...dropped: string[]) => unknown;
let isMissing: boolean;
beforeEach(async () => {
  rig = await OutboxRig.open({}, ['listed']);
  added = [];
  isMissing = false;
  recorded.length = 0;
  person.clicks = undefined;
  const { store } = rig;
  const context = {
    store,
    t: translator('en'),
    sessions: {
      refresh: (key: SessionKey) =>
        isMissing
          ? store.takeFailure(key, { kind: 'status', at: 1, status: 404 })
          : store.takeSession(key, sessionOf(), 1, 1),
      fetchMessage: () => Promise.resolve(true),
    },
    lifecycle: { ensureStarted: () => Promise.resolve() },
    navigation: {
      openConversation: ({ sessionId }: SessionKey, messageId?: string) =>
        recorded.push({ what: 'open', args: messageId === undefined ? [sessionId] : [sessionId, messageId] }),
    },
    sessionList: {
      add: (key: SessionKey, { computerId = '' }) => {
        added.push(`${key.origin} ${key.sessionId}${computerId}`);
        store.addSession({ key, addedAt: 1 });
        return Promise.resolve();
      },
    },
  } as unknown as CommandContext;
  drop = (...dropped) => sessionCommands(context).addSession({ dropped });
});
afterEach(() => rig.close());

it('adds dropped sessions of the connected service, opens the first one, and counts the others', async () => {
  await drop(`${origin}/sessions/a?computerId=c1`, 'https://evil.test/sessions/b', `${origin}/sessions/c`);
  expect(added).toEqual([`${origin} ac1`, `${origin} c`]);
  expect(recorded.map(({ what, args }) => [what, args[0]])).toEqual([
    ['information', 'Skipped 1 of 3 links: invalid, or for another service.'],
    ['open', 'a'],
  ]);
});

it('adds only what the address of a session names', async () => {
  await drop(`${origin}/sessions/a?tags=x,y;z`, `${origin}/docs/help`, 'word');
  expect(added).toEqual([`${origin} a`]);
  expect(recorded[0]?.args[0]).toBe('Skipped 2 of 3 links: invalid, or for another service.');
  await expect(drop(`${origin}/docs/help`)).rejects.toThrow('No session URL found in the dropped item.');
});

it('opens the message of a Lineside link', async () => {
  await drop(sessionLink('vscode', 'lineside.lineside', { sessionId: 'a', origin, messageId: 'm1' }));
  expect([added, recorded.at(-1)?.args]).toEqual([[`${origin} a`], ['a', { messageId: 'm1', step: 'any' }]]);
});

it('adds nothing of another service', async () => {
  await expect(drop('https://evil.test/sessions/b')).rejects.toThrow('The session belongs to https://evil.test.');
  expect(added).toEqual([]);
});

it('says that nothing was added if a URL names no session', async () => {
  await expect(drop('https://evil.test/')).rejects.toThrow('No session URL found in the dropped item.');
  expect(added).toEqual([]);
});

it('takes hostile text for an ID at most, which acts nowhere', async () => {
  for (const sessionId of [hostile, '[x](command:quit)', '$(alert)']) {
    await drop(`${origin}/sessions/${encodeURIComponent(sessionId)}`);
    const record = rig.store.record({ origin, sessionId });
    expect(record?.listEntry.key).toEqual({ origin, sessionId });
    const { label, spoken } = describeSession(unreadRecord({ listEntry: record!.listEntry }), ready, 1, t);
    expect([label, spoken].filter(isDisguised)).toEqual([]);
  }
  // Conversations were opened, but nothing was run, shown, or asked.
  expect(new Set(recorded.map(({ what }) => what))).toEqual(new Set(['open']));
});

it('repeats nothing of a hostile address but its origin', async () => {
  added = [];
  const address = `https://evil.test/sessions/${encodeURIComponent(hostile)}?x=[x](command:quit)`;
  await expect(drop(address)).rejects.toThrow(
    /^The session belongs to https:\/\/evil\.test\. Connect to that service first\.$/,
  );
  await expect(drop('https://\u202Eevil.test/sessions/[x](command:quit)')).rejects.toThrow(
    /^No session URL found in the dropped item\. Nothing was added\.$/,
  );
  expect(added).toEqual([]);
});

it('does not open a session that the service does not know, but keeps it in the list', async () => {
  isMissing = true;
  await drop(`${origin}/sessions/a`);
  expect(added).toEqual([`${origin} a`]);
  expect(rig.store.record({ origin, sessionId: 'a' })).toBeDefined();
  expect(recorded.map(({ what }) => what)).not.toContain('open');
});

it('names sessions that are not found in plain text, and only ten of them', async () => {
  isMissing = true;
  const bidi = encodeURIComponent('a\u202eb\u200b');
  await drop(`${origin}/sessions/${bidi}${'x'.repeat(200)}`);
  await vi.waitUntil(() => recorded.some(({ what }) => what === 'information'));
  const [one] = recorded.filter(({ what }) => what === 'information').map(({ args: [message] }) => message);
  expect(one).toMatch(/^Session "a<U\+202E>b<U\+200B>x+…" wasn't found on the service\./);
  recorded.length = 0;
  await drop(...Array.from({ length: 12 }, (_, index) => `${origin}/sessions/${index}${bidi}`));
  await vi.waitUntil(() => recorded.some(({ what }) => what === 'information'));
  const [all] = recorded.filter(({ what }) => what === 'information').map(({ args: [message] }) => message);
  expect(all).toMatch(/^12 sessions weren't found on the service: 0a<U\+202E>b<U\+200B>, .* and 2 more\./);
});
