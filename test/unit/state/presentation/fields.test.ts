import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Message, messagePageSchema } from '../../../../src/api/resources/message.ts';
import { sessionFields, settingFields, tokenUsageSchema } from '../../../../src/api/resources/session.ts';
import { describeSession, statusLabel } from '../../../../src/state/presentation/session.ts';
import { settingValue } from '../../../../src/state/presentation/settings.ts';
import { describeUsage } from '../../../../src/state/presentation/usage.ts';
import { messageDetails } from '../../../../src/state/presentation/messageDetails.ts';
import { settingNames } from '../../../../src/state/sessions/settings.ts';
import { root } from '../../../l10n/sourceFiles.ts';
import { describeOlder } from '../../../../src/state/presentation/conversation.ts';
import { SessionTree } from '../../../../src/state/sessions/tree.ts';
import { sectionsOf } from '../../../../src/state/sessions/sections.ts';
import { LocalService, Reader, key as readKey } from '../../sync/history/historyRig.ts';
import { now, ready, recordOf, sessionOf, t } from '../samples.ts';

/** Maps the heading of each table in docs/fields.md to the fields in it and their descriptions. */
const tables = new Map(
  readFileSync(join(root, 'docs/fields.md'), 'utf8')
    .split('\n## ')
    .slice(1)
    .map((section) => {
      const rows = [...section.matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm)].map(
        ([, field = '', where = '']) => [field, where] as const,
      );
      return [section.split('\n')[0] ?? '', new Map(rows)] as const;
    }),
);
const fieldsOf = (heading: string) => [...(tables.get(heading)?.keys() ?? [])].sort();

const own = { inputTokens: 11, outputTokens: 12, cacheCreationTokens: 13, cacheReadTokens: 14, thinkingTokens: 15 };
const sessionSettings = {
  model: 'model-x',
  specModeModel: 'spec-x',
  runInWorktree: true,
  providerLockTimestamp: 'lock-x',
  assistantActiveTimeMs: 61_000,
  tokenUsage: { ...own, serviceCredits: 16 },
  inclusiveTokenUsage: { inputTokens: 101, outputTokens: 102, serviceCredits: 106 },
  childInclusiveTokenUsageBySessionId: { 'child-x': { inputTokens: 90 } },
  archivedAt: 'archived-x',
  tags: [{ name: 'tag-x' }],
  enabledToolIds: ['enabled-x'],
  disabledToolIds: ['disabled-x'],
  compactionModel: 'compaction-x',
  compactionThresholdCheckEnabled: false,
};
const createdAt = new Date(2020, 1, 2, 3, 4).getTime();
const completedAt = new Date(2021, 2, 3, 4, 5).getTime();
const record = recordOf({
  session: sessionOf({ messageCount: 4321, createdAt, completedAt, computerId: 'computer-x', sessionSettings }),
});

/** The text that each place in the user interface shows for the session. */
const row = describeSession(record, ready, now, t);
const places: Readonly<Record<string, string>> = {
  tooltip: row.tooltip,
  tree: [row.label, row.description, row.tooltip].join('\n'),
  'Edit Session Settings...': settingNames.map((name) => settingValue(name, sessionSettings, t)).join('\n'),
  'usage page': JSON.stringify(
    describeUsage(record, [], {
      t,
      number: String,
      shortNumber: String,
      timeRange: String,
      dateTime: String,
      titleOf: () => undefined,
    }),
  ),
};
/** The text that must be visible for each field. */
const seen: Readonly<Record<string, string>> = {
  sessionId: 'session-1',
  status: statusLabel('idle', t),
  messageCount: '4321',
  createdAt: new Date(createdAt).toLocaleString(),
  updatedAt: '5 min',
  title: 'Fix the login',
  completedAt: new Date(completedAt).toLocaleString(),
  computerId: 'computer-x',
  sessionSettings: 'model-x',
  model: 'model-x',
  specModeModel: 'spec-x',
  runInWorktree: 'On',
  providerLockTimestamp: 'lock-x',
  assistantActiveTimeMs: '1 min 1 s',
  tokenUsage: '"11"',
  inclusiveTokenUsage: '"101"',
  childInclusiveTokenUsageBySessionId: 'child-x',
  archivedAt: 'archived-x',
  tags: 'tag-x',
  enabledToolIds: 'enabled-x',
  disabledToolIds: 'disabled-x',
  compactionModel: 'compaction-x',
  compactionThresholdCheckEnabled: 'Off',
  inputTokens: '"11"',
  outputTokens: '"12"',
  cacheCreationTokens: '"13"',
  cacheReadTokens: '"14"',
  thinkingTokens: '"15"',
  serviceCredits: '"16"',
};

