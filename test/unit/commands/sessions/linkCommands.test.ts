import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { translator } from '../../../../src/shared/translate.ts';
import { LinkFollower } from '../../../../src/commands/sessions/linkCommands.ts';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import { person, recorded, Uri, window } from '../../../fakes/recordedEditor.ts';
import { corpora } from '../../../fakes/corpora.ts';
import { keyOf, origin, OutboxRig } from '../../sync/outbox/outboxRig.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

let rig: OutboxRig;
let added: string[];
let refreshed: string[];
let follower: LinkFollower;
let isDemo: boolean;
/** What the command to connect does. */
let connect: () => void;
beforeEach(async () => {
  rig = await OutboxRig.open({}, ['listed']);
  isDemo = false;
  connect = () => undefined;
  added = [];
  refreshed = [];
  recorded.length = 0;
  person.clicks = undefined;
  const { store } = rig;
  follower = new LinkFollower({
    store,
    t: translator('en'),
    log: silentLog,
    lifecycle: { ensureStarted: () => Promise.resolve() },
    connections: {
      get isTemporary() {
        return isDemo;
      },
      known: { services: [{ name: 'Lab', baseUrl: 'https://lab.test', origin: 'https://lab.test' }] },
    },
    sessions: {
      refresh: ({ sessionId }: SessionKey) => Promise.resolve(refreshed.push(sessionId)),
      fetchMessage: () => Promise.resolve(true),
    },
    commands: {
      run: (name: string, argument: object, ...more: readonly unknown[]) => {
        const given = Object.keys(argument).length === 0 ? [] : [argument];
        recorded.push({ what: 'command', args: [`lineside.${name}`, ...given, ...more] });
        if (name === 'connect') connect();
      },
    },
    navigation: {
      openConversation: (key: SessionKey, messageId?: string) =>
        recorded.push({ what: 'opening', args: [key.sessionId, messageId] }),
    },
    sessionList: {
      add: (key: SessionKey) => {
        added.push(key.sessionId);
        store.addSession({ key, addedAt: 1 });
        return Promise.resolve();
      },
    },
  } as unknown as CommandContext);
});
afterEach(() => rig.close());

const link = (query: string) => Uri.parse(`vscode://lineside.lineside/open?${query}`) as unknown as vscode.Uri;
const asked = () => recorded.map(({ what, args }) => [what, args[0]]);
const opened = (sessionId: string, messageId?: string) => [
  ...['opening', sessionId],
  messageId === undefined ? undefined : { messageId, step: 'any' },
];
const openings = () =>
  recorded.filter(({ what }) => /opening|command/.test(what)).map(({ what, args }) => [what, ...args]);

it('opens a session of the list without a question', async () => {
  await follower.follow(link('session=listed&message=m1'));
  expect(openings()).toEqual([opened('listed', 'm1')]);
  expect(recorded).toHaveLength(1);
  expect(added).toEqual([]);
});

it('adds a session only if the person confirms', async () => {
  await follower.follow(link('session=unknown'));
  expect(asked()).toEqual([['warning', 'Do you want to add the session from this link to your list?']]);
  expect([added, refreshed, openings()]).toEqual([[], [], []]);
  expect(rig.store.record(keyOf('unknown'))).toBeUndefined();
  person.clicks = 'Add Session';
  await follower.follow(link('session=unknown'));
  expect(added).toEqual(['unknown']);
  expect(openings()).toEqual([opened('unknown')]);
});

it('asks one question for several links at once, and opens the last session', async () => {
  person.clicks = 'Add Sessions';
  await Promise.all(['a', 'b', 'a', 'listed'].map((id) => follower.follow(link(`session=${id}`))));
  expect(asked()[0]).toEqual(['warning', 'Do you want to add 2 sessions from links to your list?']);
  expect(recorded).toHaveLength(2);
  expect(added).toEqual(['a', 'b']);
  expect(openings()).toEqual([opened('listed')]);
});

it('asks before it adds a session that is only shown below its parent', async () => {
  rig.store.addSession({ key: keyOf('child'), addedAt: 1, isTransient: true });
  await follower.follow(link('session=child'));
  expect(asked()).toEqual([['warning', 'Do you want to add the session from this link to your list?']]);
  expect([added, openings()]).toEqual([[], []]);
});

const lab = 'https://lab.test';
const labLink = () => link(`session=x&service=${encodeURIComponent(lab)}`);

it('asks before it leaves the demo for a known service, and adds nothing if the person declines', async () => {
  isDemo = true;
  await follower.follow(labLink());
  expect(asked()).toEqual([['warning', 'The link opens a session on "Lab". Switch to this service?']]);
  expect([added, openings()]).toEqual([[], []]);
});

it('says that a known service without an API key is not connected', async () => {
  await follower.follow(labLink());
  expect(asked()).toEqual([['information', `The link opens a session on ${lab}. Connect to that service first.`]]);
  expect([added, openings()]).toEqual([[], []]);
});

it('follows later links while the user ignores that a service is not connected', async () => {
  const ask = vi.spyOn(window, 'showInformationMessage').mockReturnValueOnce(new Promise(() => undefined));
  await follower.follow(labLink());
  expect(ask).toHaveBeenCalledTimes(1);
  await follower.follow(link('session=listed'));
  expect(openings()).toEqual([opened('listed')]);
  ask.mockRestore();
});

