import type { IncomingMessage } from 'node:http';
import { ScriptedAgent } from '../../src/demoService/agent/scriptedAgent.ts';
import { Router } from '../../src/demoService/http/router.ts';
import { startServer } from '../../src/demoService/http/server.ts';
import { defaultOptions } from '../../src/demoService/options.ts';
import { type SeededSession, SessionStore } from '../../src/demoService/sessionStore.ts';
import { silentLog } from '../../src/shared/log.ts';
import { Endpoints } from '../../src/demoService/http/sessionEndpoints.ts';

/** The demo service with sessions of your own, whose agent never answers: they change only when you change the store. */
export interface SilentService {
  readonly baseUrl: string;
  readonly token: string;
  readonly store: SessionStore;
  /** The number of requests so far. */
  requestCount(): number;
  dispose(): Promise<void>;
}

class CountingRouter extends Router {
  count = 0;

  override answer(request: IncomingMessage): Promise<unknown> {
    this.count += 1;
    return super.answer(request);
  }
}

/** Starts the service on a free port. */
export async function startSilentService(seeds: readonly SeededSession[], token: string): Promise<SilentService> {
  const store = new SessionStore(seeds, Date.now);
  const agent = new ScriptedAgent(store, { stepDelayMs: 3_600_000, seed: 1, failOneIn: 0 });
  const router = new CountingRouter(new Endpoints(store, agent, defaultOptions), defaultOptions.maxBodySizeBytes);
  const { port, latencyMs, now } = defaultOptions;
  const server = await startServer(router, { token, port, latencyMs, now, log: silentLog });
  return {
    baseUrl: `http://127.0.0.1:${server.port}`,
    token,
    store,
    requestCount: () => router.count,
    dispose: async () => {
      agent.dispose();
      await server.dispose();
    },
  };
}
