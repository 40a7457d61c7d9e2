import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { messagePageSchema, readMessage, readMessagePage } from '../../../../src/api/resources/message.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';
import {
  sessionFields,
  sessionSchema,
  settingFields,
  tokenUsageSchema,
} from '../../../../src/api/resources/session.ts';
import { describeHeader, describeOlder } from '../../../../src/state/presentation/describeConversation.ts';
import * as presentation from '../../../../src/state/presentation/describeMessage.ts';
import { messageDetails } from '../../../../src/state/presentation/describeDetails.ts';
import { describeSession, describeSessionTooltip } from '../../../../src/state/presentation/describeSession.ts';
import { settingValue } from '../../../../src/state/presentation/describeSettings.ts';
import { describeStatusBar } from '../../../../src/state/presentation/describeStatusBar.ts';
import { sectionLabel } from '../../../../src/state/presentation/describeTree.ts';
import { describeUsage, usageCsv } from '../../../../src/state/presentation/describeUsage.ts';
import { sessionLink } from '../../../../src/state/sessions/sessionLinks.ts';
import { sectionsOf } from '../../../../src/state/sessions/sections.ts';
import { settingNames } from '../../../../src/state/sessions/sessionSettings.ts';
import { SessionTree } from '../../../../src/state/sessions/sessionTree.ts';
import { childSessionIds, type SessionRecord } from '../../../../src/state/store/sessionRecord.ts';
import { root } from '../../../../tools/l10n/sourceFiles.ts';
import { LocalService, Reader, key as readKey } from '../../sync/history/historyRig.ts';
import { now, ready, recordOf, t } from '../samples.ts';

const describeMessage = (...given: Parameters<typeof presentation.describeMessage>) =>
  withoutPause(presentation.describeMessage(...given));

const pageOf = (answer: unknown) => withoutPause(readMessagePage(messagePageSchema.parse(answer)));

type Fields = Readonly<Record<string, unknown>>;

/** The tables of docs/fields.md: for each heading, the places of each field. */
const tables = new Map(
  readFileSync(join(root, 'docs/fields.md'), 'utf8')
    .split('\n## ')
    .slice(1)
    .map((section) => {
      const rows = [...section.matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm)].map(
        ([, field = '', where = '']) => [field, where.split('; ')] as const,
      );
      return [section.split('\n')[0] ?? '', new Map(rows)] as const;
    }),
);
const fieldsOf = (heading: string) => [...(tables.get(heading)?.keys() ?? [])].sort();
/** Each row and place of a table, as the cases of a test. */
const casesOf = (heading: string) =>
  [...(tables.get(heading) ?? [])].flatMap(([field, places]) => places.map((place) => [field, place] as const));

const dayMs = 86_400_000;
const counters = {
  inputTokens: 811,
  outputTokens: 812,
  cacheCreationTokens: 813,
  cacheReadTokens: 814,
  thinkingTokens: 815,
  serviceCredits: 816,
};
const settings = {
  model: 'model-x',
  specModeModel: 'spec-x',
  runInWorktree: true,
  providerLockTimestamp: 'lock-x',
  assistantActiveTimeMs: 61_000,
  tokenUsage: counters,
  inclusiveTokenUsage: { ...counters, inputTokens: 911, serviceCredits: 916 },
  childInclusiveTokenUsageBySessionId: { 'child-x': counters },
  archivedAt: 'archived-x',
  tags: [{ name: 'tag-x' }],
  enabledToolIds: ['enabled-x'],
  disabledToolIds: ['disabled-x'],
  compactionModel: 'compaction-x',
  compactionThresholdCheckEnabled: false,
};
const session = {
  sessionId: 'session-x',
  status: 'running',
  messageCount: 4321,
  createdAt: now - 40 * dayMs,
  updatedAt: now - 7 * 60_000,
  title: 'title-x',
  completedAt: now - 30 * dayMs,
  computerId: 'computer-x',
  sessionSettings: settings,
};
/** Other values of the fields that a session must have. */
const otherSession: Fields = {
  sessionId: 'session-y',
  status: 'idle',
  messageCount: 1,
  createdAt: now - 50 * dayMs,
  updatedAt: now - 400 * dayMs,
};
/** The text in the interface for values that aren't shown unchanged. */
const shownAs: Readonly<Record<string, RegExp>> = {
  status: /running|sync/i,
  messageCount: /4,?321/,
  createdAt: new RegExp(literal(t.formats.dateTime(session.createdAt))),
  updatedAt: /7 min|Today/,
  completedAt: new RegExp(literal(t.formats.dateTime(session.completedAt))),
  sessionSettings: /model-x/,
  runInWorktree: /On/,
  assistantActiveTimeMs: /1 min 1 s/,
  tokenUsage: /811/,
  inclusiveTokenUsage: /911|916/,
  // Edit Session Settings... shows the number of child sessions.
  childInclusiveTokenUsageBySessionId: /child-x|"1"/,
  archivedAt: /archived-x|Archived/,
  tags: /tag-x/,
  enabledToolIds: /enabled-x/,
  disabledToolIds: /disabled-x/,
  compactionThresholdCheckEnabled: /Off/,
};

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function textOf(value: unknown): RegExp {
  return new RegExp(literal(String(value)));
}

