import { setTimeout as wait } from 'node:timers/promises';
import { startDemoService } from '../../src/demoService/service.ts';
import { forwardTo, startFaultServer, type LoggedRequest, type ServiceAnswer } from '../fakes/faultServer.ts';

/** One service with a long conversation of each length. */
export interface BenchService {
  readonly baseUrl: string;
  readonly token: string;
  sessionId(count: number): string;
  /** Adds a message as another client would. */
  post(count: number, text: string): Promise<void>;
  /** When the service had answered with a text, Unix ms; waits until it has. */
  answeredAtMs(text: string): Promise<number>;
  /** How many messages of the conversation were asked for up to now, by pages. */
  pageCount(count: number): number;
  dispose(): Promise<void>;
}

const token = 'the-key-of-the-benchmark';
const sessionIdOf = (count: number): string => `bench-${count}`;

/**
 * The embedded service once for each length, behind one address: each has its long history under the same id, which is
 * renamed on the way. The agent never gets to answer, so that nothing moves but what the benchmark moves.
 */
export async function startBenchService(counts: readonly number[]): Promise<BenchService> {
  const demoServices = new Map<string, Awaited<ReturnType<typeof startDemoService>>>();
  for (const messages of counts) {
    // Oldest first: the first reading then brings all of it.
    const options = { messages, order: 'asc', token, agentDelayMs: 3_600_000, failOneIn: 0 } as const;
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
