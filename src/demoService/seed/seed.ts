import { basketTranscript } from './basket.ts';
import { computers } from '../demoComputers.ts';
import type { Message, Session, SessionSettings, SessionStatus, TokenUsage } from '../resources.ts';
import {
  archivedTranscript,
  failedTranscript,
  pendingTranscript,
  runningTranscript,
  testsTranscript,
} from './transcripts.ts';
import { currencyTranscript } from './currency.ts';
import { historyTranscript, type SeedOptions } from './history.ts';
import { loginTranscript } from './login.ts';
import { selectionTranscript } from './selection.ts';
import { unicodeTranscript } from './unicode.ts';
import { addTokenUsage, noTokens, type SeededSession } from '../sessionStore.ts';
import type { Transcript } from './transcript.ts';

/**
 * The IDs of the seeded sessions, by purpose. First comes the session that the demo opens, and last come edge cases.
 * `tests` and `failed` are children of `login`.
 */
export const sessionIdByName = {
  selection: '6c3f9a27-d814-4b65-a0e2-58b1c7f04d93',
  currency: '93be1a7d-c05f-4628-b9e3-2a84d7f6c110',
  running: '7a9d4e08-62c5-4f3b-8e1a-c0d92b7f3a54',
  basket: 'd2c85f61-4e97-4b30-a1d8-7f96e03c5b24',
  history: '5be20d37-94f6-4c1d-a7e8-31c6f09b48d2',
  pending: 'e83a5c16-0b7d-4952-9f04-6d2e81b7a3c9',
  archived: 'b60c93e1-7f24-45da-90c8-1a5d3e7f82b4',
  login: '0f6b1c52-3d1e-4a8b-9c47-5f0b8a2d6e11',
  tests: '29d7f4ab-c653-4e80-8b1f-74a0e95c1d36',
  failed: 'c41e7f90-18ab-4d26-b5f3-9e60d7a1c832',
  unicode: 'a b/ü',
  bare: '418f0ad6-e2b9-4377-86d5-f3c7a92e50b1',
} as const;
export type SeedName = keyof typeof sessionIdByName;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The sessions of a new service. Their times range from minutes to days ago, as in a real session list. */
export function seedSessions(options: SeedOptions): {
  readonly sessionIdByName: typeof sessionIdByName;
  readonly seeds: readonly SeededSession[];
} {
  const { nowMs } = options;
  const seeds = [
    seedOf('selection', "Reject fruits that aren't on sale", selectionTranscript(nowMs - 8 * minuteMs), {
      ...settingsOf({ inputTokens: 12_400, outputTokens: 1_860, cacheReadTokens: 74_000, serviceCredits: 1.4 }),
      tags: [{ name: 'shop', metadata: { color: '#1d76db' } }],
    }),
    seedOf('currency', 'Show prices in two currencies', currencyTranscript(nowMs - 17 * minuteMs), {
      ...settingsOf({ inputTokens: 9_800, outputTokens: 1_120, cacheReadTokens: 54_000, serviceCredits: 1.2 }),
      tags: [{ name: 'shop', metadata: { color: '#1d76db' } }],
    }),
    seedOf('running', 'Migrate the build from webpack to esbuild', runningTranscript(nowMs - 6 * minuteMs), {
      ...settingsOf({ inputTokens: 18_400, outputTokens: 5_210, cacheReadTokens: 402_000, serviceCredits: 6.4 }),
      runInWorktree: true,
      tags: [{ name: 'build', metadata: { color: '#0e8a16' } }],
    }),
    seedOf('basket', 'Make vouchers work in the basket', basketTranscript(nowMs - 95 * minuteMs), {
      ...settingsOf({ inputTokens: 31_200, outputTokens: 8_450, cacheReadTokens: 287_000, serviceCredits: 5.9 }),
      tags: [{ name: 'shop', metadata: { color: '#1d76db' } }],
    }),
    seedHistory(options, {
      ...settingsOf({
        inputTokens: 912_000,
        outputTokens: 388_000,
        cacheReadTokens: 21_400_000,
        serviceCredits: 310.5,
      }),
      compactionThresholdCheckEnabled: true,
    }),
    seedOf('pending', 'Upgrade Node.js on the build machine', pendingTranscript(nowMs - 3 * hourMs), {}),
    seedOf('archived', 'Spike: cache search results in Redis', archivedTranscript(nowMs - 9 * dayMs), {
      ...settingsOf({ inputTokens: 3_100, outputTokens: 880, serviceCredits: 0.6 }),
      archivedAt: new Date(nowMs - 8 * dayMs).toISOString(),
    }),
    seedOf('login', 'Edge cases: all types of content', loginTranscript(nowMs - 9 * hourMs), loginSettings(nowMs)),
    childOf('login', 'tests', 'Write tests for the redirect guard', testsTranscript(nowMs - 530 * minuteMs)),
    childOf('login', 'failed', 'Check the redirect in Safari', failedTranscript(nowMs - 525 * minuteMs)),
    seedOf(
      'unicode',
      'Edge cases: 設定画面の国際化 · إعدادات · 🚀 naïve café',
      unicodeTranscript(nowMs - 26 * hourMs),
      {
        ...settingsOf({ inputTokens: 7_300, outputTokens: 2_950, cacheReadTokens: 61_000, serviceCredits: 1.75 }),
        tags: [{ name: '多言語', metadata: { owner: 'Zoë 👩‍💻' } }, { name: 'i18n' }],
      },
    ),
    bareSession(nowMs - 12 * dayMs),
  ];
  return { sessionIdByName, seeds };
}

