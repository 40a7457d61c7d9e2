import { parseArgs } from 'node:util';
import type { Log } from '../shared/log.ts';
import type { ServiceHabits } from './http/endpoints.ts';
import type { SeedName } from './seed/seed.ts';

/** How an embedded service is started; every option has a default. */
export interface DemoServiceOptions extends ServiceHabits {
  /** 0 for any free port. */
  readonly port: number;
  /** The key clients must send; 32 random bytes in hex unless given. */
  readonly token: string;
  /** How many messages the session with the long history begins with. */
  readonly messages: number;
  /** How long every answer is held back. */
  readonly latencyMs: number;
  /** Time between two steps of the agent; an answer takes about twenty of them. */
  readonly agentDelayMs: number;
  /** About one answer in so many fails by itself, never a session's first; 0 for none. */
  readonly failOneIn: number;
  /** Bodies above this are refused with 413. */
  readonly maxBodySizeBytes: number;
  /** The same seed gives the same sessions and the same answers. */
  readonly seed: number;
  /** The clock, in Unix milliseconds, of all timestamps and of the Date header. */
  readonly now: () => number;
  readonly log: Log;
}

/** A service that is listening. */
export interface DemoService {
  /** Where it listens, without a slash at the end. */
  readonly baseUrl: string;
  readonly token: string;
  /** The sessions it begins with, the most telling first. */
  readonly sessionIds: readonly string[];
  /** The same sessions by what they are there to show. */
  readonly sessionIdByName: Readonly<Record<SeedName, string>>;
  /** Stops agent and server; resolves when no timer and no connection is left. */
  dispose(): Promise<void>;
}

/** The default of every option but the token and the log. */
export const defaultOptions: Omit<DemoServiceOptions, 'token' | 'log'> = {
  port: 0,
  messages: 240,
  order: 'desc',
  patch: 'merge',
  lastCursor: 'null',
  listRoles: true,
  latencyMs: 0,
  agentDelayMs: 250,
  failOneIn: 12,
  maxBodySizeBytes: 64 * 1024 * 1024,
  seed: 1,
  now: Date.now,
};

/** What a command line asks for. */
export type CommandLine =
  | { readonly kind: 'help' }
  | { readonly kind: 'start'; readonly options: Partial<DemoServiceOptions> }
  | { readonly kind: 'refused'; readonly reason: string };

export const helpText = `Runs the embedded Sessions API service on 127.0.0.1, with its own sessions and a scripted agent.

  --port N             port to listen on (default: any free port)
  --token T            key that clients must send (default: random)
  --messages N         length of the long history (default: ${defaultOptions.messages})
  --order asc|desc     lists begin with the oldest or the newest message (default: ${defaultOptions.order})
  --patch merge|replace
                       what an update does with settings it does not name (default: ${defaultOptions.patch})
  --last-cursor null|absent|empty|repeat
                       nextCursor of the last page (default: ${defaultOptions.lastCursor})
  --list-roles yes|no  whether listed messages carry their role (default: yes)
  --latency-ms N       time every answer is held back (default: ${defaultOptions.latencyMs})
  --agent-delay-ms N   time between two steps of the agent (default: ${defaultOptions.agentDelayMs})
  --fail-one-in N      about one answer in N fails, 0 for none (default: ${defaultOptions.failOneIn})
  --max-body-mb N      larger requests are refused (default: ${defaultOptions.maxBodySizeBytes / 2 ** 20})
  --seed N             the same seed gives the same sessions and answers (default: ${defaultOptions.seed})
  --help               show this text

It prints one line of JSON with baseUrl, token and sessionIds, and runs until it is interrupted.
`;

const optionNames = [
  'port',
  'token',
  'messages',
  'order',
  'patch',
  'last-cursor',
  'list-roles',
  'latency-ms',
  'agent-delay-ms',
  'fail-one-in',
  'max-body-mb',
  'seed',
] as const;
type OptionName = (typeof optionNames)[number];

/** Reads the arguments after the program's name. Never throws: what is wrong is told in one sentence. */
export function readCommandLine(args: readonly string[]): CommandLine {
  try {
    const values = parse(args);
    return values.has('help') ? { kind: 'help' } : { kind: 'start', options: optionsFrom(values) };
  } catch (error) {
    const [sentence = ''] = String(error instanceof Error ? error.message : error).split('. ', 1);
    return { kind: 'refused', reason: sentence.endsWith('.') ? sentence : `${sentence}.` };
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
    throw new Error('--token must be made of visible ASCII characters without spaces');
  }
  return {
    ...(token === undefined ? {} : { token }),
    port: number('port', defaultOptions.port, 65_535),
    messages: number('messages', defaultOptions.messages, 1_000_000),
    order: choice('order', ['asc', 'desc'], defaultOptions.order),
    patch: choice('patch', ['merge', 'replace'], defaultOptions.patch),
    lastCursor: choice('last-cursor', ['null', 'absent', 'empty', 'repeat'], defaultOptions.lastCursor),
    listRoles: choice('list-roles', ['yes', 'no'], 'yes') === 'yes',
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
  throw new Error(`--${name} must be a whole number from 0 to ${max}, not "${value}"`);
}

function oneOf<T extends string>(name: OptionName, value: string | undefined, choices: readonly T[], fallback: T): T {
  if (value === undefined) return fallback;
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  throw new Error(`--${name} must be ${choices.join(' or ')}, not "${value}"`);
}
