import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { roleLabel } from '../../src/state/presentation/describeMessage.ts';
import { describeAge } from '../../src/state/presentation/describeTime.ts';
import {
  describeComposer,
  describeHeader,
  describeOlder,
  describeScreen,
} from '../../src/state/presentation/describeConversation.ts';
import { describeEntry } from '../../src/state/presentation/describeOutbox.ts';
import { describeFailure, describeServiceUrlFailure } from '../../src/state/presentation/describeFailure.ts';
import {
  describeMessageRow,
  describeSession,
  describeSessionTooltip,
} from '../../src/state/presentation/describeSession.ts';
import { describeStatusBar } from '../../src/state/presentation/describeStatusBar.ts';
import { describeTree, sectionLabel } from '../../src/state/presentation/describeTree.ts';
import { translator } from '../../src/shared/translate.ts';
import {
  codeProblems,
  filesOf,
  languages,
  manifestFile,
  manifestProblems,
  readTexts,
  translationGaps,
} from '../../tools/l10n/bundles.ts';
import { outsideBrackets, pseudoBundle, pseudoLanguage, pseudoText } from '../../tools/l10n/pseudo.ts';
import { bundleOf, countPlace, placeholdersOf, sentencesInCode } from '../../tools/l10n/sentences.ts';
import { root } from '../../tools/l10n/sourceFiles.ts';
import {
  attachment,
  entryOf,
  headerOf,
  noKey,
  now,
  ready,
  recordOf,
  rejected,
  sessionOf,
  unreadRecord,
} from './state/samples.ts';

const sentences = sentencesInCode();
const english = readTexts(manifestFile);
const nothing = { missing: {}, stale: {}, changed: {} };

