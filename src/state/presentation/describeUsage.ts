import type { TokenUsage } from '../../api/resources/session.ts';
import type { UsageChart, UsageContent, UsageTable } from '../../shared/protocol/usageMessages.ts';
import { childSessionIds, type SessionRecord } from '../store/sessionRecord.ts';
import { describeDuration } from './describeTime.ts';
import { sessionTitle } from '../store/sessionFacts.ts';
import { settingValue } from './describeSettings.ts';
import {
  type CounterName,
  type UsageSample,
  type UsageTurn,
  cacheShare,
  counterNames,
  hasTokens,
  tokenCount,
  tokenCounters,
  totalOf,
  turnsOf,
  usageIn,
} from '../store/usage.ts';
import { type Translate, plainLine } from '../../shared/text.ts';

/** Maximum number of turns in the chart. With more turns, the bars would be too narrow to read. */
const drawnTurns = 60;
const listedTurns = 200;

interface UsageWords {
  readonly t: Translate;
  /** Returns the title of a session; undefined if unknown. */
  readonly titleOf: (sessionId: string) => string | undefined;
}

function counterLabel(name: CounterName, t: Translate): string {
  switch (name) {
    case 'inputTokens':
      return t('Input');
    case 'outputTokens':
      return t('Output');
    case 'cacheReadTokens':
      return t('Cache read');
    case 'cacheCreationTokens':
      return t('Cache write');
    case 'thinkingTokens':
      return t('Thinking');
    case 'serviceCredits':
      return t('Credits');
  }
}

/** The contents of a session's usage page. */
export function describeUsage(record: SessionRecord, samples: readonly UsageSample[], words: UsageWords): UsageContent {
  const { t } = words;
  const { key } = record.listEntry;
  const settings = record.session?.sessionSettings ?? {};
  const hasUsage = settings.tokenUsage !== undefined || settings.inclusiveTokenUsage !== undefined;
  const turns = turnsOf(samples);
  const head = { ...key, title: sessionTitle(record), heading: t('Token usage'), exportLabel: t('Export as CSV...') };
  if (!hasUsage) {
    const empty = record.session
      ? t("This service doesn't report token usage for this session.")
      : t("This session hasn't loaded yet.");
    return { ...head, facts: [], charts: [], tables: [], empty };
  }
  return {
    ...head,
    facts: factsOf(record, turns.at(-1), words),
    charts: [turnChart(turns, words), timeChart(samples, words)].filter(({ points }) => points.length > 1),
    tables: [countersTable(record, words), childrenTable(record, words), turnsTable(turns, words)],
  };
}

/** The samples of a session as CSV (RFC 4180), one line for each sample, with times in ISO 8601 format. */
export function usageCsv(samples: readonly UsageSample[]): string {
  const columns = ['time', 'idle', 'activeMs', ...counterNames, ...counterNames.map((name) => `inclusive.${name}`)];
  const lines = samples.map(({ at, isIdle, activeMs, own, inclusive }) => [
    ...[new Date(at).toISOString(), isIdle, activeMs],
    ...counterNames.map((name) => own[name]),
    ...counterNames.map((name) => inclusive?.[name]),
  ]);
  return [columns, ...lines].map((line) => `${line.map((cell) => cell ?? '').join(',')}\r\n`).join('');
}

function factsOf(record: SessionRecord, lastTurn: UsageTurn | undefined, words: UsageWords): UsageContent['facts'] {
  const { t } = words;
  const settings = record.session?.sessionSettings ?? {};
  const usage = totalOf({ own: settings.tokenUsage ?? {}, inclusive: settings.inclusiveTokenUsage });
  const share = cacheShare(usage);
  const fact = (label: string, value: string | undefined) => (value === undefined ? [] : [{ label, value }]);
  return [
    ...fact(t('Tokens'), hasTokens(usage) ? t.formats.number(tokenCount(usage)) : '–'),
    ...fact(t('Credits'), usage.serviceCredits === undefined ? undefined : t.formats.number(usage.serviceCredits)),
    ...fact(t('Read from cache'), share === undefined ? undefined : t('{0}%', Math.round(share * 100))),
    ...fact(
      t('Active time'),
      settings.assistantActiveTimeMs === undefined ? undefined : describeDuration(settings.assistantActiveTimeMs, t),
    ),
    ...fact(t('Last turn'), lastTurn && turnCost(lastTurn, words)),
    ...fact(t('Model'), settings.model && plainLine(settings.model, 80)),
    ...fact(
      t('Provider locked'),
      settings.providerLockTimestamp === undefined ? undefined : settingValue('providerLockTimestamp', settings, t),
    ),
    ...fact(t('Last refreshed'), record.asOf === undefined ? undefined : t.formats.dateTime(record.asOf)),
  ];
}

function countersTable(record: SessionRecord, { t }: UsageWords): UsageTable {
  const { tokenUsage, inclusiveTokenUsage } = record.session?.sessionSettings ?? {};
  const cell = (value: number | undefined) => (value === undefined ? '–' : t.formats.number(value));
  return {
    caption: t('Counters'),
    columns: [t('Counter'), t('This session'), t('With child sessions')],
    rows: counterNames.map((name) => [
      counterLabel(name, t),
      cell(tokenUsage?.[name]),
      cell(inclusiveTokenUsage?.[name]),
    ]),
  };
}

