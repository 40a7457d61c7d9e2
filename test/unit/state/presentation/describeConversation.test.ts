import { describe, expect, it } from 'vitest';
import { type Connection, serviceOf } from '../../../../src/state/store/connection.ts';
import {
  describeComposer,
  describeHeader,
  describeOlder,
  describeScreen,
} from '../../../../src/state/presentation/describeConversation.ts';
import { describeSession, describeSessionTooltip } from '../../../../src/state/presentation/describeSession.ts';
import { isolatedLine } from '../../../../src/shared/text.ts';
import { describeEntry, undecidedSentence } from '../../../../src/state/presentation/describeOutbox.ts';
import { type OutboxState, isBlocked } from '../../../../src/state/store/outboxEntry.ts';
import { describeStatusBar } from '../../../../src/state/presentation/describeStatusBar.ts';
import { outgoingRowVersion } from '../../../../src/state/conversation/rowVersion.ts';
import type { SendCondition } from '../../../../src/shared/protocol/vocabulary.ts';
import { emptyDraft, type HistoryState, type SessionRecord } from '../../../../src/state/store/sessionRecord.ts';
import {
  attachment,
  entryOf,
  headerOf,
  hostile,
  hostileShown,
  minuteMs,
  noKey,
  now,
  key,
  ready,
  recordOf,
  rejected,
  service,
  sessionOf,
  t,
  unreadRecord,
} from '../samples.ts';

const down = { kind: 'deadline', at: now } as const;
const floored = (at: number) => at - (at % minuteMs);