function recordFor(given: Fields): SessionRecord {
  const parsed = sessionSchema.parse(given);
  const key = { origin: 'https://service.test', sessionId: parsed.sessionId };
  return recordOf({ listEntry: { key, addedAt: 1 }, session: parsed });
}

const words = { t, titleOf: () => undefined };
/** Two samples of the idle session, so that there is one turn with the usage of the session. */
function samplesOf({ session: read }: SessionRecord) {
  const { tokenUsage = {}, inclusiveTokenUsage } = read?.sessionSettings ?? {};
  const nothing = Object.fromEntries(Object.keys(tokenUsage).map((name) => [name, 0]));
  return [
    { at: now - 1_000, isIdle: true, own: nothing, inclusive: nothing },
    { at: now, isIdle: true, own: tokenUsage, inclusive: inclusiveTokenUsage },
  ];
}
const usageOf = (record: SessionRecord) => describeUsage(record, samplesOf(record), words);
const sectionsFor = (record: SessionRecord) =>
  (['age', 'tag'] as const)
    .flatMap((groupBy) => sectionsOf([record], groupBy, 'updated', now))
    .map((section) => sectionLabel(section, t))
    .join('\n');

/** The text or description of each place of the interface, for a session as the service sends it. */
const sessionPlaces: Readonly<Record<string, (given: Fields) => unknown>> = {
  tooltip: (given) => describeSessionTooltip(recordFor(given), ready, now, t),
  'tree row': (given) => {
    const { label, description } = describeSession(recordFor(given), ready, now, t);
    return [label, description];
  },
  'tree row without a title': (given) =>
    describeSession(recordFor({ ...given, title: undefined }), ready, now, t).label,
  'tree icon': (given) => describeSession(recordFor(given), ready, now, t).icon,
  'tree section': (given) => {
    const { sessionSettings } = given as { readonly sessionSettings?: Fields };
    // An archived session is in no other section, so look for the other sections without `archivedAt`.
    return [given, { ...given, sessionSettings: { ...sessionSettings, archivedAt: undefined } }].map((each) =>
      sectionsFor(recordFor(each)),
    );
  },
  'copied link': (given) => sessionLink('vscode', 'lineside.lineside', recordFor(given).listEntry.key),
  'header of the conversation': (given) => describeHeader(recordFor(given), ready, t),
  'status bar': (given) => describeStatusBar(ready, recordFor(given), [recordFor(given)], now, t),
  'Edit Session Settings...': (given) =>
    settingNames.map((name) => settingValue(name, recordFor(given).session?.sessionSettings ?? {}, t)),
  'usage page': (given) => usageOf(recordFor(given)),
  'child sessions on the usage page': (given) => {
    const { sessionSettings } = given as { sessionSettings: Fields };
    const childInclusiveTokenUsageBySessionId = { child: sessionSettings['tokenUsage'] };
    const others = { tokenUsage: {}, inclusiveTokenUsage: {}, childInclusiveTokenUsageBySessionId };
    return describeUsage(recordFor({ ...given, sessionSettings: others }), [], words);
  },
  'turns on the usage page': (given) => {
    const record = recordFor({ ...given, sessionSettings: { ...settings, tokenUsage: {}, inclusiveTokenUsage: {} } });
    return describeUsage(record, samplesOf(recordFor(given)), words);
  },
  CSV: (given) => usageCsv(samplesOf(recordFor(given))),
  'child sessions in the tree': (given) => {
    const record = recordFor(given);
    const tree = new SessionTree();
    tree.arrange(sectionsOf([record], 'age', 'updated', now));
    return tree.rowsOf(record.listEntry.key).flatMap((row) => tree.children(row, childSessionIds(record)));
  },
};

/** Expects a place to show a field: with the field, its value is shown; without it, the place shows something else. */
function expectShown(place: string, shown: RegExp, isWith: unknown, isWithout: unknown): void {
  expect(isWith, place).not.toEqual(isWithout);
  expect(JSON.stringify(isWith), place).toMatch(shown);
}

