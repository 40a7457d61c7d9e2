import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { roleLabel } from '../../src/state/presentation/message.ts';
import { describeAge } from '../../src/state/presentation/time.ts';
import {
  describeComposer,
  describeHeader,
  describeOlder,
  describeScreen,
} from '../../src/state/presentation/conversation.ts';
import { describeEntry } from '../../src/state/presentation/outbox.ts';
import { describeFailure, describeServiceUrlProblem } from '../../src/state/presentation/failure.ts';
import { describeMessageRow, describeSession } from '../../src/state/presentation/session.ts';
import { describeStatusBar } from '../../src/state/presentation/statusBar.ts';
import { describeTree, sectionLabel } from '../../src/state/presentation/tree.ts';
import type { Translate } from '../../src/shared/text.ts';
import { bundleOf, sentencesInCode } from '../l10n/sentences.ts';
import { root } from '../l10n/sourceFiles.ts';
import {
  attachment,
  entryOf,
  headerOf,
  noKey,
  now,
  ready,
  recordOf,
  refused,
  sessionOf,
  unreadRecord,
} from './state/samples.ts';

const sentences = sentencesInCode();
const placeholdersOf = (text: string) => [...text.matchAll(/\{(\d+)\}/g)].map(([, place]) => Number(place));

describe('the source strings', () => {
  it('match the bundle for translators, which `node test/l10n/write.ts` updates', () => {
    expect(sentences.length).toBeGreaterThan(150);
    expect(readFileSync(join(root, 'l10n/bundle.l10n.json'), 'utf8')).toBe(bundleOf(sentences));
  });

  it.each(sentences)('$fileName:$line: $text', ({ text, valueCount, fileName }) => {
    const places = new Set(placeholdersOf(text));
    // The page fills in the values of its own strings, so the host passes none.
    if (!fileName.endsWith('protocol/pageStrings.ts')) expect(valueCount).toBe(places.size);
    expect([...places].sort()).toEqual([...places.keys()].map((_, index) => index));
    expect(text).toBe(text.trim());
    expect(text).not.toMatch(/\s{2}|[\r\n…]/);
    // A string starts like a sentence, because a fragment can't be translated.
    if (text.endsWith('.') && !text.endsWith('...')) expect(text).toMatch(/^(\p{Lu}|\d|\{0\}|"|http:|https:|#)/u);
    expect(text).not.toMatch(/^[,.;:)\]]|[,;:([]$/);
  });
});

/** A pseudo-language that encloses every string in brackets. Any text outside brackets is untranslated. */
const pseudo: Translate = (message, ...values) =>
  `⟦${message.replace(/\{(\d+)\}/g, (_, place: string) => `⟧${String(values[Number(place)])}⟦`)}⟧`;

/**
 * The user-visible strings of a description, at any depth. Skips members that only code reads, such as icons and IDs.
 */
function shownTexts(value: unknown, name = ''): string[] {
  const forPrograms = [
    'icon',
    'iconColor',
    'action',
    'actions',
    'state',
    'status',
    'kind',
    'type',
    'key',
    'role',
    'command',
    'severity',
  ];
  if (forPrograms.includes(name) || name.endsWith('Id')) return [];
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([inner, part]) => shownTexts(part, Array.isArray(value) ? name : inner));
}

/** The words outside brackets, except icons, the product name, and units. */
const untranslated = (text: string) =>
  text
    .replace(/⟦[^⟦⟧]*⟧/g, ' ')
    .replace(/^\$\([a-z~-]+\)|Lineside:|\b(B|KB|MB|AM|PM)\b/g, '')
    .match(/\p{L}+/gu);

describe('in another language', () => {
  const session = sessionOf({ title: '1', sessionSettings: { model: '2' }, computerId: '3' });
  const listEntry = { key: { origin: '4', sessionId: '5' }, addedAt: 1 };
  const failure = { kind: 'status', status: 429, retryAfterMs: 5_000, detail: '6', at: now } as const;
  const draft = { ...recordOf().draft, text: '7', attachments: [{ ...attachment, name: '8' }] };
  const records = [
    recordOf({ session, listEntry, draft, outbox: [entryOf(), entryOf()] }),
    recordOf({ session: { ...session, messageCount: 1, status: 'running' }, listEntry, failure }),
    unreadRecord({ listEntry }),
    unreadRecord({ listEntry, failure, history: { completeness: 'partial', isLoading: true } }),
  ];
  const service = { origin: '4', baseUrl: '4' };
  const connections = [ready, noKey, refused].map((connection) => ({ ...connection, service }));
  const states = ['queued', 'sending', 'accepted', 'unknown', 'notSent'] as const;
  const kinds = ['unreachable', 'proxy', 'certificate', 'deadline', 'redirect', 'notJson', 'disk'] as const;
  const header = headerOf('m', { firstLine: '' });

  it.each([
    ...connections.flatMap((connection) => [
      ...records.map((record) => ['a session', describeSession(record, connection, now, pseudo)] as const),
      ...records.map((record) => ['a head', describeHeader(record, connection, pseudo)] as const),
      ...records.map((record) => ['a composer', describeComposer(record, connection, '9', pseudo)] as const),
      ...records.map((record) => ['older', describeOlder(record, connection, pseudo)] as const),
      ...records.map((record) => ['bar', describeStatusBar(connection, record, records, now, pseudo)] as const),
      ['a screen', describeScreen(connection, 0, pseudo, undefined)] as const,
      ['a screen', describeScreen(connection, 1, pseudo, undefined)] as const,
      ['the tree', describeTree(connection, records, pseudo)] as const,
    ]),
    ['a screen', describeScreen({ kind: 'noService', problem: 'insecure' }, 0, pseudo, undefined)] as const,
    ...states.map(
      (state) => ['delivery', describeEntry(entryOf({ text: '1', state, problem: failure }), pseudo).delivery] as const,
    ),
    ...kinds.map((kind) => ['a problem', describeFailure({ kind, at: 1 }, pseudo)] as const),
    ['a URL', describeServiceUrlProblem('credentials', pseudo)] as const,
    ['a role', roleLabel('user', pseudo)] as const,
    ['a section', sectionLabel({ kind: 'older' }, pseudo)] as const,
    ...[0, 1e5, 1e7, 2e7, 1e8, 3e8].map((age) => ['an age', describeAge(now - age, now, pseudo)] as const),
    ['a message', { ...describeMessageRow(header, now, pseudo), tooltip: '' }] as const,
  ])('%s is fully translated: %j', (_what, described) => {
    for (const text of shownTexts(described)) expect(untranslated(text), text).toBeNull();
  });
});
