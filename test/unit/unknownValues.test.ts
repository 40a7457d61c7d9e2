/**
 * An unknown value from the service never counts as idle, done, safe, or empty (R54). For each set of words and each
 * flag, the tests use values that aren't in the specification, at each decision that depends on it. The values go
 * through the schemas of the API first.
 */
import { describe, expect, it } from 'vitest';
import { type Message, messagePageSchema, readMessage, readMessagePage } from '../../src/api/resources/message.ts';
import { withoutPause } from '../../src/shared/slices.ts';
import { type Session, sessionSchema } from '../../src/api/resources/session.ts';
import { isShown } from '../../src/state/conversation/filter.ts';
import { showConversation } from '../../src/state/conversation/rows.ts';
import { isPrompt, readTurns } from '../../src/state/store/turns.ts';
import { messageTextForModel, sessionLine } from '../../src/state/languageModel/sessionText.ts';
import { describeComposer, describeHeader } from '../../src/state/presentation/describeConversation.ts';
import { roleLabel } from '../../src/state/presentation/describeMessage.ts';
import * as presentation from '../../src/state/presentation/describeMessage.ts';
import { describeEntry } from '../../src/state/presentation/describeOutbox.ts';
import { statusIcon, statusLabel } from '../../src/state/presentation/describeSession.ts';
import { describeStatusBar } from '../../src/state/presentation/describeStatusBar.ts';
import { describeBadge } from '../../src/state/presentation/describeTree.ts';
import { attentionOf, isUnreadSession } from '../../src/state/sessions/attention.ts';
import { isArchived } from '../../src/state/store/sessionFacts.ts';
import { FinishedTurns } from '../../src/state/sessions/finishedTurns.ts';
import { sectionsOf } from '../../src/state/sessions/sections.ts';
import { waitingOf } from '../../src/state/store/waiting.ts';
import { type MessageHeader, summarizeMessage } from '../../src/state/store/messageHeader.ts';
import { readMarkOf, turnStart, isUnread, isWorking } from '../../src/state/store/sessionRecord.ts';
import { sampleOf } from '../../src/state/store/usage.ts';
import { isFailedResult } from '../../src/state/tools/outcome.ts';
import { pauseMs } from '../../src/sync/polling/intervals.ts';
import { isAgentIdle } from '../../src/sync/outbox/agents.ts';
import { ApiError } from '../../src/api/errors.ts';
import { judgeFailure } from '../../src/sync/outbox/outcomes.ts';
import { sourceFiles } from '../../tools/l10n/sourceFiles.ts';
import { callOf, entryOf, now, ready, recordOf, t, viewOf } from './state/samples.ts';

const describeMessage = (...given: Parameters<typeof presentation.describeMessage>) =>
  withoutPause(presentation.describeMessage(...given));

const pageOf = (answer: unknown) => withoutPause(readMessagePage(messagePageSchema.parse(answer)));

/** What a service could send instead of the words of the specification. */
const unknownWords: readonly unknown[] = ['paused', 'completed', 'IDLE', '', null, 7, true, { idle: true }, undefined];

function sessionWith(part: object): Session {
  const fields = { sessionId: 's', status: 'idle', messageCount: 3, createdAt: now - 9, updatedAt: now - 5 };
  return sessionSchema.parse({ ...fields, ...part });
}

function messageWith(part: object): Message {
  const fields = {
    id: 'm',
    role: 'assistant',
    createdAt: 1,
    updatedAt: 1,
    content: [{ type: 'text', text: 'Shall I go on?' }],
  };
  return readMessage({ ...fields, ...part })!;
}

const headerWith = (part: object): MessageHeader => summarizeMessage(messageWith(part));