describe('the header of a conversation', () => {
  it('shows title, status, and model', () => {
    const record = recordOf({ session: sessionOf({ status: 'running', sessionSettings: { model: 'large-2' } }) });
    expect(describeHeader(record, ready, t)).toEqual({
      title: 'Fix the login',
      marks: [],
      sessionId: 'session-1',
      status: 'running',
      statusLabel: 'Running',
      asOf: floored(now - 2 * minuteMs),
      isStale: false,
      model: 'large-2',
    });
  });

  it('is the same for all refreshes within a minute, and shows the exact time once it is stale', () => {
    const at = floored(now);
    const heads = [at, at + 30_000, at + 59_999].map((asOf) => describeHeader(recordOf({ asOf }), ready, t));
    expect(new Set(heads.map((head) => JSON.stringify(head))).size).toBe(1);
    expect(describeHeader(recordOf({ asOf: at + 30_000, failure: down }), ready, t).asOf).toBe(at + 30_000);
  });

  it('has no status before the first response', () => {
    expect(describeHeader(unreadRecord(), ready, t)).toEqual({
      title: 'session-1',
      marks: [],
      sessionId: 'session-1',
      status: 'none',
      statusLabel: 'Not loaded yet',
      isStale: false,
    });
  });

  it('shows the failure, the last known state, and the next steps', () => {
    expect(describeHeader(recordOf({ failure: down }), ready, t)).toMatchObject({
      status: 'unreachable',
      statusLabel: 'Idle',
      isStale: true,
      failure: {
        text: "The service didn't respond in time. Showing the last known state.",
        actions: [
          { label: 'Retry', action: 'retry' },
          { label: 'Copy Details', action: 'copyDetails' },
        ],
      },
    });
    const unread = describeHeader(unreadRecord({ failure: down }), ready, t);
    expect(unread.failure?.text).toBe("The service didn't respond in time.");
    const history = { completeness: 'partial', isLoading: false, failure: down } as const;
    expect(describeHeader(recordOf({ history }), ready, t).failure?.text).toContain("didn't respond");
  });

  it('says when Lineside tries again after a failure, and gives a short pause of the service only there', () => {
    const failure = (part: Partial<SessionRecord>) => describeHeader(recordOf(part), ready, t).failure;
    const kept = 'Showing the last known state.';
    expect(failure({ failure: down, retryAt: 5 })).toMatchObject({ retryAt: 5 });
    const limited = { kind: 'status', status: 429, at: now } as const;
    const short = { ...limited, retryAfterMs: 12_000 };
    expect(failure({ failure: short, retryAt: 5 })).toMatchObject({ retryAt: 5, text: `Too many requests. ${kept}` });
    expect(failure({ failure: short })?.text).toBe(`Too many requests. Retrying in 12 seconds. ${kept}`);
    const long = failure({ failure: { ...limited, retryAfterMs: 120_000 }, retryAt: 5 });
    expect(long?.text).toContain('The service asks to wait until');
    expect(failure({ retryAt: 5 })).toBeUndefined();
    const history = { completeness: 'partial', isLoading: false, failure: short } as const;
    expect(failure({ history })?.text).toBe(`Too many requests. ${kept}`);
  });

  it('offers to remove a session that the service no longer has', () => {
    const notFound = { ...down, kind: 'status', status: 404 } as const;
    const { failure } = describeHeader(recordOf({ failure: notFound }), ready, t);
    expect(failure?.actions[0]).toEqual({ label: 'Remove from List', action: 'removeSession' });
  });

  it('reports a rejected or missing API key', () => {
    expect(describeHeader(recordOf(), rejected, t)).toMatchObject({
      status: 'rejected',
      isStale: true,
      failure: {
        text: 'Your API key was rejected. Enter a new key to continue. Your drafts and queued messages are saved.',
        actions: [
          { label: 'Set API Key...', action: 'setApiKey' },
          { label: 'Copy Details', action: 'copyDetails' },
        ],
      },
    });
    expect(describeHeader(recordOf(), noKey, t)).toMatchObject({
      isStale: true,
      failure: {
        text: 'No API key for this service.',
        actions: [{ label: 'Set API Key...', action: 'setApiKey' }],
      },
    });
  });

  it('shows hostile text as plain text (R4)', () => {
    const session = sessionOf({ title: hostile, sessionSettings: { model: hostile } });
    expect(describeHeader(recordOf({ session }), ready, t)).toMatchObject({ title: hostileShown, model: hostileShown });
  });

  it('marks a custom title, and shows the original one in the hint', () => {
    const record = recordOf({ listEntry: { key, addedAt: 1, name: 'My login' } });
    expect(describeHeader(record, ready, t)).toMatchObject({
      title: 'My login',
      marks: [{ label: 'Custom title', hint: expect.stringContaining('Fix the login') as string }],
    });
    expect(describeHeader(recordOf(), ready, t).marks).toEqual([]);
  });

  it('reports messages that the service has not listed yet, unless the agent is still running', () => {
    const history = { completeness: 'complete', isLoading: false, missingCount: 2 } as const;
    expect(describeHeader(recordOf({ history }), ready, t).incomplete?.label).toBe('2 messages not listed yet');
    const one = { ...history, missingCount: 1 };
    expect(describeHeader(recordOf({ history: one }), ready, t).incomplete?.label).toBe('1 message not listed yet');
    const running = sessionOf({ status: 'running' });
    expect(describeHeader(recordOf({ history, session: running }), ready, t).incomplete).toBeUndefined();
  });

  it('marks a session that is read from a computer that the user chose', () => {
    const listEntry = { ...recordOf().listEntry, computerId: 'mac-1' };
    expect(describeHeader(recordOf({ listEntry }), ready, t).marks).toEqual([
      { label: 'From mac-1', hint: expect.stringContaining('mac-1') as string },
    ]);
    expect(describeSessionTooltip(recordOf({ listEntry }), ready, now, t)).toContain(
      `Read from computer: ${isolatedLine('mac-1')}`,
    );
  });

  it('marks an archived session', () => {
    const archivedAt = '2026-01-01';
    const record = recordOf({ session: sessionOf({ sessionSettings: { archivedAt } }) });
    expect(describeHeader(record, ready, t).marks).toMatchObject([{ label: 'Archived' }]);
  });
});

