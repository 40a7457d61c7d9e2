import { parseArgs } from 'node:util';
import { defined } from '../shared/defined.ts';
import type { Log } from '../shared/log.ts';
import type { ServiceHabits } from './http/sessionEndpoints.ts';
import type { HistoryShape } from './seed/history.ts';
import type { SeedName } from './seed/seed.ts';

/** The options of a demo service. Every option has a default. */
export interface DemoServiceOptions extends ServiceHabits {
  /** The port to listen on; 0 selects any free port. */
  readonly port: number;
  /** The API key that clients must send. Default: 32 random bytes in hex. */
  readonly token: string;
  /** The number of messages in the session with the long history. */
  readonly messages: number;
  /** The turns of the session with the long history: many completed ones, or a running one with many tool calls. */
  readonly history: HistoryShape;
  /** The delay of every response in ms. */
  readonly latencyMs: number;
  /** The delay in ms between two steps of the agent. An answer takes about 20 steps. */
  readonly agentDelayMs: number;
  /** About one in `failOneIn` answers fails, but never the first one of a session. 0 disables these failures. */
  readonly failOneIn: number;
  /** The maximum size of a request body. Larger bodies are rejected with status 413. */
  readonly maxBodySizeBytes: number;
  /** The same seed produces the same sessions and answers. */
  readonly seed: number;
  /** Returns the current time in Unix ms, for all timestamps and the Date header. */
  readonly now: () => number;
  readonly log: Log;
}

/** A running service. */
export interface DemoService {
  /** The base URL, without a trailing slash. */
  readonly baseUrl: string;
  readonly token: string;
  /** The IDs of the seeded sessions without their child sessions: the main one first, and edge cases last. */
  readonly sessionIds: readonly string[];
  /** The IDs of the seeded sessions, by purpose. */
  readonly sessionIdByName: Readonly<Record<SeedName, string>>;
  /** Stops the agent and the server. Resolves when all timers are stopped and all connections are closed. */
  dispose(): Promise<void>;
}

/** The defaults of all options except the token and the log. */
export const defaultOptions: Omit<DemoServiceOptions, 'token' | 'log'> = {
  port: 0,
  messages: 240,
  history: 'turns',
  order: 'desc',
  patch: 'merge',
  lastCursor: 'null',
  listRoles: true,
  imageMediaType: 'rejected',
  listLagMs: 0,
  latencyMs: 0,
  agentDelayMs: 250,
  failOneIn: 12,
  maxBodySizeBytes: 64 * 1024 * 1024,
  seed: 1,
  now: Date.now,
};

/** A parsed command line. */
type CommandLine =
  | { readonly kind: 'help' }
  | { readonly kind: 'start'; readonly options: Partial<DemoServiceOptions> }
  | { readonly kind: 'invalid'; readonly reason: string };

export const helpText = `Runs a demo of the Sessions API on 127.0.0.1, with sample sessions and a scripted agent.

  --port N             port to listen on (default: any free port)
  --token T            API key that clients must send (default: random)
  --messages N         number of messages in the long session (default: ${defaultOptions.messages})
  --history turns|one-turn
                       completed turns in the long session, or one running turn with many tool calls (default: ${defaultOptions.history})
  --order asc|desc     list the oldest or the newest messages first (default: ${defaultOptions.order})
  --patch merge|replace
                       keep or remove settings that an update omits (default: ${defaultOptions.patch})
  --last-cursor null|absent|empty|repeat
                       value of nextCursor on the last page (default: ${defaultOptions.lastCursor})
  --list-roles yes|no  include the role in listed messages (default: yes)
  --image-media-type rejected|required
                       treatment of the field mediaType in images (default: ${defaultOptions.imageMediaType})
  --list-lag-ms N      list a message only N ms after it was created (default: ${defaultOptions.listLagMs})
  --latency-ms N       delay of every response in ms (default: ${defaultOptions.latencyMs})
  --agent-delay-ms N   delay between two steps of the agent in ms (default: ${defaultOptions.agentDelayMs})
  --fail-one-in N      make about one in N answers fail; 0 to disable (default: ${defaultOptions.failOneIn})
  --max-body-mb N      maximum size of a request body in MB (default: ${defaultOptions.maxBodySizeBytes / 2 ** 20})
  --seed N             seed of the generated sessions and answers (default: ${defaultOptions.seed})
  --help               show this help

Prints one line of JSON with baseUrl, token, and sessionIds, and runs until it is interrupted.
`;