describe.each(unknownWords)('a session with the status %j', (status) => {
  const session = sessionWith({ status });
  const question = headerWith({});
  const history = { completeness: 'complete', isLoading: false, settledCount: 3 } as const;
  const readMark = { ...readMarkOf(sessionWith({ status: 'idle', messageCount: 2, updatedAt: now - 9 })) };
  const record = recordOf({ session, headers: [question], history, requestNumber: 2 });
  const unread = recordOf({ ...record, listEntry: { ...record.listEntry, readMark } });

  it('is shown as unknown', () => {
    expect(session.status).toBe('unknown');
    expect([statusLabel(session.status, t), statusIcon(session.status)]).toEqual(['Unknown status', 'circle-slash']);
    expect(describeHeader(record, ready, t)).toMatchObject({ status: 'unknown', statusLabel: 'Unknown status' });
    expect(describeStatusBar(ready, record, [record], now, t)?.text).toBe('$(circle-slash) Unknown status');
    expect(sectionsOf([record], 'status', 'updated', now).map(({ kind }) => kind)).toEqual(['unknown']);
    expect(sessionLine(record)).toContain('status unknown');
  });

  it('never counts as idle', () => {
    expect(isAgentIdle(record, 1)).toBe(false);
    expect(sampleOf({ ...session, sessionSettings: { tokenUsage: { inputTokens: 1 } } }, now)?.isIdle).toBe(false);
    expect(waitingOf(record)).toBeUndefined();
    expect(waitingOf({ ...record, session: sessionWith({ status: 'idle' }) })).toBeDefined();
  });

  it('never counts as running', () => {
    expect(isWorking(session)).toBe(false);
  });

  it('is polled like a running one, unless it has not changed for a while', () => {
    const pace = { runningMs: 2_000, idleMs: 30_000 };
    const delayMs = (part: object) =>
      pauseMs({ status: session.status, isVisible: true, isFocused: true, ...part }, pace, () => 0.5);
    expect(delayMs({})).toBe(2_000);
    expect(delayMs({ isFocused: false })).toBe(12_500);
    expect(delayMs({ isQuiet: true })).toBe(60_000);
    expect(delayMs({ isQuiet: true, isFocused: false })).toBeUndefined();
  });

  it('has unread messages, but no finished turn', () => {
    expect(isUnreadSession(unread)).toBe(true);
    expect(attentionOf(unread)).toBe('unread');
    expect(describeBadge([unread], t)).toEqual({ value: 1, tooltip: '1 unread' });
    expect(sessionLine(unread)).toContain(' · not read by the user');
    expect(sessionLine(unread)).not.toContain('finished');
    const turns = new FinishedTurns();
    turns.take(recordOf({ session: sessionWith({ status: 'running' }) }));
    expect(turns.take(record)).toBeUndefined();
    expect(turns.take(recordOf({ session: sessionWith({ status: 'idle' }) }))).toBeDefined();
  });

  it('is unread after any later change, because the agent may have been working', () => {
    const later = { ...session, updatedAt: session.updatedAt + 1 };
    expect(isUnread(later, readMarkOf(session))).toBe(true);
    expect(isUnread(later, readMarkOf(sessionWith({ status: 'idle' })))).toBe(false);
  });

  it('does not end a turn', () => {
    const started = { session: sessionWith({ status: 'running' }), turnStartedAt: 1 };
    expect(turnStart(started, session)).toBe(1);
    expect(turnStart({ session, turnStartedAt: 1 }, sessionWith({ status: 'running' }))).toBe(1);
    const called = callOf('c');
    const view = viewOf({ filter: { detailLevel: 'work' } });
    const { rows } = showConversation(recordOf({ session, headers: [called] }), view);
    const [row] = rows;
    const steps = row && 'steps' in row.source ? row.source.steps.steps : [];
    expect(steps.map((step) => step.state)).toEqual(['running']);
  });

  it('tells that messages wait, and what the person can do', () => {
    const waiting = entryOf({ when: 'whenIdle' });
    const sentence = /^The agent's status is unknown, so messages wait until it is idle\..* select Send Now\.$/;
    expect(describeComposer(record, ready, undefined, t, true).hint).toMatch(sentence);
    expect(describeComposer({ ...record, outbox: [waiting] }, ready, undefined, t).hint).toMatch(sentence);
    expect(describeComposer(record, ready, undefined, t).hint).toBe('');
    expect(describeEntry(waiting, t).delivery).toMatchObject({
      label: 'Waiting until the agent is idle',
      actions: ['sendNow', 'edit', 'cancel'],
    });
  });
});