describe('the screen without a conversation', () => {
  const buttons = (connection: Connection, sessionListSize = 0) =>
    describeScreen(connection, sessionListSize, t, undefined).buttons.map(({ action }) => action);

  it('offers the next step for each connection state', () => {
    expect(describeScreen({ kind: 'starting' }, 0, t, undefined)).toEqual({ title: '', text: '', buttons: [] });
    expect(buttons({ kind: 'noService' })).toEqual(['connect', 'tryDemo']);
    expect(buttons(noKey)).toEqual(['setApiKey', 'tryDemo']);
    expect(buttons(ready)).toEqual(['addSession', 'tryDemo']);
    expect(buttons(ready, 3)).toEqual(['pickSession']);
    expect(buttons(rejected, 3)).toContain('setApiKey');
  });

  it('offers to switch to the service of a session in a tab', () => {
    const screen = describeScreen(ready, 3, t, 'https://other.test');
    expect(screen.text).toContain('This session belongs to https://other.test.');
    expect(screen.buttons.map(({ action }) => action)).toEqual(['switchService']);
    expect(describeScreen(ready, 3, t, service.origin).buttons.map(({ action }) => action)).toEqual(['pickSession']);
  });

  it('explains an invalid base URL, and names the service that needs a key', () => {
    expect(describeScreen({ kind: 'noService', failure: 'insecure' }, 0, t, undefined).text).toMatch(
      /^http:\/\/ is only allowed/,
    );
    expect(describeScreen(noKey, 0, t, undefined).text).toContain(service.origin);
  });
});

describe('the row before the oldest message', () => {
  const older = (history: HistoryState, part: Parameters<typeof recordOf>[0] = {}, connection = ready) =>
    describeOlder(recordOf({ history, ...part }), connection, t);
  const headers = [headerOf('m1'), headerOf('m2')];

  it.each([
    [
      { completeness: 'complete', isLoading: false },
      { state: 'none', label: '' },
    ],
    [
      { completeness: 'partial', isLoading: false },
      { state: 'more', label: 'Load older messages', count: 10 },
    ],
    [
      { completeness: 'partial', isLoading: true },
      { state: 'loading', label: 'Loading 2 of 12...', count: 10 },
    ],
    [
      { completeness: 'complete', isLoading: false, failure: down },
      { state: 'none', label: '' },
    ],
    [
      { completeness: 'partial', isLoading: false, failure: down },
      { state: 'failed', label: "Couldn't load older messages. Try again", count: 10 },
    ],
  ] as const)('%j', (history, shown) => expect(older(history, { headers })).toEqual(shown));

  it('shows that it is loading only while the first page is loading, and claims nothing about an unread session', () => {
    const unread = { completeness: 'unread', isLoading: false } as const;
    expect(older(unread)).toEqual({ state: 'loading', label: 'Loading...' });
    expect(older(unread, { failure: down }).state).toBe('unread');
    expect(older({ ...unread, failure: down }).state).toBe('failed');
    for (const connection of [noKey, rejected]) expect(older(unread, {}, connection).state).toBe('unread');
  });
});

