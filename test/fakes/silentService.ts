import type { IncomingMessage } from 'node:http';
import { ScriptedAgent } from '../../src/demoService/agent/scriptedAgent.ts';
import { SessionEndpoints, type ServiceHabits } from '../../src/demoService/http/sessionEndpoints.ts';
import { Router } from '../../src/demoService/http/router.ts';
import { startServer } from '../../src/demoService/http/server.ts';
import { defaultOptions } from '../../src/demoService/options.ts';
import { type SeededSession, SessionStore } from '../../src/demoService/sessionStore.ts';
import { silentLog } from '../../src/shared/log.ts';

/**
 * The demo service with the sessions of a test. Its agent never answers, so only requests and changes of `store` change
 * these sessions.
 */
export interface SilentService {
  readonly baseUrl: string;
  readonly token: string;
  readonly store: SessionStore;
  /** The number of requests so far. */
  requestCount(): number;
  /** The paths and queries of all requests, in order. */
  readonly urls: readonly string[];
  dispose(): Promise<void>;
}

class RecordingRouter extends Router {
  readonly urls: string[] = [];

  override answer(request: IncomingMessage): Promise<unknown> {
    this.urls.push(request.url ?? '');
    return super.answer(request);
  }
}

/** Starts the service on a free port. `now` is its clock. */
export async function startSilentService(
  seeds: readonly SeededSession[],
  token: string,
  habits: Partial<ServiceHabits> = {},
  now: () => number = Date.now,
): Promise<SilentService> {
  const options = { ...defaultOptions, ...habits };
  const store = new SessionStore(seeds, now);
  const agent = new ScriptedAgent(store, { stepDelayMs: 3_600_000, seed: 1, failOneIn: 0 });
  const router = new RecordingRouter(new SessionEndpoints(store, agent, options), options.maxBodySizeBytes);
  const { port, latencyMs } = options;
  const server = await startServer(router, { token, port, latencyMs, now, log: silentLog });
  return {
    baseUrl: `http://127.0.0.1:${server.port}`,
    token,
    store,
    requestCount: () => router.urls.length,
    urls: router.urls,
    dispose: async () => {
      agent.dispose();
      await server.dispose();
    },
  };
}