describe('docs/fields.md', () => {
  it.each([
    ['Session', sessionFields],
    ['Session settings', settingFields],
    ['Token usage', tokenUsageSchema],
  ])('lists exactly the existing fields: %s', (heading, { def }) => {
    expect(fieldsOf(heading)).toEqual(Object.keys(def.shape).sort());
  });

  const claims = ['Session', 'Session settings', 'Token usage'].flatMap((heading) =>
    [...(tables.get(heading) ?? [])].map(([field, where]) => [field, where] as const),
  );
  it.each(claims)('says where %s is shown: %s', (field, where) => {
    const named = Object.keys(places).filter((place) => where.includes(place));
    expect(named).not.toEqual([]);
    const said = named.map((place) => places[place] ?? '').join('\n');
    expect(said).toContain(seen[field]);
  });

  it('mentions Details only for message fields that Details shows', () => {
    const message: Required<Omit<Message, 'unreadable' | 'wire'>> = {
      id: 'id-x',
      role: 'assistant',
      content: [],
      createdAt,
      updatedAt: completedAt,
      parentId: 'parent-x',
      userMessageSource: 'slack',
      visibility: 'llm_only',
      openaiMessageId: 'openai-x',
      openaiPhase: 'commentary',
      openaiEncryptedContent: 'e'.repeat(1_001),
      openaiReasoningId: 'reasoning-x',
      openaiReasoningSummary: 's'.repeat(1_002),
      geminiThoughtSignature: 'g'.repeat(1_003),
      chatCompletionReasoningField: 'reasoning_content',
      chatCompletionReasoningContent: 'c'.repeat(1_004),
      isUserVisible: false,
      isError: true,
    };
    expect(fieldsOf('Message')).toEqual(Object.keys(message).sort());
    const inDetails = fieldsOf('Message').filter((field) => tables.get('Message')?.get(field)?.includes('Details'));
    const whole = messageDetails(message, undefined, t);
    for (const field of inDetails) {
      const isTime = field === 'createdAt' || field === 'updatedAt';
      const without = { ...message, [field]: isTime ? 7 : undefined };
      expect(messageDetails(without, undefined, t), field).not.toEqual(whole);
    }
  });

  it('describes both fields of a page of messages', async () => {
    expect(fieldsOf('Pagination')).toEqual(['hasMore', 'nextCursor']);
    expect(await moreToSee({ hasMore: true, nextCursor: 'further' })).toEqual({ tree: ['older'], page: 'more' });
    expect(await moreToSee({ hasMore: false, nextCursor: 'further' })).toEqual({ tree: [], page: 'none' });
  });
});

/** The rows in the tree and the state on the page that offer older messages after this response of the service. */
async function moreToSee(pagination: { readonly hasMore: boolean; readonly nextCursor: string }) {
  const { api } = new LocalService(2);
  const message = (at: number) => ({ id: `m${at}`, role: 'user', content: [], createdAt: at, updatedAt: at });
  const answer = { messages: [message(2), message(1)], pagination };
  const listMessages = () => Promise.resolve(messagePageSchema.parse(answer));
  const reader = new Reader();
  await reader.refresh(Object.assign(api, { listMessages }));
  const read = reader.store.record(readKey);
  if (!read) throw new Error('The session has left the store.');
  const tree = new SessionTree();
  tree.arrange(sectionsOf([read], 'age', 'updated', now));
  const rows = tree.rowsOf(readKey).flatMap((row) => tree.messages(row, read));
  return {
    tree: rows.map(({ kind }) => kind).filter((kind) => kind !== 'message'),
    page: describeOlder(read, ready, t).state,
  };
}