describe('the composer', () => {
  it('lists the outputs of an attachment as an item that can be removed', () => {
    const draft = { ...emptyDraft, attachments: [{ ...attachment, parsedData: 'ünd' }, attachment] };
    const { attachments } = describeComposer(recordOf({ draft }), ready, undefined, t);
    const { attachmentId, name } = attachment;
    expect(attachments.map((item) => [item.kind, item.attachmentId])).toEqual([
      [attachment.kind, attachmentId],
      ['outputs', `${attachmentId}.outputs`],
      [attachment.kind, attachmentId],
    ]);
    expect(attachments[1]).toMatchObject({ name: `Outputs of ${name}`, detail: '4 B' });
  });

  it('lists attachments with their sizes', () => {
    const draft = {
      ...recordOf().draft,
      attachments: [attachment, { ...attachment, isUnsaved: false, name: hostile }],
    };
    expect(describeComposer(recordOf({ draft }), ready, undefined, t)).toEqual({
      attachments: [
        {
          attachmentId: 'a1',
          name: 'cart.ts#L10-L24',
          detail: '3.0 KB, unsaved',
          kind: 'selection',
        },
        { attachmentId: 'a1', name: hostileShown, detail: '3.0 KB', kind: 'selection' },
      ],
      canSend: true,
      hint: '',
    });
  });

  it('reports that the draft is not saved, unless the draft is empty', () => {
    const draftFailure = { kind: 'disk', code: 'ENOSPC', at: now } as const;
    const draft = { text: 'hello', selectionStart: 5, selectionEnd: 5, attachments: [], comments: [] };
    expect(describeComposer(recordOf({ draft, draftFailure }), ready, undefined, t).failure).toBe(
      "The disk is full. Free up some space and try again. Your draft isn't saved yet. Lineside keeps trying while this window is open.",
    );
    expect(describeComposer(recordOf({ draftFailure }), ready, undefined, t).failure).toBeUndefined();
    expect(describeComposer(recordOf({ draft, draftFailure }), ready, 'Too large.', t).failure).toBe('Too large.');
  });

  it('explains why sending is unavailable, and what was rejected', () => {
    const elsewhere: Connection = { kind: 'ready', service: { origin: 'https://b.test', baseUrl: 'https://b.test' } };
    for (const connection of [noKey, rejected, elsewhere, { kind: 'starting' } as const]) {
      expect(describeComposer(recordOf(), connection, undefined, t)).toMatchObject({
        canSend: false,
        hint: 'Set an API key for this service to send messages. Your draft is saved.',
      });
    }
    expect(describeComposer(recordOf(), ready, 'Too large.', t)).toMatchObject({ failure: 'Too large.', hint: '' });
    const starting: Connection = { kind: 'starting', service: serviceOf(ready)! };
    expect(describeComposer(recordOf(), starting, undefined, t)).toMatchObject({ canSend: true, hint: '' });
  });

  it('says when a message is sent, unless that is immediately', () => {
    for (const status of ['running', 'pending'] as const) {
      const record = recordOf({ session: sessionOf({ status }) });
      const hint = (isWhenIdle?: boolean) => describeComposer(record, ready, undefined, t, isWhenIdle).hint;
      expect(hint()).toBe('');
      expect(hint(true)).toBe('The agent is running. Your message will be sent when the agent is idle.');
    }
    expect(describeComposer(recordOf(), ready, undefined, t, true).hint).toBe('');
    const offline = recordOf({ failure: { kind: 'unreachable', at: now } });
    expect(describeComposer(offline, ready, undefined, t, true).hint).toBe(
      "Your message will be sent when you're back online.",
    );
    const undecided = { ...offline, outbox: [entryOf({ state: 'unknown', isDoubtful: true })] };
    expect(describeComposer(undecided, ready, undefined, t).hint).toBe('');
    const missing = recordOf({ failure: { kind: 'status', status: 404, at: now } });
    expect(describeComposer(missing, ready, undefined, t).hint).toBe('');
  });
});