const optionNames = [
  'port',
  'token',
  'messages',
  'history',
  'order',
  'patch',
  'last-cursor',
  'list-roles',
  'image-media-type',
  'list-lag-ms',
  'latency-ms',
  'agent-delay-ms',
  'fail-one-in',
  'max-body-mb',
  'seed',
] as const;
type OptionName = (typeof optionNames)[number];

/** Parses the arguments after the program name. Never throws; an error is returned as a sentence that explains it. */
export function readCommandLine(args: readonly string[]): CommandLine {
  try {
    const values = parse(args);
    return values.has('help') ? { kind: 'help' } : { kind: 'start', options: optionsFrom(values) };
  } catch (error) {
    const [sentence = ''] = String(error instanceof Error ? error.message : error).split('. ', 1);
    return { kind: 'invalid', reason: sentence.endsWith('.') ? sentence : `${sentence}.` };
  }
}

function parse(args: readonly string[]): ReadonlyMap<string, string> {
  const named = Object.fromEntries(optionNames.map((name) => [name, { type: 'string' } as const]));
  const { values } = parseArgs({ args: [...args], options: { ...named, help: { type: 'boolean' } } });
  return new Map(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

function optionsFrom(values: ReadonlyMap<string, string>): Partial<DemoServiceOptions> {
  const number = (name: OptionName, fallback: number, max: number) =>
    wholeNumber(name, values.get(name), fallback, max);
  const choice = <T extends string>(name: OptionName, choices: readonly T[], fallback: T) =>
    oneOf(name, values.get(name), choices, fallback);
  const token = values.get('token');
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new Error('--token must consist of visible ASCII characters without spaces');
  }
  return {
    ...defined({ token }),
    port: number('port', defaultOptions.port, 65_535),
    messages: number('messages', defaultOptions.messages, 1_000_000),
    history: choice('history', ['turns', 'one-turn'], defaultOptions.history),
    order: choice('order', ['asc', 'desc'], defaultOptions.order),
    patch: choice('patch', ['merge', 'replace'], defaultOptions.patch),
    lastCursor: choice('last-cursor', ['null', 'absent', 'empty', 'repeat'], defaultOptions.lastCursor),
    listRoles: choice('list-roles', ['yes', 'no'], 'yes') === 'yes',
    imageMediaType: choice('image-media-type', ['rejected', 'required'], defaultOptions.imageMediaType),
    listLagMs: number('list-lag-ms', defaultOptions.listLagMs, 600_000),
    latencyMs: number('latency-ms', defaultOptions.latencyMs, 600_000),
    agentDelayMs: number('agent-delay-ms', defaultOptions.agentDelayMs, 600_000),
    failOneIn: number('fail-one-in', defaultOptions.failOneIn, 1_000_000),
    maxBodySizeBytes: number('max-body-mb', defaultOptions.maxBodySizeBytes / 2 ** 20, 1024) * 2 ** 20,
    seed: number('seed', defaultOptions.seed, 2 ** 32 - 1),
  };
}

function wholeNumber(name: OptionName, value: string | undefined, fallback: number, max: number): number {
  if (value === undefined) return fallback;
  if (/^\d{1,10}$/.test(value) && Number(value) <= max) return Number(value);
  throw new Error(`--${name} must be an integer from 0 to ${max}, not "${value}"`);
}

function oneOf<T extends string>(name: OptionName, value: string | undefined, choices: readonly T[], fallback: T): T {
  if (value === undefined) return fallback;
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  throw new Error(`--${name} must be ${choices.join(' or ')}, not "${value}"`);
}