const file = {
  type: 'base64',
  mediaType: 'text/x-own',
  data: 'aGVsbG8=',
  parsedData: 'parsed-x',
  name: 'name-x',
  path: 'src/path-x',
};
const message = {
  id: 'id-x',
  role: 'user',
  content: [{ type: 'text', text: 'text-x' }],
  createdAt: now - 40 * dayMs,
  updatedAt: now - 30 * dayMs,
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
const otherMessage: Fields = { id: 'id-y', createdAt: now - 50 * dayMs, updatedAt: now - 40 * dayMs };

function read(given: Fields) {
  const parsed = readMessage(given);
  if (!parsed) throw new Error('The message has no ID.');
  return parsed;
}
const rowOf = (given: Fields) => describeMessage(read(given), undefined, 'k', t);
const foldsOf = (kind: string) => (given: Fields) =>
  rowOf(given).blocks.filter((block) => block.type === 'fold' && block.kind === kind);

const messagePlaces: Readonly<Record<string, (given: Fields) => unknown>> = {
  Details: (given) => messageDetails(read(given), undefined, t),
  'name of the role': (given) => rowOf(given).roleLabel,
  'text of the message': (given) => rowOf(given).blocks.filter(({ type }) => type !== 'fold'),
  'time of the message': (given) => rowOf(given).createdAt,
  'mark of an edited message': (given) => rowOf(given).updatedAt,
  // Either of the two fields hides a message, so each is tried without the other.
  badges: (given) => ['visibility', 'isUserVisible', ''].map((name) => rowOf({ ...given, [name]: undefined }).badges),
  'folded thinking': foldsOf('thinking'),
  'parsed text below the file': foldsOf('parsedText'),
  'error color': (given) => rowOf(given).isError,
};

describe('docs/fields.md', () => {
  it.each([
    ['Session', Object.keys(sessionFields.def.shape)],
    ['Session settings', Object.keys(settingFields.def.shape)],
    ['Token usage', Object.keys(tokenUsageSchema.def.shape)],
    ['Message', Object.keys(message)],
    ['File in a message', Object.keys(file).filter((name) => name !== 'type')],
    ['Pagination', ['hasMore', 'nextCursor']],
  ])('lists exactly the fields of the specification: %s', (heading, names) => {
    expect(fieldsOf(heading)).toEqual(names.toSorted());
  });

  it.each(casesOf('Session'))('is right that %s is visible in: %s', (field, place) => {
    const show = sessionPlaces[place];
    if (!show) throw new Error(`unknown place: ${place}`);
    const shown = shownAs[field] ?? textOf(session[field as keyof typeof session]);
    expectShown(place, shown, show(session), show({ ...session, [field]: otherSession[field] }));
  });

  it.each(casesOf('Session settings'))('is right that the setting %s is visible in: %s', (field, place) => {
    const show = sessionPlaces[place];
    if (!show) throw new Error(`unknown place: ${place}`);
    const shown = shownAs[field] ?? textOf(settings[field as keyof typeof settings]);
    const without = { ...session, sessionSettings: { ...settings, [field]: undefined } };
    expectShown(place, shown, show(session), show(without));
  });

  it.each(casesOf('Token usage'))('is right that the counter %s is visible in: %s', (field, place) => {
    const show = sessionPlaces[place];
    if (!show) throw new Error(`unknown place: ${place}`);
    const withUsage = (tokenUsage: Fields) => ({
      ...session,
      sessionSettings: { ...settings, tokenUsage, inclusiveTokenUsage: tokenUsage },
    });
    const shown = textOf(counters[field as keyof typeof counters]);
    expectShown(place, shown, show(withUsage(counters)), show(withUsage({ ...counters, [field]: undefined })));
  });

  it.each(casesOf('Message'))('is right that %s of a message is visible in: %s', (field, place) => {
    const show = messagePlaces[place];
    if (!show) throw new Error(`unknown place: ${place}`);
    const value = field === 'content' ? [] : otherMessage[field];
    expectShown(place, /./, show(message), show({ ...message, [field]: value }));
    expect(show(message), place).not.toEqual([]);
  });

  it.each(casesOf('File in a message'))('is right that %s of a file is visible in: %s', (field, place) => {
    const show = messagePlaces[place];
    if (!show) throw new Error(`unknown place: ${place}`);
    const given = (source: Fields) => ({ ...message, content: [{ type: 'document', source }] });
    const shown = field === 'data' ? /5 B/ : textOf(file[field as keyof typeof file]);
    expectShown(place, shown, show(given(file)), show(given({ ...file, [field]: undefined })));
  });

  it('is right about responses that have older messages', async () => {
    expect(await moreToSee({ hasMore: true, nextCursor: 'further' })).toEqual({ tree: ['older'], page: 'more' });
    expect(await moreToSee({ hasMore: false, nextCursor: 'further' })).toEqual({ tree: [], page: 'none' });
  });
});

/** The rows in the tree and the state on the page that offer older messages after this response of the service. */
async function moreToSee(pagination: { readonly hasMore: boolean; readonly nextCursor: string }) {
  const { api } = new LocalService(2);
  const message = (at: number) => ({ id: `m${at}`, role: 'user', content: [], createdAt: at, updatedAt: at });
  const answer = { messages: [message(2), message(1)], pagination };
  const listMessages = () => Promise.resolve(pageOf(answer));
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