describe.each(['developer', '', 'ASSISTANT', 7, {}, true])('a message with the role %j', (role) => {
  const message = messageWith({ role });
  const header = headerWith({ role });

  it('is shown as unknown at each level of detail', () => {
    expect(message.role).toBe('unknown');
    expect([roleLabel(message.role, t), describeMessage(message, undefined, 'k', t).role]).toEqual([
      'Unknown role',
      'unknown',
    ]);
    const turns = readTurns([header], true);
    for (const detailLevel of ['answers', 'work', 'everything'] as const)
      expect(isShown(header, { detailLevel }, turns)).toBe(true);
  });

  it('is neither a prompt nor an answer nor a question', () => {
    expect(isPrompt(header)).toBe(false);
    expect(readTurns([header], true).answerIds.size).toBe(0);
    const history = { completeness: 'complete', isLoading: false, settledCount: 12 } as const;
    expect(waitingOf(recordOf({ headers: [header], history }))).toBeUndefined();
  });

  it('is not safe for a model', () => {
    expect(messageTextForModel(message, message.role)).toBeUndefined();
    expect(messageTextForModel(messageWith({}), 'assistant')).toContain('Shall I go on?');
  });
});

describe.each([
  ['without a role', { role: undefined }],
  ['that is unreadable', { role: 'user', updatedAt: 'now' }],
])('a message %s', (_what, part) => {
  const header = headerWith(part);

  it('is shown at each level of detail, also in a collapsed turn', () => {
    expect(header.role).toBeUndefined();
    const headers = [headerWith({ id: 'p', role: 'user' }), callOf('c'), header, headerWith({ id: 'answer' })];
    for (const detailLevel of ['answers', 'work', 'everything'] as const) {
      const view = viewOf({ filter: { detailLevel }, collapseUntil: now });
      const sources = showConversation(recordOf({ headers }), view).rows.map(({ source }) => source);
      expect(sources).toContainEqual(expect.objectContaining({ messageId: 'm' }));
    }
  });
});

describe.each(['nobody', '', 3, {}, true])('a message with the visibility %j', (visibility) => {
  it('is shown to the person, and not to a model', () => {
    const message = messageWith({ visibility });
    expect(message.visibility).toBe('unknown');
    expect(headerWith({ visibility }).isModelOnly).toBe(false);
    expect(messageTextForModel(message, 'assistant')).toBeUndefined();
  });
});

describe.each(['draft', '', 3, {}])('a message with the phase %j', (openaiPhase) => {
  it('is not hidden as a progress update, nor marked as final', () => {
    const header = headerWith({ openaiPhase });
    expect(header.phase).toBeUndefined();
    expect(isShown(header, { detailLevel: 'answers' }, readTurns([header], true))).toBe(true);
    expect(describeMessage(messageWith({ openaiPhase }), undefined, 'k', t)).not.toHaveProperty('phase');
  });
});

describe.each([
  ['yes', true],
  ['true', true],
  [1, true],
  [{ code: 2 }, true],
  ['', true],
  ['false', false],
  [0, false],
  [null, false],
  [undefined, false],
])('the error flag %j', (flag, isFailed) => {
  it.each(['isError', 'is_error'])(
    'of a tool result, as %s, never counts as done unless it denies an error',
    (name) => {
      const [result] = messageWith({
        role: 'tool',
        content: [{ type: 'tool_result', content: 'x', [name]: flag }],
      }).content;
      expect(result?.type === 'tool_result' && isFailedResult(result)).toBe(isFailed);
    },
  );

  it('of a message never counts as success unless it denies an error', () => {
    expect(headerWith({ isError: flag }).isError).toBe(isFailed);
    expect(describeMessage(messageWith({ isError: flag }), undefined, 'k', t).isError).toBe(isFailed);
  });
});

describe('content of an unknown type', () => {
  const content = [
    { type: 'text', text: 'Shall I go on?' },
    { type: 'server_tool_use', name: 'x' },
  ];

  it('is content', () => {
    const header = headerWith({ content: content.slice(1) });
    expect(header.hasText).toBe(true);
    expect(isShown(header, { detailLevel: 'work' }, readTurns([header], true))).toBe(true);
    expect(describeMessage(messageWith({ content: content.slice(1) }), undefined, 'k', t).blocks).toMatchObject([
      { type: 'fold', kind: 'raw' },
    ]);
  });

  it('after a question means that the message does not end in it', () => {
    expect(headerWith({ content }).question).toBeUndefined();
    expect(headerWith({ content: content.slice(0, 1) }).question).toBe('Shall I go on?');
  });
});