function childrenTable(record: SessionRecord, words: UsageWords): UsageTable {
  const { t, titleOf } = words;
  const usage = record.session?.sessionSettings?.childInclusiveTokenUsageBySessionId ?? {};
  return {
    caption: t('Child sessions'),
    columns: [t('Session'), ...counterLabels(t)],
    rows: childSessionIds(record).map((sessionId) => [
      titleOf(sessionId) ?? plainLine(sessionId, 80),
      ...counterCells(usageIn(usage[sessionId]), words),
    ]),
    empty: t('No child sessions'),
  };
}

function turnsTable(turns: readonly UsageTurn[], words: UsageWords): UsageTable {
  const { t } = words;
  return {
    caption: t('Turns (newest first)'),
    columns: [t('Ended'), t('Active'), ...counterLabels(t)],
    rows: turns
      .slice(-listedTurns)
      .reverse()
      .map(({ endedAt, activeMs, used }) => [
        t.formats.dateTime(endedAt),
        activeMs === undefined ? '–' : describeDuration(activeMs, t),
        ...counterCells(used, words),
      ]),
    empty: t('No turns recorded yet. Usage per turn is recorded while Lineside is open.'),
  };
}

function counterLabels(t: Translate): string[] {
  return counterNames.map((name) => counterLabel(name, t));
}

function counterCells(usage: TokenUsage, { t }: UsageWords): string[] {
  return counterNames.map((name) => (usage[name] === undefined ? '–' : t.formats.number(usage[name])));
}

/** Stacks only {@link tokenCounters}: thinking is part of the output, and credits are not tokens. */
function turnChart(all: readonly UsageTurn[], words: UsageWords): UsageChart {
  const { t } = words;
  const turns = all.filter(({ used }) => hasTokens(used)).slice(-drawnTurns);
  const [first, last] = [turns[0], turns.at(-1)];
  const caption = t('Tokens by turn');
  const points = turns.map((turn) => ({
    label: t('{0}: {1}', t.formats.dateTime(turn.endedAt), turnCost(turn, words)),
    values: tokenCounters.map((name) => turn.used[name] ?? 0),
  }));
  return {
    kind: 'bars',
    caption,
    summary: [caption, points[0]?.label ?? '', points.at(-1)?.label ?? ''].join('. '),
    ticks: ticksOf(
      turns.map(({ used }) => tokenCount(used)),
      words,
    ),
    times: first && last ? [t.formats.timeRange(first.endedAt, last.endedAt)] : [],
    legend: tokenCounters.map((name) => counterLabel(name, t)),
    points,
  };
}

function timeChart(all: readonly UsageSample[], words: UsageWords): UsageChart {
  const { t } = words;
  const known = all.filter((sample) => hasTokens(totalOf(sample)));
  // A later response without the counters of child sessions would look as if their work had been taken back.
  const isInclusive = ({ inclusive }: UsageSample) => inclusive !== undefined && hasTokens(inclusive);
  const first = known.findIndex(isInclusive);
  const samples = known.filter((sample, index) => first < 0 || index < first || isInclusive(sample));
  const hasOwn = samples.some(({ own }) => hasTokens(own));
  const hasChildren = samples.some((sample) => tokenCount(totalOf(sample)) !== tokenCount(sample.own));
  const caption = t('Tokens over time');
  const points = samples.map((sample) => ({
    label: t(
      { one: '{0}: 1 token', other: '{0}: {1} tokens' },
      t.formats.dateTime(sample.at),
      tokenCount(totalOf(sample)),
    ),
    at: sample.at,
    values: [...(hasChildren ? [tokenCount(totalOf(sample))] : []), ...(hasOwn ? [tokenCount(sample.own)] : [])],
  }));
  return {
    kind: 'line',
    caption,
    summary: [caption, points[0]?.label ?? '', points.at(-1)?.label ?? ''].join('. '),
    ticks: ticksOf(
      points.flatMap(({ values }) => values),
      words,
    ),
    // Both ends can be in the same minute.
    times: [
      ...new Set([samples[0], samples.at(-1)].flatMap((sample) => (sample ? t.formats.dateTime(sample.at) : []))),
    ],
    legend: [...(hasChildren ? [t('With child sessions')] : []), ...(hasOwn ? [t('This session')] : [])],
    points,
  };
}

/**
 * Ticks at zero, the middle, and the top. The top is a round number that isn't below the highest value and whose half
 * is also round.
 */
function ticksOf(values: readonly number[], { t }: UsageWords): UsageChart['ticks'] {
  const most = values.reduce((greatest, value) => Math.max(greatest, value), 1);
  const power = 10 ** Math.floor(Math.log10(most));
  const top = Math.max(2, power * ([1, 2, 3, 4, 5, 6, 8].find((step) => step * power >= most) ?? 10));
  return [0, top / 2, top].map((value) => ({ value, label: t.formats.compact(value) }));
}

/** The cost of a turn: tokens and credits, as far as they are reported, and the time that the agent was working. */
function turnCost({ used, activeMs }: UsageTurn, { t }: UsageWords): string {
  return [
    ...(hasTokens(used) ? [t({ one: '1 token', other: '{0} tokens' }, tokenCount(used))] : []),
    ...(used.serviceCredits === undefined ? [] : [t({ one: '1 credit', other: '{0} credits' }, used.serviceCredits)]),
    ...(activeMs === undefined ? [] : [describeDuration(activeMs, t)]),
  ].join(', ');
}
