import { setTimeout as wait } from 'node:timers/promises';
import { startDemoService } from '../../src/demoService/service.ts';
import { forwardTo, startFaultServer, type LoggedRequest, type ServiceAnswer } from '../fakes/faultServer.ts';

/** A service with one conversation for each length. */
export interface BenchService {
  readonly baseUrl: string;
  readonly token: string;
  sessionId(count: number): string;
  /** Matches the last text in the conversation. */
  lastText(count: number): RegExp;
  /** Adds a message as another client would. */
  post(count: number, text: string): Promise<void>;
  /** Waits until a response of the service contains the text. Resolves to the time of that response in Unix ms. */
  answeredAtMs(text: string): Promise<number>;
  /** Number of requests for message pages so far, for the conversation with `count` messages. */
  pageCount(count: number): number;
  dispose(): Promise<void>;
}

const token = 'the-key-of-the-benchmark';
const sessionIdOf = (count: number): string => `bench-${count}`;

/**
 * Starts one demo service per length behind a single address. All of them use the same ID for their conversation, so
 * the ID is replaced in forwarded requests and responses. The agent never responds during a run, so that only the
 * benchmark changes data.
 */
export async function startBenchService(
  counts: readonly number[],
  history: 'turns' | 'one-turn' = 'turns',
): Promise<BenchService> {
  const demoServices = new Map<string, Awaited<ReturnType<typeof startDemoService>>>();
  for (const messages of counts) {
    // List the oldest messages first, so that the first read fetches everything.
    const options = { messages, history, order: 'asc', token, agentDelayMs: 3_600_000, failOneIn: 0 } as const;
    demoServices.set(sessionIdOf(messages), await startDemoService(options));
  }
  const pages = new Map<string, number>();
  const watched = new Map<string, number>();
  const wire = await startFaultServer({
    service: async (request) => {
      const [, id = ''] = /\/sessions\/([^/?]+)/.exec(request.url) ?? [];
      const demoService = demoServices.get(id) ?? [...demoServices.values()][0];
      if (!demoService) throw new Error('There is no service.');
      const answer = await forwardRenamed(demoService.baseUrl, request, id, demoService.sessionIdByName.history);
      if (request.url.includes('/messages')) pages.set(id, (pages.get(id) ?? 0) + 1);
      noteTexts(answer, watched);
      return answer;
    },
  });
  return {
    baseUrl: wire.origin,
    token,
    sessionId: sessionIdOf,
    // Nineteen messages of a long turn have one text.
    lastText: (count) =>
      new RegExp(history === 'turns' ? `Turn ${Math.ceil(count / 5)}\\b` : `Part ${Math.ceil((count - 2) / 19)}:`),
    post: async (count, text) => {
      const demoService = demoServices.get(sessionIdOf(count));
      if (!demoService) throw new Error(`There is no conversation of ${count} messages.`);
      const address = `${demoService.baseUrl}/api/v0/sessions/${demoService.sessionIdByName.history}/messages`;
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      watched.set(text, 0);
      const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ text }) });
      if (!answer.ok) throw new Error(`The service answered with ${answer.status}.`);
    },
    answeredAtMs: async (text) => {
      for (;;) {
        const atMs = watched.get(text) ?? 0;
        if (atMs > 0) return atMs;
        await wait(5);
      }
    },
    pageCount: (count) => pages.get(sessionIdOf(count)) ?? 0,
    dispose: async () => {
      await wire.dispose();
      for (const demoService of demoServices.values()) await demoService.dispose();
    },
  };
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

function noteTexts(answer: ServiceAnswer, watched: Map<string, number>): void {
  const waiting = [...watched].filter(([, atMs]) => atMs === 0);
  if (waiting.length === 0) return;
  const body = Buffer.from(answer.body).toString('utf8');
  for (const [text] of waiting) if (body.includes(text)) watched.set(text, Date.now());
}