describe('an outgoing message', () => {
  const delivery = (part: Parameters<typeof entryOf>[0]) => describeEntry(entryOf(part), t).delivery;

  it('shows the progress of a large message', () => {
    const large = { ...attachment, sizeBytes: 30_000_000 };
    const sending = { state: 'sending', progress: 0.25 } as const;
    expect(delivery({ ...sending, attachments: [large] })?.label).toBe('Sending, 7.5 MB of 30.0 MB...');
    expect(delivery({ ...sending, attachments: [attachment] })?.label).toBe('Sending...');
    expect(delivery({ state: 'sending', attachments: [large] })?.label).toBe('Sending...');
  });

  it('shows that it waits for an earlier message that needs a decision (R46)', () => {
    const label = (state: OutboxState) => {
      const behind = entryOf({ entryId: 'e2' });
      return describeEntry(behind, t, isBlocked(behind, [entryOf({ state }), behind])).delivery?.label;
    };
    expect(label('unknown')).toBe('Waiting for the message above');
    expect(label('notSent')).toBe('Waiting for the message above');
    expect(label('sending')).toBe('Waiting to be sent');
  });

  describe('that is scheduled', () => {
    const label = (after: SendCondition, awaited?: SessionRecord, at = now) =>
      describeEntry(entryOf({ after }), t, false, awaited, at).delivery?.label.replace(/[\u2068\u2069]/g, '');
    const missed = (after: SendCondition) => entryOf({ after, state: 'notSent' });
    const other: SendCondition = { kind: 'sessionIdle', key: { origin: service.origin, sessionId: 's2' } };
    const inAnHour: SendCondition = { kind: 'time', at: new Date(2026, 10, 23, 18, 30).getTime() };

    it('says when it will be sent, and can be sent now, changed, edited, or canceled', () => {
      const today = new Date(2026, 10, 23, 8).getTime();
      expect(label(inAnHour, undefined, today)).toMatch(/^Will be sent at 6:30\sPM$/u);
      expect(label(inAnHour, undefined, new Date(2026, 10, 22, 23).getTime())).toMatch(
        /^Will be sent on Nov 23, 2026, 6:30\sPM$/u,
      );
      expect(describeEntry(entryOf({ after: inAnHour }), t).delivery).toMatchObject({
        state: 'queued',
        actions: ['sendNow', 'changeTime', 'edit', 'cancel'],
      });
    });

    it('names the session that it waits for', () => {
      expect(label(other, recordOf())).toBe('Will be sent when "Fix the login" is idle');
      expect(label(other)).toBe('Will be sent when "s2" is idle');
    });

    it('says why the user has to decide', () => {
      const passed = "The time to send this message passed while VS Code wasn't running.";
      expect(describeEntry(missed(inAnHour), t).delivery).toEqual({
        entryId: 'e1',
        state: 'notSent',
        label: 'Not sent',
        detail: passed,
        actions: ['sendNow', 'changeTime', 'edit', 'discard'],
      });
      expect(undecidedSentence(missed(inAnHour), t)).toBe(passed);
      expect(undecidedSentence(missed(other), t)).toBe(
        'The session that this message was waiting for is no longer available.',
      );
      const composer = describeComposer(recordOf({ outbox: [missed(inAnHour)] }), ready, undefined, t);
      expect(composer.undecided).toEqual({
        entryId: 'e1',
        label: passed,
        actions: ['sendNow', 'edit', 'discard'],
      });
    });

    it('neither blocks others nor is blocked', () => {
      const behind = entryOf({ entryId: 'e2' });
      const scheduled = entryOf({ entryId: 'e3', after: inAnHour });
      expect(isBlocked(behind, [missed(inAnHour), behind])).toBe(false);
      expect(isBlocked(scheduled, [entryOf({ state: 'notSent' }), scheduled])).toBe(false);
    });

    it('is not counted as being sent, or as not sent, by the tree and the status bar', () => {
      const queued = entryOf({ entryId: 'e3', state: 'queued', after: undefined });
      const record = recordOf({
        outbox: [entryOf({ after: inAnHour }), entryOf({ entryId: 'e2', state: 'sending' }), queued],
      });
      const { description, icon, unsentCount } = describeSession(record, ready, now, t);
      expect(description).toContain('1 sending · 1 queued · 1 scheduled');
      expect(icon).toBe(describeSession(recordOf(), ready, now, t).icon);
      expect(unsentCount).toBeUndefined();
      expect(describeStatusBar(ready, record, [record], now, t)).toEqual(
        describeStatusBar(ready, recordOf(), [recordOf()], now, t),
      );
    });

    it('is drawn again when its condition changes', () => {
      const version = (after: SendCondition | undefined) => outgoingRowVersion(entryOf({ after }), false);
      const versions = [inAnHour, other, { kind: 'time', at: 5 } as const, undefined].map(version);
      expect(new Set(versions).size).toBe(4);
      const titled = (title: string | undefined) => outgoingRowVersion(entryOf({ after: other }), false, title);
      expect(new Set([undefined, 'Old', 'New'].map(titled)).size).toBe(3);
    });
  });

  it('is shown with only its attachments if it has no text, and named by the first one', () => {
    const entry = entryOf({ text: '', attachments: [attachment] });
    expect(describeEntry(entry, t).blocks).toEqual([{ type: 'file', name: 'cart.ts#L10-L24', detail: '3.0 KB' }]);
    const sentence = (part: object) => undecidedSentence({ ...entry, ...part }, t).replace(/[\u2068\u2069]/g, '');
    expect(sentence({ state: 'notSent' })).toBe('"cart.ts#L10-L24" wasn\'t sent.');
    expect(sentence({ state: 'unknown' })).toMatch(/^Couldn't confirm delivery of "cart\.ts#L10-L24"\./);
    expect(sentence({ state: 'notSent', attachments: [] })).toBe("A message wasn't sent.");
    expect(sentence({ state: 'unknown', attachments: [] })).toMatch(/^Couldn't confirm delivery of a message\./);
  });

  it.each([
    [{}, false],
    [{ when: 'now' }, false],
    [{ when: 'whenIdle' }, true],
    [{ when: 'whenIdle', failure: { kind: 'unreachable', code: 'ENOTFOUND', at: now } }, false],
    [{ after: { kind: 'time', at: now + 60_000 } }, true],
  ] as const)('waits only if the user chose that for it: %j', (part, isWaiting) => {
    expect(describeEntry(entryOf(part), t).delivery?.isWaiting ?? false).toBe(isWaiting);
    expect(describeEntry(entryOf(part), t, true).delivery?.isWaiting).toBe(true);
  });

  it('is shown as a row with text and attachments', () => {
    expect(describeEntry(entryOf({ attachments: [attachment], computerId: 'c' }), t)).toEqual({
      key: 'e1',
      role: 'user',
      roleLabel: 'User',
      author: 'You',
      createdAt: now,
      isError: false,
      badges: [],
      blocks: [
        { type: 'markdown', text: 'Please go on' },
        { type: 'file', name: 'cart.ts#L10-L24', detail: '3.0 KB' },
      ],
      delivery: { entryId: 'e1', state: 'queued', label: 'Waiting to be sent', actions: ['sendNow', 'edit', 'cancel'] },
    });
  });

  it.each([
    [
      { state: 'queued', failure: { kind: 'unreachable', code: 'ENOTFOUND', at: now } },
      {
        label: 'Waiting to be sent',
        detail: "Can't reach the service.",
        actions: ['edit', 'cancel'],
      },
    ],
    [{ state: 'sending' }, { label: 'Sending...', actions: ['cancel'] }],
    [
      { state: 'sending', progress: 0.25 },
      { label: 'Sending...', progress: 0.25, actions: ['cancel'] },
    ],
    [
      { state: 'accepted', messageId: 'm1' },
      { label: 'Sent', actions: [] },
    ],
    [
      { state: 'unknown', isSearching: true },
      { label: 'Checking delivery...', actions: [] },
    ],
    [
      { state: 'unknown' },
      {
        label: "Couldn't confirm delivery",
        detail: 'The connection was lost while sending.',
        actions: ['sendAgain', 'edit', 'discard'],
      },
    ],
    [
      { state: 'unknown', failure: { kind: 'unreachable', code: 'ECONNRESET', at: now } },
      {
        label: "Couldn't confirm delivery",
        detail: 'The connection was lost while sending.',
        actions: ['sendAgain', 'edit', 'discard'],
      },
    ],
    [
      // The line above the composer is about other messages.
      { state: 'unknown', isPassed: true },
      {
        label: "Couldn't confirm delivery",
        detail: 'The connection was lost while sending. Check the conversation before sending the message again.',
        actions: ['sendAgain', 'edit', 'discard'],
      },
    ],
    [
      { state: 'notSent', failure: { kind: 'status', status: 413, at: now } },
      {
        label: 'Not sent',
        detail: 'The request is larger than the service allows. Your message is saved.',
        actions: ['sendAgain', 'edit', 'discard'],
      },
    ],
    [
      { state: 'notSent' },
      { label: 'Not sent', detail: 'Your message is saved.', actions: ['sendAgain', 'edit', 'discard'] },
    ],
  ] as const)('%j', (part, shown) => {
    expect(delivery(part)).toEqual({ entryId: 'e1', state: part.state, ...shown });
  });
});