it('follows the link after the user has connected to its service', async () => {
  const service = { origin: lab, baseUrl: lab };
  connect = () => {
    rig.store.setConnections(rig.store.connection, [{ kind: 'ready', service }]);
    rig.store.addSession({ key: { origin: lab, sessionId: 'x' }, addedAt: 1 });
  };
  person.clicks = 'Connect to Service...';
  await follower.follow(labLink());
  await vi.waitUntil(() => openings().length === 2);
  expect(openings()).toEqual([['command', 'lineside.connect'], opened('x')]);
});

it('opens a session of another connected service, which does not become the current one', async () => {
  const service = { origin: lab, baseUrl: lab };
  rig.store.setConnections(rig.store.connection, [{ kind: 'ready', service }]);
  rig.store.addSession({ key: { origin: lab, sessionId: 'x' }, addedAt: 1 });
  await follower.follow(labLink());
  expect(recorded).toHaveLength(1);
  expect(openings()).toEqual([opened('x')]);
  expect(rig.store.connection).toMatchObject({ service: { origin } });
});

it('never connects to an unknown service, even if the person clicks the button', async () => {
  person.clicks = 'Connect to Service...';
  await follower.follow(link(`session=x&service=${encodeURIComponent('https://evil.test')}`));
  expect(asked()[0]).toEqual([
    'information',
    'The link opens a session on https://evil.test. Connect to that service first.',
  ]);
  // The command has no argument: an address from a link is never filled in.
  expect(openings()).toEqual([['command', 'lineside.connect']]);
  expect(added).toEqual([]);
});

it('counts links that are invalid or for another service, and follows the others', async () => {
  await Promise.all(
    ['session=listed', 'session=', `session=y&service=${encodeURIComponent('https://lab.test')}`].map((query) =>
      follower.follow(link(query)),
    ),
  );
  expect(asked()[0]).toEqual(['information', 'Skipped 2 of 3 links: invalid, or for another service.']);
  expect(openings()).toEqual([opened('listed')]);
  expect(added).toEqual([]);
});

it.each([
  ['vscode://lineside.lineside/send?session=listed', "Lineside doesn't support this type of link."],
  ['vscode://lineside.lineside/open?message=m1', "The link doesn't contain a session ID."],
  ['vscode://lineside.lineside/open?session=a&service=file%3A%2F%2F%2Fetc', 'The service URL in the link is invalid.'],
])('explains why it ignores %s', async (text, failure) => {
  await follower.follow(Uri.parse(text) as unknown as vscode.Uri);
  expect(JSON.stringify(recorded)).toContain(failure);
  expect([added, openings()]).toEqual([[], []]);
});

it('never does more than open a listed session, or ask or say something in one sentence, whatever a link contains', async () => {
  vi.useFakeTimers();
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...Object.values(corpora).flat()),
    fc.constantFrom(
      'listed',
      '',
      '..',
      '../x',
      'x'.repeat(1_001),
      'command:workbench.action.quit',
      '${env:HOME}',
      '\0',
      '\ud800',
    ),
    fc.constantFrom(
      origin,
      'https://lab.test',
      'https://evil.test',
      'javascript:alert(1)',
      'https://\u0430pple.test',
      '//x',
    ),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
  );
  const encoded = fc.tuple(hostile, fc.constantFrom(0, 1, 2)).map(([text, times]) => {
    let value = text.replace(/\p{Cs}/gu, '');
    for (let time = 0; time < times; time++) value = encodeURIComponent(value);
    return value;
  });
  const names = fc.constantFrom(
    'session',
    'session',
    'message',
    'service',
    'computer',
    'text',
    'key',
    'baseUrl',
    'command',
    '__proto__',
  );
  const query = fc
    .array(fc.tuple(names, encoded), { maxLength: 5 })
    .map((all) => all.map((pair) => pair.join('=')).join('&'));
  const path = fc.constantFrom('/open', '/open', '/open', '/', '', '/send', '/open/../send', '/OPEN', '/open/');
  try {
    await fc.assert(
      fc.asyncProperty(path, fc.oneof(query, hostile), async (path, query) => {
        recorded.length = 0;
        const followed = follower.follow({ path, query } as vscode.Uri);
        await vi.advanceTimersByTimeAsync(1_000);
        await followed;
        // The person answers no question, so nothing follows a question.
        for (const { what, args } of recorded) {
          const [text, options] = args;
          if (what === 'opening') {
            expect(args[0]).toBe('listed');
            continue;
          }
          expect(['warning', 'information', 'error']).toContain(what);
          expect(text).toMatch(/^[A-Z][^\p{Cc}\u202a-\u202e]*[.?]$/u);
          const { detail = '' } = (options ?? {}) as { detail?: string };
          expect(`${String(text)} ${typeof options === 'object' ? detail : ''}`).not.toMatch(/\]\(|`|[\u202a-\u202e]/);
        }
        expect(recorded).toHaveLength(1);
        expect(added).toEqual([]);
        expect(rig.service.posts).toEqual([]);
      }),
      { numRuns: 300 },
    );
  } finally {
    vi.useRealTimers();
  }
});