function seedHistory(options: SeedOptions, sessionSettings: SessionSettings): SeededSession {
  const title = 'Tidy up the order service, one module at a time';
  const seeded = seedOf('history', title, historyTranscript(options), sessionSettings);
  if (options.historyShape !== 'one-turn') return seeded;
  return { ...seeded, session: { ...seeded.session, status: 'running', completedAt: undefined } };
}

const statusByName: Partial<Record<SeedName, SessionStatus>> = { running: 'running', pending: 'pending' };

function seedOf(
  name: SeedName,
  title: string,
  transcript: Transcript,
  sessionSettings: SessionSettings,
): SeededSession {
  const { messages, endedAtMs } = transcript;
  const status = statusByName[name] ?? 'idle';
  const session: Session = {
    sessionId: sessionIdByName[name],
    title,
    status,
    messageCount: messages.length,
    createdAt: firstTime(messages, endedAtMs),
    updatedAt: endedAtMs,
    ...(status === 'idle' ? { completedAt: endedAtMs } : {}),
    computerId: name === 'pending' ? computers.switchedOff : computers.workstation,
    sessionSettings,
  };
  return { session, messages };
}

function childOf(parent: SeedName, name: SeedName, title: string, transcript: Transcript): SeededSession {
  const seeded = seedOf(name, title, transcript, settingsOf(childUsage));
  return { ...seeded, parentSessionId: sessionIdByName[parent] };
}

/** A session with only the required fields of spec 2.1: no title, no settings, no messages. */
function bareSession(createdAt: number): SeededSession {
  const session: Session = {
    sessionId: sessionIdByName.bare,
    status: 'idle',
    messageCount: 0,
    createdAt,
    updatedAt: createdAt,
  };
  return { session, messages: [] };
}

function firstTime(messages: readonly Message[], fallbackMs: number): number {
  return messages[0]?.createdAt ?? fallbackMs;
}

function settingsOf(usage: Partial<TokenUsage>): SessionSettings {
  const tokenUsage = addTokenUsage(noTokens, usage);
  return { model: 'sonnet-large', tokenUsage, inclusiveTokenUsage: tokenUsage, assistantActiveTimeMs: 184_000 };
}

const childUsage = { inputTokens: 4_120, outputTokens: 1_630, cacheReadTokens: 38_000, serviceCredits: 0.94 };

/** Settings that include every field except `archivedAt`. */
function loginSettings(nowMs: number): SessionSettings {
  const own = { inputTokens: 24_860, outputTokens: 9_140, cacheCreationTokens: 12_300, cacheReadTokens: 318_400 };
  const settings = settingsOf({ ...own, thinkingTokens: 4_480, serviceCredits: 7.31 });
  const child = addTokenUsage(noTokens, childUsage);
  return {
    ...settings,
    specModeModel: 'opus-planner',
    runInWorktree: false,
    providerLockTimestamp: new Date(nowMs - 9 * hourMs).toISOString(),
    assistantActiveTimeMs: 412_500,
    inclusiveTokenUsage: addTokenUsage(addTokenUsage(settings.tokenUsage ?? noTokens, child), child),
    childInclusiveTokenUsageBySessionId: { [sessionIdByName.tests]: child, [sessionIdByName.failed]: child },
    tags: [
      { name: 'bug', metadata: { color: '#d73a4a', priority: 'high' } },
      { name: 'auth', metadata: { area: 'login', reviewers: ['mira', 'jon'] } },
    ],
    enabledToolIds: ['read_file', 'edit_file', 'grep', 'run_tests'],
    disabledToolIds: ['web_search'],
    compactionModel: 'current-model',
    compactionThresholdCheckEnabled: true,
  };
}
