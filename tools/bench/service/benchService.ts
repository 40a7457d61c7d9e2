import { setTimeout as wait } from 'node:timers/promises';
import { startDemoService } from '../../../src/demoService/service.ts';
import {
  forwardTo,
  startFaultServer,
  type LoggedRequest,
  type ServiceAnswer,
} from '../../../test/fakes/faultServer.ts';

/** A conversation that is opened and measured. */
export interface BenchConversation {
  /** The title of its column. */
  readonly title: string;
  readonly sessionId: string;
  /** Matches a text in the last message; undefined if there are no messages. */
  readonly lastText: RegExp | undefined;
  /** The number of comments in its draft. */
  readonly commentCount: number;
  /** Adds a message as another client would. */
  post(text: string): Promise<void>;
}

/** A service with the conversations of a benchmark. */
export interface BenchService {
  readonly baseUrl: string;
  readonly token: string;
  readonly conversations: readonly BenchConversation[];
  /** Waits until a response from the service contains the text of a new message. Resolves to the time in Unix ms. */
  answeredAtMs(text: string): Promise<number>;
  dispose(): Promise<void>;
}

const token = 'the-key-of-the-benchmark';

/** The length of a conversation, in messages, and the number of comments in its draft. */
interface ConversationSize {
  readonly count: number;
  readonly commentCount: number;
}

interface BenchServiceOptions {
  readonly history?: 'turns' | 'one-turn';
  /** `asc`, the default, lists the oldest messages first, so that the first read fetches everything. */
  readonly order?: 'asc' | 'desc';
  /** The number of comments in the draft of a second conversation with the longest length; 0 for none. */
  readonly commentCount?: number;
}

const sessionIdOf = ({ count, commentCount }: ConversationSize): string => `bench-${count}-${commentCount}`;

/**
 * Starts one demo service per conversation behind a single address. With `commentCount`, the longest conversation is
 * added a second time, for a draft with comments. All demo services use the same ID for their conversation, so the ID
 * is replaced in forwarded requests and responses. The agent never responds during a run, so that only the benchmark
 * changes data.
 */
export async function startBenchService(
  counts: readonly number[],
  { history = 'turns', order = 'asc', commentCount = 0 }: BenchServiceOptions = {},
): Promise<BenchService> {
  const sizes = counts.map((count): ConversationSize => ({ count, commentCount: 0 }));
  if (commentCount > 0) sizes.push({ count: Math.max(...counts), commentCount });
  const demoServices = new Map<string, Awaited<ReturnType<typeof startDemoService>>>();
  for (const size of sizes) {
    const options = { history, order, token, agentDelayMs: 3_600_000, failOneIn: 0 } as const;
    demoServices.set(sessionIdOf(size), await startDemoService({ messages: size.count, ...options }));
  }
  const answers = new AnswerTimes();
  const wire = await startFaultServer({
    service: async (request) => {
      const [, id = ''] = /\/sessions\/([^/?]+)/.exec(request.url) ?? [];
      const demoService = demoServices.get(id) ?? [...demoServices.values()][0];
      if (!demoService) throw new Error('There is no service.');
      return answers.note(await forwardRenamed(demoService.baseUrl, request, id, demoService.sessionIdByName.history));
    },
  });
  const post = async (id: string, text: string) => {
    const demoService = demoServices.get(id);
    if (!demoService) throw new Error(`There is no conversation ${id}.`);
    const address = `${demoService.baseUrl}/api/v0/sessions/${demoService.sessionIdByName.history}/messages`;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    answers.expect(text);
    const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ text }) });
    if (!answer.ok) throw new Error(`The service answered with ${answer.status}.`);
  };
  return {
    baseUrl: wire.origin,
    token,
    conversations: sizes.map((size) => ({
      title: titleOf(size),
      sessionId: sessionIdOf(size),
      lastText: size.count === 0 ? undefined : lastTextOf(size.count, history),
      commentCount: size.commentCount,
      post: (text) => post(sessionIdOf(size), text),
    })),
    answeredAtMs: (text) => answers.of(text),
    dispose: async () => {
      await wire.dispose();
      for (const demoService of demoServices.values()) await demoService.dispose();
    },
  };
}

function titleOf({ count, commentCount }: ConversationSize): string {
  const messages = count === 0 ? '1' : count.toLocaleString('en');
  return commentCount === 0 ? messages : `${messages} with ${commentCount} comments`;
}

function lastTextOf(count: number, history: 'turns' | 'one-turn'): RegExp {
  // In a long turn, one of 19 messages is a text such as "Part 3: ..."; the others are calls and results.
  return new RegExp(history === 'turns' ? `Turn ${Math.ceil(count / 5)}\\b` : `Part ${Math.ceil((count - 2) / 19)}:`);
}

async function forwardRenamed(
  baseUrl: string,
  request: LoggedRequest,
  outerId: string,
  innerId: string,
): Promise<ServiceAnswer> {
  const url = request.url.replace(outerId, innerId);
  const answer = await forwardTo(baseUrl)({ ...request, url });
  const body = Buffer.from(answer.body).toString('utf8').replaceAll(innerId, outerId);
  const headers = Object.entries(answer.headers).filter(([name]) => !/^content-(length|encoding)$/.test(name));
  return { ...answer, headers: Object.fromEntries(headers), body: Buffer.from(body) };
}

/** The times at which new messages were first in a response from the service. */
export class AnswerTimes {
  readonly #atMsByText = new Map<string, number>();

  /** Call this before a message with this text is added. */
  expect(text: string): void {
    this.#atMsByText.set(text, 0);
  }

  /** Records the time at which a response first contains a text passed to {@link expect}. Returns the response. */
  note(answer: ServiceAnswer): ServiceAnswer {
    const waiting = [...this.#atMsByText].filter(([, atMs]) => atMs === 0);
    if (waiting.length === 0) return answer;
    const body = Buffer.from(answer.body).toString('utf8');
    for (const [text] of waiting) if (body.includes(text)) this.#atMsByText.set(text, Date.now());
    return answer;
  }

  /** Waits until a text has been in a response. Resolves to the time of that response in Unix ms. */
  async of(text: string): Promise<number> {
    for (;;) {
      const atMs = this.#atMsByText.get(text) ?? 0;
      if (atMs > 0) return atMs;
      await wait(5);
    }
  }
}
