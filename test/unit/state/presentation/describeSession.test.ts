import { describe, expect, it } from 'vitest';
import {
  describeMessageRow,
  describeSession,
  describeSessionTooltip,
  isStale,
  sessionFlags,
  statusLabel,
} from '../../../../src/state/presentation/describeSession.ts';
import { sessionTitle } from '../../../../src/state/store/sessionFacts.ts';
import { toolMarksOf } from '../../../../src/state/tools/toolMarks.ts';
import { describeTree } from '../../../../src/state/presentation/describeTree.ts';
import { isLockedOut, isUnreachable } from '../../../../src/state/store/connection.ts';
import {
  attachment,
  callOf,
  entryOf,
  headerOf,
  hostile,
  hostileShown,
  isDisguised,
  key,
  minuteMs,
  noKey,
  now,
  ready,
  recordOf,
  rejected,
  resultOf,
  service,
  sessionOf,
  t,
  unreadRecord,
} from '../samples.ts';

const down = { kind: 'unreachable', code: 'ECONNREFUSED', at: now } as const;
/** The newest messages of {@link sessionOf} are known. */
const settled = { completeness: 'complete', isLoading: false, settledCount: 12 } as const;
const isolated = (text: string) => `\u2068${text}\u2069`;

describe('a session in the tree', () => {
  it('shows its title, age, and number of messages, and details in its tooltip', () => {
    const session = sessionOf({ computerId: 'mac-1', sessionSettings: { model: 'large-2' } });
    expect(describeSession(recordOf({ session }), ready, now, t)).toEqual({
      label: 'Fix the login',
      description: '5 min',
      icon: 'comment-discussion',
      spoken: 'Session Fix the login, Idle, 5 min, 12 messages',
    });
    expect(describeSessionTooltip(recordOf({ session }), ready, now, t).split('\n')).toEqual([
      isolated('Fix the login'),
      'Idle (as of 2 min ago)',
      '12 messages',
      `Model: ${isolated('large-2')}`,
      `Created: ${t.formats.dateTime(session.createdAt)}`,
      `Computer: ${isolated('mac-1')}`,
    ]);
  });

  it('has a short label for a narrow view, and its whole title for screen readers', () => {
    const session = sessionOf({ title: 'Retry with jitter in the upload client' });
    const { label, spoken } = describeSession(recordOf({ session }), ready, now, t, 20);
    expect(label).toBe('Retry with jitter in the…');
    const waiting = { messageId: 'm', rule: 'question', question: 'Which?' } as const;
    expect(describeSession(recordOf({ session, waiting }), ready, now, t, 22).label).toBe('Retry with jitter in…');
    expect(describeSession(recordOf({ session, waiting }), ready, now, t, 18).label).toBe('Retry with jitter…');
    expect(spoken).toContain('Session Retry with jitter in the upload client, ');
    expect(describeSessionTooltip(recordOf({ session }), ready, now, t)).toContain(session.title);
    expect(describeSession(recordOf({ session }), ready, now, t, 0).label).toBe(session.title);
  });

  it('shortens a UUID, the title of a session without one, to its first digits', () => {
    const title = '418f0ad6-e2b9-4377-86d5-f3c7a92e50b1';
    const label = (titleWidth: number) =>
      describeSession(recordOf({ session: sessionOf({ title }) }), ready, now, t, titleWidth).label;
    expect([label(18), label(0)]).toEqual(['418f0ad6…', title]);
  });

  it('has an icon of another shape for each state', () => {
    const readMark = { messageCount: 9, updatedAt: 1, wasAtWork: false };
    const listEntry = { key, addedAt: 1, readMark };
    const ofStatus = (status: 'idle' | 'running' | 'pending' | 'unknown') =>
      recordOf({ session: sessionOf({ status }) });
    const records = [
      recordOf({ waiting: { messageId: 'm', rule: 'question', question: 'Which?' } }),
      recordOf({ listEntry, headers: [headerOf('m', { isError: true })], history: settled }),
      recordOf({ listEntry }),
      ...(['idle', 'running', 'pending', 'unknown'] as const).map(ofStatus),
      recordOf({ outbox: [entryOf({ state: 'notSent' })] }),
      unreadRecord(),
    ];
    const iconsFor = (connection: typeof ready) =>
      records.map((each) => describeSession(each, connection, now, t).icon);
    expect(new Set(iconsFor(ready)).size).toBe(records.length);
    expect(iconsFor(rejected)).toEqual(iconsFor(ready));
    expect(iconsFor(noKey)).toEqual(iconsFor(ready));
  });

  it('marks outgoing messages and drafts', () => {
    const draft = { text: 'hm', selectionStart: 2, selectionEnd: 2, attachments: [], comments: [] };
    const record = recordOf({ outbox: [entryOf(), entryOf({ entryId: 'e2' })], draft });
    expect(describeSession(record, ready, now, t)).toMatchObject({
      description: '5 min · 2 queued · draft',
      spoken: 'Session Fix the login, Idle, 5 min, 12 messages, 2 queued, draft',
    });
    const attached = recordOf({ draft: { ...draft, text: '', attachments: [attachment] } });
    expect(describeSession(attached, ready, now, t).description).toBe('5 min · draft');
  });

  it.each([
    ['idle', 'Idle', 'comment-discussion'],
    ['pending', 'Pending', 'clockface'],
    ['running', 'Running', 'sync'],
    ['unknown', 'Unknown status', 'circle-slash'],
  ] as const)('shows the status %s', (status, words, icon) => {
    const record = recordOf({ session: sessionOf({ status }) });
    const description = describeSession(record, ready, now, t);
    expect(statusLabel(status, t)).toBe(words);
    expect(description.icon).toBe(icon);
    expect(describeSessionTooltip(record, ready, now, t)).toContain(`\n${words} (as of 2 min ago)\n`);
    expect(description.spoken).toContain(`, ${words}, `);
  });

  it('shows its ID if it was never loaded', () => {
    const description = describeSession(unreadRecord(), ready, now, t);
    expect(description).toMatchObject({
      label: 'session-1',
      description: '',
      icon: 'circle-outline',
      spoken: 'Session session-1, Not loaded yet',
    });
    const tooltip = describeSessionTooltip(unreadRecord(), ready, now, t);
    expect(tooltip).toBe(`${isolated('session-1')}\nNot loaded yet`);
  });

  it.each([
    ['a network failure', recordOf({ failure: down }), ready, 'comment-discussion'],
    ['an error response', recordOf({ failure: { kind: 'status', status: 500, at: now } }), ready, 'debug-disconnect'],
    ['a rejected key', recordOf(), rejected, 'comment-discussion'],
    ['no key', recordOf({ isRemembered: true }), noKey, 'comment-discussion'],
  ] as const)('grays out the last known state after %s', (_what, record, connection, icon) => {
    expect(isStale(record, connection)).toBe(true);
    const description = describeSession(record, connection, now, t);
    expect(description).toMatchObject({ icon, iconColor: 'disabledForeground' });
    expect(description.spoken).toContain('Idle, last known');
    expect(describeSessionTooltip(record, connection, now, t)).toContain('Idle, last known (as of 2 min ago)');
  });

  it.each([
    ['pending', 'clockface'],
    ['running', 'sync'],
    ['unknown', 'circle-slash'],
  ] as const)(
    'keeps the icon of a session that was %s when the service was last reached, without motion',
    (status, icon) => {
      const record = recordOf({ session: sessionOf({ status }), failure: down });
      expect(describeSession(record, ready, now, t)).toMatchObject({ icon, iconColor: 'disabledForeground' });
    },
  );

  it("doesn't call the state of a session last known if it was never loaded", () => {
    const notFound = { kind: 'status', status: 404, at: now } as const;
    const record = unreadRecord({ failure: notFound });
    const { spoken } = describeSession(record, ready, now, t);
    expect(describeSessionTooltip(record, ready, now, t)).toContain('\nNot loaded yet\n');
    expect(spoken).not.toContain('last known');
  });

  it('shows why the last refresh failed', () => {
    expect(describeSessionTooltip(recordOf({ failure: down }), ready, now, t)).toMatch(/\nCan't reach the service\.$/);
    expect(isStale(recordOf(), ready)).toBe(false);
  });

  it('shows hostile text of the service as plain text (R4)', () => {
    const session = sessionOf({ title: hostile, computerId: hostile, sessionSettings: { model: hostile } });
    const record = recordOf({ session, listEntry: { key: { ...key, sessionId: hostile }, addedAt: 1 } });
    const { label, spoken } = describeSession(record, ready, now, t);
    const tooltip = describeSessionTooltip(record, ready, now, t);
    expect(label).toBe(hostileShown);
    expect(spoken).toContain(hostileShown);
    expect(tooltip.split('\n')).toHaveLength(6);
    for (const line of tooltip.split('\n')) expect(isDisguised(line), line).toBe(false);
    expect(sessionTitle(recordOf({ session: sessionOf({ title: ' \u2028 ' }) }))).toBe('session-1');
    expect(Array.from(sessionTitle(recordOf({ session: sessionOf({ title: 'x'.repeat(9_999) }) })))).toHaveLength(120);
  });

  it('shows the custom title, and the original one in the tooltip', () => {
    const tags = [{ name: 'ui' }, { name: hostile }];
    const record = recordOf({
      session: sessionOf({ sessionSettings: { tags } }),
      listEntry: { key, addedAt: 1, name: 'Mine', isPinned: true, isMuted: true },
    });
    const { label, description, spoken } = describeSession(record, ready, now, t);
    const tooltip = describeSessionTooltip(record, ready, now, t);
    expect(label).toBe('Mine');
    expect(tooltip).toContain(`\nOriginal title: ${isolated('Fix the login')}\n`);
    expect(tooltip).toContain(`\nTags: ${isolated('ui')}, ${isolated(hostileShown)}\n`);
    expect(tooltip).toMatch(/\nNotifications muted$/);
    expect(description).toBe('5 min · muted');
    expect(spoken).toBe('Session Mine, Idle, 5 min, 12 messages, pinned, muted');
    expect(sessionFlags(record)).toBe('session pinned muted');
  });

  it('marks unread and unsent messages', () => {
    const readMark = { messageCount: 9, updatedAt: 1, wasAtWork: false };
    const record = recordOf({ listEntry: { key, addedAt: 1, readMark }, outbox: [entryOf({ state: 'notSent' })] });
    expect(describeSession(record, ready, now, t)).toMatchObject({
      description: '1 not sent · 5 min · 3 new',
      icon: 'warning',
      iconColor: 'list.warningForeground',
      spoken: 'Session Fix the login, Idle, 5 min, 12 messages, 1 not sent, 3 new, unread',
    });
    expect(sessionFlags(record)).toBe('session unread triage');
    const unread = recordOf({ ...record, outbox: [] });
    expect(describeSession(unread, ready, now, t)).toMatchObject({
      icon: 'circle-filled',
      iconColor: 'textLink.foreground',
    });
    const running = recordOf({ ...unread, session: sessionOf({ status: 'running' }) });
    expect(describeSession(running, ready, now, t)).toMatchObject({ icon: 'sync' });
  });

  it('shows a failed turn as long as it is unread', () => {
    const readMark = { messageCount: 9, updatedAt: 1, wasAtWork: false };
    const headers = [headerOf('m', { isError: true })];
    const failed = recordOf({ listEntry: { key, addedAt: 1, readMark }, headers, history: settled });
    expect(describeSession(failed, ready, now, t)).toMatchObject({
      description: `failed · ${isolated('line of m')} · 5 min · 3 new`,
      icon: 'error',
      iconColor: 'list.errorForeground',
    });
    expect(describeSession(recordOf({ headers, history: settled }), ready, now, t).description).toBe('5 min');
  });

  describe('that is not open', () => {
    const readMark = { messageCount: 12, updatedAt: 1, wasAtWork: false, isAssumed: true };
    const tail = {
      messageCount: 12,
      messageId: 'm',
      isError: true,
      excerpt: `No space\n${hostile}`,
      files: [`src/${hostile}`, 'b.ts'],
    };
    const failed = unreadRecord({ listEntry: { key, addedAt: 1, readMark }, session: sessionOf(), asOf: now, tail });

    it('shows that its last turn failed, why, and what changed, until the user views it', () => {
      expect(describeSession(failed, ready, now, t)).toMatchObject({
        description: `failed · ${isolated(`No space ${hostileShown}`)} · 5 min`,
        icon: 'error',
        spoken: `Session Fix the login, Idle, 5 min, 12 messages, failed, ${isolated(`No space ${hostileShown}`)}`,
      });
      expect(describeSessionTooltip(failed, ready, now, t).split('\n').slice(1, 3)).toEqual([
        `Failed: ${isolated(`No space ${hostileShown}`)}`,
        `Recently changed files: ${isolated(`src/${hostileShown}`)}, ${isolated('b.ts')}`,
      ]);
      const viewed = { ...failed, listEntry: { key, addedAt: 1, readMark: { ...readMark, isAssumed: false } } };
      expect(describeSession(viewed, ready, now, t).description).toBe('5 min');
    });

    it('shows its last answer, unless the session changed since', () => {
      const done = { ...failed, tail: { ...tail, isError: false, answer: { firstLine: 'All pass.', isOfTurn: true } } };
      expect(describeSessionTooltip(done, ready, now, t)).toContain(`Last answer: ${isolated('All pass.')}`);
      const changed = { ...done, session: sessionOf({ messageCount: 13 }) };
      expect(describeSessionTooltip(changed, ready, now, t)).not.toContain('All pass.');
    });

    it('says so if its newest messages could not be read, until they are known or the user views it', () => {
      const unreadable = { ...failed, tail: { ...tail, isError: false, isUnreadable: true } as const };
      expect(describeSession(unreadable, ready, now, t).description).toBe('5 min · not checked');
      expect(describeSessionTooltip(unreadable, ready, now, t)).toContain("\nThe newest messages weren't checked.");
      const viewed = { ...unreadable, listEntry: { key, addedAt: 1 } };
      const history = { completeness: 'partial', isLoading: false, settledCount: 12 } as const;
      const unknown = { ...unreadable, session: sessionOf({ status: 'unknown' }) };
      for (const record of [viewed, { ...unreadable, history }, unknown])
        expect(describeSession(record, ready, now, t).description).toBe('5 min');
    });
  });

  it.each([
    ['question', 'a question has no answer yet'],
    ['approval', 'a plan asks for your approval'],
    ['answer', 'the answer ends in a question'],
  ] as const)('says that the agent may be waiting, why, and what it asks (%s)', (rule, why) => {
    const record = recordOf({ waiting: { messageId: 'm', rule, question: `Which?\n${hostile}` } });
    const described = describeSession(record, ready, now, t);
    expect(described).toMatchObject({
      description: `asks · ${isolated(`Which? ${hostileShown}`)} · 5 min`,
      icon: 'question',
      iconColor: 'list.warningForeground',
    });
    expect(describeSessionTooltip(record, ready, now, t).split('\n').slice(1, 3)).toEqual([
      `May be waiting for you: ${why}.`,
      isolated(`Which? ${hostileShown}`),
    ]);
    expect(described.spoken).toContain(`may be waiting for you, ${isolated(`Which? ${hostileShown}`)}`);
    expect(sessionFlags(record)).toBe('session waiting triage');
    const silent = recordOf({ waiting: { messageId: 'm', rule, question: ' ' } });
    expect(describeSessionTooltip(silent, ready, now, t).split('\n')[2]).toMatch(/^Idle/);
  });

  it('shows the state of a session that may be waiting as last known if it could not be refreshed', () => {
    const waiting = { messageId: 'm', rule: 'answer', question: 'Go on?' } as const;
    expect(describeSession(recordOf({ waiting, failure: down }), ready, now, t)).toMatchObject({
      icon: 'question',
      iconColor: 'disabledForeground',
      description: `asks · ${isolated('Go on?')} · as of 2 min ago`,
    });
  });

  it('shows the progress of the plan in its tooltip', () => {
    const plan = (current: string) => JSON.stringify([['c', 0, null, 'plan', current, 3, 7, [], false]]);
    const lines = (current: string) => {
      const headers = [headerOf('m', { role: 'assistant', tools: plan(current) })];
      return describeSessionTooltip(recordOf({ headers }), ready, now, t).split('\n');
    };
    expect(lines('Write the tests')).toContain(`Plan: 3 of 7 done, ${isolated('Write the tests')}`);
    expect(lines('')).toContain('Plan: 3 of 7 done');
  });

  it('shows the time of a state that could not be refreshed, or the reason if no state is known', () => {
    expect(describeSession(recordOf({ failure: down }), ready, now, t).description).toBe('as of 2 min ago');
    const justRead = recordOf({ failure: down, asOf: now });
    expect(describeSession(justRead, ready, now, t).description).toBe(
      describeSession(recordOf({ asOf: now }), ready, now, t).description,
    );
    const unknown = unreadRecord({ failure: { kind: 'status', status: 404, at: now } });
    expect(describeSession(unknown, ready, now, t)).toMatchObject({
      label: 'session-1',
      description: "This session wasn't found on the service.",
      icon: 'warning',
    });
  });

  it('uses the singular for one message', () => {
    const session = sessionOf({ messageCount: 1 });
    expect(describeSessionTooltip(recordOf({ session }), ready, now, t)).toContain('\n1 message\n');
  });

  it('shows the start of the last answer in its tooltip', () => {
    const headers = [
      headerOf('a', { role: 'assistant', firstLine: 'All tests pass.' }),
      headerOf('b', { role: 'assistant', firstLine: '' }),
      headerOf('call', { role: 'assistant', firstLine: 'Bash', hasText: false, toolCount: 1 }),
      headerOf('c', { role: 'user', firstLine: 'Thanks' }),
      headerOf('d', { role: 'assistant', firstLine: 'Removed', isGone: true }),
    ];
    expect(describeSessionTooltip(recordOf({ headers }), ready, now, t).split('\n')).toContain(
      `Last answer: ${isolated('All tests pass.')}`,
    );
  });
});

describe('a message in the tree', () => {
  const at = now - 90 * minuteMs;

  it('shows its first line, role, and age', () => {
    const header = headerOf('m1', { firstLine: 'Fix it', createdAt: at });
    expect(describeMessageRow(header, [header], now, t)).toEqual({
      label: 'Fix it',
      description: '1 hr',
      tooltip: `User · ${t.formats.dateTime(at)}\n${isolated('Fix it')}`,
      icon: 'account',
      spoken: 'User message, Fix it, 1 hr',
    });
  });

  it.each([
    ['user', 'account', 'User'],
    ['assistant', 'sparkle', 'Assistant'],
    ['tool', 'tools', 'Tool'],
    ['system', 'gear', 'System'],
    ['unknown', 'question', 'Unknown role'],
    [undefined, 'question', 'Unknown role'],
  ] as const)('shows the role %s', (role, icon, words) => {
    const description = describeMessageRow(headerOf('m1', { role, createdAt: at, firstLine: '' }), [], now, t);
    expect(description).toMatchObject({ icon, label: `(${words}, no text)` });
    expect(description.spoken).toContain(`${words} message`);
  });

  it("is the tool's if it is a result that the service lists as a message of the user", () => {
    const result = headerOf('m1', { hasText: false, toolCount: 1, createdAt: at, firstLine: 'ok' });
    const description = describeMessageRow(result, [result], now, t);
    expect(description).toMatchObject({ icon: 'tools', spoken: 'Tool message, ok, 1 hr' });
  });

  it('says what its tool calls did if it has no text', () => {
    const input = { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' };
    const tools = toolMarksOf([
      { type: 'tool_use', toolUseId: '1', name: 'Edit', input },
      { type: 'tool_use', toolUseId: '2', name: 'Bash', input: { command: 'npm test' } },
    ]);
    const calls = { role: 'assistant', toolCount: 2, tools: tools ?? '', firstLine: 'Edit' } as const;
    expect(describeMessageRow(headerOf('m1', { ...calls, hasText: false }), [], now, t).label).toBe(
      'Edited src/a.ts, Ran npm test',
    );
    expect(describeMessageRow(headerOf('m1', { ...calls, hasText: true }), [], now, t).label).toBe('Edit');
  });

  it('says which of its tool calls failed or were rejected, also in the order of parallel calls', () => {
    const denied = [{ type: 'text', text: 'This command requires approval' }] as const;
    const rejection = toolMarksOf([{ type: 'tool_result', toolUseId: 'c', isError: true, content: denied }]) ?? '';
    const [a, b, c] = [callOf('a'), callOf('b'), callOf('c')];
    const headers = [
      ...[a, b, c, resultOf('ra', 'a'), resultOf('rb', 'b', true), resultOf('rc', 'c', true, { tools: rejection })],
      ...[callOf('d'), { ...callOf('b', {}, 'again'), messageId: 'b2' }, resultOf('rb2', 'b')],
    ];
    expect(headers.map((header) => describeMessageRow(header, headers, now, t).label).slice(0, 3)).toEqual([
      ...['Ran run a', 'Ran run b · failed', 'Rejected: run c'],
    ]);
    expect(headers.slice(6, 8).map((header) => describeMessageRow(header, headers, now, t).label)).toEqual([
      ...['Ran run d', 'Ran again'],
    ]);
  });

  it('marks errors, and shows hostile text as plain text', () => {
    const description = describeMessageRow(headerOf('m1', { isError: true, firstLine: hostile }), [], now, t);
    expect(description).toMatchObject({ icon: 'error', iconColor: 'errorForeground', label: hostileShown });
  });
});

describe('the tree as a whole', () => {
  const unread = unreadRecord({ failure: down });

  it('is replaced with a welcome view only if the connection has prevented loading any session', () => {
    expect(isUnreachable(ready, [unread, unread])).toBe(true);
    expect(isUnreachable(ready, [])).toBe(false);
    expect(isUnreachable(ready, [unread, recordOf({ failure: down })])).toBe(false);
    expect(isUnreachable(ready, [unreadRecord()])).toBe(false);
    expect(isUnreachable(ready, [unreadRecord({ failure: { kind: 'status', status: 404, at: now } })])).toBe(false);
    expect(isUnreachable(noKey, [unread])).toBe(false);
    expect(isLockedOut(rejected, [unreadRecord()])).toBe(true);
    expect(isLockedOut(rejected, [recordOf(), unreadRecord()])).toBe(false);
    expect(isLockedOut(ready, [unreadRecord()])).toBe(false);
  });

  it('shows a message that concerns all sessions', () => {
    const demo = { kind: 'ready', service: { ...service, isTemporary: true } } as const;
    expect(describeTree(ready, [recordOf()], t)).toBe('');
    const offline = "Can't reach the service. Showing the last known state.";
    expect(describeTree(ready, [recordOf(), recordOf({ failure: down })], t)).toBe(offline);
    expect(describeTree(ready, [unread], t)).toBe('');
    const later = recordOf({ asOf: down.at + 1 });
    expect(describeTree(ready, [later, recordOf({ failure: down })], t)).toBe('');
    expect(describeTree(ready, [{ ...later, isRemembered: true }, recordOf({ failure: down })], t)).toBe(offline);
    const notFound = { kind: 'status', status: 404, at: now + 1 } as const;
    expect(describeTree(ready, [recordOf(), recordOf({ failure: notFound })], t)).toBe('');
    expect(describeTree(rejected, [], t)).toBe('');
    expect(describeTree(rejected, [recordOf()], t)).toContain('Your API key was rejected');
    expect(describeTree(noKey, [recordOf()], t)).toContain('No API key');
    const named = {
      kind: 'ready',
      service: { origin: 'https://a.test', baseUrl: 'https://a.test', name: 'Work' },
    } as const;
    expect(describeTree(named, [recordOf()], t)).toBe('Service: Work');
    expect(describeTree(demo, [recordOf()], t)).toContain('Demo mode');
    expect(describeTree({ kind: 'noService' }, [recordOf()], t)).toBe('');
    expect(describeTree({ kind: 'starting' }, [recordOf()], t)).toBe('');
  });
});
