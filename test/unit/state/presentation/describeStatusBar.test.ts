import { describe, expect, it } from 'vitest';
import { describeStatusBar } from '../../../../src/state/presentation/describeStatusBar.ts';
import {
  entryOf,
  hostile,
  isDisguised,
  key,
  noKey,
  now,
  ready,
  recordOf,
  rejected,
  sessionOf,
  t,
  unreadRecord,
} from '../samples.ts';

const current = recordOf();
const bar = (connection: Parameters<typeof describeStatusBar>[0], record = current, others = [record]) =>
  describeStatusBar(connection, record, others, now, t);
const other = (status: 'running' | 'pending' | 'idle', sessionId: string) =>
  recordOf({ session: sessionOf({ status }), listEntry: { key: { ...key, sessionId }, addedAt: 1 } });

describe('the status bar', () => {
  it('is hidden without a service or sessions', () => {
    expect(bar({ kind: 'starting' })).toBeUndefined();
    expect(bar({ kind: 'noService' })).toBeUndefined();
    expect(describeStatusBar(ready, undefined, [], now, t)).toBeUndefined();
  });

  it('names the service in its tooltip if the service has a name', () => {
    const service = { origin: 'https://a.test', baseUrl: 'https://a.test' };
    expect(bar({ kind: 'noKey', service })?.tooltip).not.toContain('Service:');
    expect(bar({ kind: 'noKey', service: { ...service, name: 'Work' } })?.tooltip).toMatch(/\nService: Work$/);
  });

  it('reports a missing or rejected API key', () => {
    expect(bar(noKey)).toEqual({
      text: '$(key) No API key',
      tooltip: 'Set an API key to see your sessions.',
      spoken: 'Lineside: No API key',
      command: 'setApiKey',
    });
    expect(bar(rejected)).toEqual({
      text: '$(key) Key rejected',
      tooltip: 'Your API key was rejected.\nSelect to enter a new key',
      spoken: 'Lineside: Key rejected',
      severity: 'error',
      command: 'setApiKey',
    });
  });

  it('counts sessions that need the user if the key of the only service is missing or rejected (R46)', () => {
    const unsent = recordOf({ outbox: [entryOf({ state: 'notSent' })] });
    const working = other('running', 'b');
    for (const [connection, label] of [
      [noKey, 'No API key'],
      [rejected, 'Key rejected'],
    ] as const) {
      const described = bar(connection, current, [unsent, working]);
      expect(described).toMatchObject({ text: `$(key) ${label} · 1 needs you`, command: 'setApiKey' });
      // It isn't known whether the agents are running.
      expect(described?.tooltip).not.toContain('running');
      expect(described?.tooltip).toMatch(/\n1 message not sent$/);
    }
  });

  it.each([
    ['idle', '$(comment-discussion) Idle'],
    ['pending', '$(clockface) Pending'],
    ['running', '$(sync) Running'],
    ['unknown', '$(circle-slash) Unknown status'],
  ] as const)('shows that the current session is %s', (status, text) => {
    const record = recordOf({ session: sessionOf({ status }) });
    const words = text.replace(/^\S+ /, '');
    const running = status === 'running' || status === 'pending' ? '\n1 session running' : '';
    expect(bar(ready, record)).toEqual({
      text,
      tooltip: `\u2068Fix the login\u2069\n${words} (as of 2 min ago)${running}`,
      spoken: `Lineside: ${words}`,
      command: 'pickSession',
    });
  });

  it('counts sessions that need attention in its tooltip', () => {
    const readMark = { messageCount: 1, updatedAt: 1, wasAtWork: false };
    const unread = recordOf({ listEntry: { key: { ...key, sessionId: 'b' }, addedAt: 1, readMark } });
    expect(bar(ready, current, [current, unread])?.tooltip).toMatch(/\n1 finished$/);
    const waiting = { messageId: 'm', rule: 'question', question: 'Which?' } as const;
    expect(bar(ready, current, [current, unread, { ...current, waiting }])?.tooltip).toMatch(
      /\n1 may be waiting for you, 1 finished$/,
    );
  });

  it('counts sessions that need the user, which a click opens, and warns about unsent messages (R46)', () => {
    const waiting = { messageId: 'm', rule: 'question', question: 'Which?' } as const;
    expect(bar(ready, current, [current, { ...current, waiting }])).toMatchObject({
      text: '$(comment-discussion) 1 needs you',
      command: 'nextNeedsMe',
    });
    const unsent = recordOf({ outbox: [entryOf({ state: 'notSent' })] });
    expect(bar(ready, current, [unsent, { ...current, waiting }])).toMatchObject({
      text: '$(warning) 2 need you',
      severity: 'warning',
      command: 'nextNeedsMe',
    });
  });

  it('counts running sessions if others than the current one are running', () => {
    const all = [current, other('running', 'b'), other('pending', 'c'), other('idle', 'd')];
    expect(bar(ready, current, all)).toMatchObject({
      text: '$(comment-discussion) 2 running',
      tooltip: '\u2068Fix the login\u2069\nIdle (as of 2 min ago)\n2 sessions running',
      spoken: 'Lineside: 2 running',
    });
    expect(describeStatusBar(ready, undefined, all, now, t)?.text).toBe('$(comment-discussion) 2 running');
    const running = other('running', 'b');
    expect(bar(ready, running, [running, ...all])?.text).toBe('$(sync) 3 running');
    expect(bar(ready, running, [running])?.text).toBe('$(sync) Running');
  });

  it('has no age in the first minute', () => {
    expect(bar(ready, recordOf({ asOf: now - 59_999 }))?.tooltip).toBe('\u2068Fix the login\u2069\nIdle');
    expect(bar(ready, recordOf({ asOf: now - 60_000 }))?.tooltip).toContain('\nIdle (as of 1 min ago)');
    const failure = { kind: 'deadline', at: now } as const;
    expect(bar(ready, recordOf({ asOf: now, failure }))?.tooltip).toContain('Last known: Idle (updated just now)');
  });

  it('reports a disconnected service with the last known state and the cause', () => {
    const failure = { kind: 'deadline', at: now } as const;
    expect(bar(ready, recordOf({ failure }))).toMatchObject({
      text: '$(debug-disconnect) Disconnected',
      tooltip: "\u2068Fix the login\u2069\nLast known: Idle (as of 2 min ago)\nThe service didn't respond in time.",
      command: 'retry',
    });
    expect(bar(ready, unreadRecord({ failure }))?.tooltip).toContain('Last known: Not loaded yet\n');
  });

  it('reports that the service did not find the session', () => {
    const failure = { kind: 'status', status: 404, at: now } as const;
    expect(bar(ready, unreadRecord({ failure }))).toMatchObject({
      text: '$(warning) Not found',
      tooltip: "\u2068session-1\u2069\nLast known: Not loaded yet\nThis session wasn't found on the service.",
    });
  });

  it('ignores a session that was never loaded', () => {
    expect(bar(ready, unreadRecord())).toMatchObject({
      text: '$(comment-discussion) Sessions',
      tooltip: 'Show sessions',
    });
  });

  it('has no text from the service in its label, and only plain text in its tooltip (R4)', () => {
    const failure = { kind: 'status', status: 500, detail: hostile, at: now } as const;
    const described = bar(ready, recordOf({ failure, session: sessionOf({ title: hostile }) }));
    expect(described?.text).toBe('$(debug-disconnect) Disconnected');
    expect(described?.tooltip.split('\n')).toHaveLength(3);
    for (const line of described?.tooltip.split('\n') ?? []) expect(isDisguised(line), line).toBe(false);
  });
});