describe('the source strings', () => {
  it('match the bundle for translators, which `npm run l10n` updates', () => {
    expect(sentences.length).toBeGreaterThan(150);
    // The code passes this string to a translator that is in a private field.
    expect(sentences.map(({ text }) => text)).toContain('Send Problem to Session');
    expect(readFileSync(join(root, 'l10n/bundle.l10n.json'), 'utf8')).toBe(bundleOf(sentences));
  });

  it.each(sentences)('$fileName:$line: $text', ({ text, valueCount, fileName, counted }) => {
    const places = placeholdersOf(counted?.other ?? text);
    // The page fills in the values of its own strings, so the host passes none.
    if (!fileName.endsWith('protocol/pageStrings.ts')) expect(valueCount).toBe(places.length);
    expect(places).toEqual([...places.keys()]);
    if (text === counted?.one) {
      expect([...placeholdersOf(text), countPlace(counted)].sort()).toEqual(places);
      expect(counted.one).not.toBe(counted.other);
    }
    expect(text).toBe(text.trim());
    expect(text).not.toMatch(/\s{2}|[\r\n…]/);
    // A string starts like a sentence, because a fragment can't be translated.
    if (text.endsWith('.') && !text.endsWith('...')) expect(text).toMatch(/^(\p{Lu}|\d|\{0\}|"|http:|https:|#)/u);
    expect(text).not.toMatch(/^[,.;:)\]]|[,;:([]$/);
    // The key of a further plural form is the sentence, a slash, and the category, so no sentence may end like that.
    expect(text).not.toMatch(/\/(zero|one|two|few|many)$/);
  });
});

describe('the translations', () => {
  // A missing translation fails only the release check, because the English text is shown in its place.
  it.each(languages())('to %s are of existing sentences, with the same placeholders, links, and names', (language) => {
    const { code, manifest } = filesOf(language);
    const wrong = { stale: {}, changed: {} };
    expect(codeProblems(readTexts(code), language, sentences), code).toMatchObject(wrong);
    expect(manifestProblems(readTexts(manifest), english), manifest).toMatchObject(wrong);
    for (const text of Object.values({ ...readTexts(code), ...readTexts(manifest) })) expect(text.trim()).not.toBe('');
  });

  it('to the pseudo-language are complete, and longer', () => {
    const texts = Object.fromEntries(sentences.map(({ text }) => [text, text]));
    expect(codeProblems(pseudoBundle(texts), 'en', sentences)).toEqual(nothing);
    expect(manifestProblems(pseudoBundle(english), english)).toEqual(nothing);
    const words = [...Object.keys(texts), ...Object.values(english)].filter(
      (text) => outsideBrackets(pseudoText(text)) !== text,
    );
    expect(words.length).toBeGreaterThan(900);
    for (const text of words) {
      expect(pseudoText(text).length).toBeGreaterThanOrEqual(text.length * 1.4);
    }
  });
});

describe('the check of translations', () => {
  const place = { valueCount: 1, fileName: 'a.ts', line: 1 };
  const messages = { one: '1 message', other: '{0} messages' };
  const counted = Object.values(messages).map((text) => ({ ...place, text, counted: messages }));
  const sentence = 'Run `x`, see https://a.test/b, [Retry](command:lineside.retry) or press Ctrl+K in {0}.';
  const check = (bundle: Record<string, string>, language: string) => codeProblems(bundle, language, counted);
  const both = { '1 message': 'a', '{0} messages': '{0} b' };

  it('reports missing, empty, and stale sentences', () => {
    expect(check({ '1 message': 'a', '{0} messages': ' ', old: 'c' }, 'de')).toEqual({
      missing: { '{0} messages': '{0} messages' },
      stale: { old: 'c' },
      changed: {},
    });
  });

  it('counts for a release what is missing in each file', () => {
    const read = (file: string): Record<string, string> => {
      if (file === manifestFile) return { name: 'Name', title: 'Title' };
      return { [filesOf('de').code]: both, [filesOf('de').manifest]: { name: 'a' } }[file] ?? {};
    };
    expect(translationGaps(counted, ['de'], read)).toEqual(['package.nls.de.json lacks 1 translation.']);
    expect(translationGaps(counted, ['pl'], read)).toEqual([
      'l10n/bundle.l10n.pl.json lacks 4 translations.',
      'package.nls.pl.json lacks 2 translations.',
    ]);
  });

  it('expects the plural forms of the language', () => {
    expect(check(both, 'de')).toEqual(nothing);
    expect(check({ '{0} messages': '{0} b' }, 'ja')).toEqual(nothing);
    expect(check(both, 'ja').stale).toEqual({ '1 message': 'a' });
    expect(check(both, 'pl').missing).toEqual({
      '{0} messages/few': '{0} messages',
      '{0} messages/many': '{0} messages',
    });
    const polish = { ...both, '{0} messages/few': '{0} c', '{0} messages/many': '{0} d' };
    expect(check(polish, 'pl')).toEqual(nothing);
    // In Russian, the form for 1 is also the form for 21. In French, it is also the form for 0.
    expect(Object.keys(check(polish, 'ru').changed)).toEqual(['1 message']);
    expect(check({ ...polish, '1 message': '{0} a' }, 'ru')).toEqual(nothing);
    expect(Object.keys(check(both, 'fr').changed)).toEqual(['1 message']);
    expect(check({ ...both, '{0} messages/many': '{0} de c' }, 'fr').stale).toEqual({});
  });

  it('expects further forms of a sentence that has only one in English', () => {
    const one = [{ ...place, text: '{0} new', counted: { other: '{0} new' } }];
    expect(codeProblems({ '{0} new': '{0} a' }, 'de', one)).toEqual(nothing);
    expect(codeProblems({ '{0} new': '{0} a', '{0} new/one': 'a' }, 'de', one)).toEqual(nothing);
    expect(Object.keys(codeProblems({}, 'ru', one).missing)).toEqual([
      '{0} new',
      '{0} new/one',
      '{0} new/few',
      '{0} new/many',
    ]);
  });

  it.each([
    ['a placeholder', sentence.replace('{0}', '{1}')],
    ['inline code', sentence.replace('`x`', '`y`')],
    ['a URL', sentence.replace('a.test', 'c.test')],
    ['a link', sentence.replace('lineside.retry', 'lineside.wiederholen')],
    ['a key', sentence.replace('Ctrl+K', 'Strg+L')],
    ['a line', `${sentence}\n`],
  ])('reports a change of %s', (_what, text) => {
    expect(Object.keys(manifestProblems({ a: text }, { a: sentence }).changed)).toEqual(['a']);
    const translated = sentence.replace('Run', 'Führen Sie aus:').replace('Ctrl+K', 'Strg+K');
    expect(manifestProblems({ a: translated }, { a: sentence })).toEqual(nothing);
  });
});

/** Translates into the pseudo-language. */
const pseudo = translator(pseudoLanguage, pseudoBundle(Object.fromEntries(sentences.map(({ text }) => [text, text]))));

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

/** The words outside the `⟦⟧` of pseudo-translated text, except icons, Lineside, http(s), units, AM, PM, and May. */
const untranslated = (text: string) =>
  outsideBrackets(text)
    .replace(/^\$\([a-z~-]+\)|\b(Lineside|https?|B|KB|MB|AM|PM|May)\b/g, '')
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
  const connections = [ready, noKey, rejected].map((connection) => ({ ...connection, service }));
  const states = ['queued', 'sending', 'accepted', 'unknown', 'notSent'] as const;
  const kinds = ['unreachable', 'proxy', 'certificate', 'deadline', 'redirect', 'notJson', 'disk'] as const;
  const header = headerOf('m', { firstLine: '' });

  it.each([
    ...connections.flatMap((connection) => [
      ...records.map((record) => ['a session', describeSession(record, connection, now, pseudo)] as const),
      ...records.map((record) => ['a tooltip', describeSessionTooltip(record, connection, now, pseudo)] as const),
      ...records.map((record) => ['a head', describeHeader(record, connection, pseudo)] as const),
      ...records.map((record) => ['a composer', describeComposer(record, connection, '9', pseudo)] as const),
      ...records.map((record) => ['older', describeOlder(record, connection, pseudo)] as const),
      ...records.map((record) => ['bar', describeStatusBar(connection, record, records, now, pseudo)] as const),
      ['a screen', describeScreen(connection, 0, pseudo, undefined)] as const,
      ['a screen', describeScreen(connection, 1, pseudo, undefined)] as const,
      ['the tree', describeTree(connection, records, pseudo)] as const,
    ]),
    ['a screen', describeScreen({ kind: 'noService', failure: 'insecure' }, 0, pseudo, undefined)] as const,
    ...states.map(
      (state) => ['delivery', describeEntry(entryOf({ text: '1', state, failure }), pseudo).delivery] as const,
    ),
    ...kinds.map((kind) => ['a failure', describeFailure({ kind, at: 1 }, pseudo)] as const),
    ['a URL', describeServiceUrlFailure('credentials', pseudo)] as const,
    ['a role', roleLabel('user', pseudo)] as const,
    ['a section', sectionLabel({ kind: 'older' }, pseudo)] as const,
    ...[0, 1e5, 1e7, 2e7, 1e8, 3e8].map((age) => ['an age', describeAge(now - age, now, pseudo)] as const),
    ['a message', { ...describeMessageRow(header, [], now, pseudo), tooltip: '' }] as const,
  ])('%s is fully translated: %j', (_what, described) => {
    for (const text of shownTexts(described)) expect(untranslated(text), text).toBeNull();
  });
});