describe('a page of messages', () => {
  it.each([
    [{ hasMore: 'yes', nextCursor: 'c' }, true],
    [{ hasMore: 1, nextCursor: 'c' }, true],
    [{ nextCursor: 'c' }, true],
    [{ hasMore: null, nextCursor: 'c' }, true],
    [{ hasMore: 'yes' }, false],
    [{}, false],
  ])('with %j has more: %s', (pagination, hasMore) => {
    expect(pageOf({ messages: [], pagination }).hasMore).toBe(hasMore);
  });

  it('counts the items that it could not read', () => {
    expect(pageOf({ messages: [7, {}], pagination: {} }).skippedCount).toBe(2);
  });
});

describe('a session', () => {
  it.each([{ messageCount: undefined }, { messageCount: null }, { messageCount: 'many' }, { updatedAt: 'now' }])(
    'with %j is an answer that cannot be read, not an empty session',
    (part) => {
      expect(
        sessionSchema.safeParse({
          sessionId: 's',
          status: 'idle',
          messageCount: 1,
          createdAt: 1,
          updatedAt: 1,
          ...part,
        }).success,
      ).toBe(false);
    },
  );

  it('with an unknown time of archiving stays visible, and keeps the value', () => {
    const session = sessionWith({ sessionSettings: { archivedAt: 1_700_000_000 } });
    expect(isArchived(recordOf({ session }))).toBe(false);
    expect(session.sessionSettings?.unreadable?.values).toEqual({ archivedAt: 1_700_000_000 });
  });

  it('without a counter has no usage for it', () => {
    expect(
      sampleOf(sessionWith({ sessionSettings: { tokenUsage: { inputTokens: 'many' } } }), now)?.own.inputTokens,
    ).toBeUndefined();
  });
});

describe('a message that was sent', () => {
  it.each([299, 600, 999, 500, 503, 408])('is neither sent nor unsent after the status %d', (status) => {
    expect(judgeFailure(new ApiError('status', 'x', { sent: 'maybe', status })).kind).toBe('unknown');
  });
});

// These tests fail for a new decision, which then needs a row above or a test of its own.
describe('the inventory', () => {
  const all = sourceFiles('src', ['src/demoService']);

  it('has each set of words that the API reads', () => {
    const names = all.flatMap(({ text }) =>
      [...text.matchAll(/(\w+)(?::| =) (?:optional\()?wordOf\(/g)].map(([, name]) => name),
    );
    // Nothing depends on the name of the field that an answer's reasoning came from.
    const decidedNowhere = ['chatCompletionReasoningField'];
    expect(names.sort()).toEqual([...decidedNowhere, 'openaiPhase', 'roleSchema', 'sessionStatusSchema', 'visibility']);
  });

  it('has each file that decides by a status', () => {
    const decides = /(?:===|!==|case) '(?:idle|running|pending)'|\['running', 'pending'/;
    const files = all.filter(({ text }) => decides.test(text)).map(({ fileName }) => fileName);
    expect(files).toEqual([
      'src/state/conversation/rows.ts',
      'src/state/conversation/turnRows.ts',
      'src/state/conversation/turnSteps.ts',
      'src/state/presentation/describeChanges.ts',
      'src/state/presentation/describeSession.ts',
      'src/state/presentation/describeStatusBar.ts',
      'src/state/presentation/describeSteps.ts',
      'src/state/presentation/describeTree.ts',
      'src/state/sessions/attention.ts',
      'src/state/sessions/finishedTurns.ts',
      'src/state/store/sessionRecord.ts',
      'src/state/store/usage.ts',
      'src/state/store/waiting.ts',
      'src/state/work/tail.ts',
      'src/sync/cache/messageCache.ts',
      'src/sync/history/historyCursor.ts',
      'src/sync/history/listComparison.ts',
      'src/sync/outbox/agents.ts',
      'src/sync/polling/intervals.ts',
      'src/sync/polling/poller.ts',
      'src/sync/tails/tailQueue.ts',
      'src/views/conversation/conversationRowModel.ts',
      'src/webview/conversationView.ts',
      'src/webview/header/headerView.ts',
      'src/webview/rows/messageAnnouncements.ts',
    ]);
  });
});
