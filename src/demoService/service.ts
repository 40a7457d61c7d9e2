import { randomBytes } from 'node:crypto';
import { ScriptedAgent } from './agent/scriptedAgent.ts';
import { SessionEndpoints } from './http/sessionEndpoints.ts';
import { silentLog } from '../shared/log.ts';
import { runAsProgram } from './program.ts';
import { Router } from './http/router.ts';
import { defaultOptions, type DemoService, type DemoServiceOptions } from './options.ts';
import { seedSessions } from './seed/seed.ts';
import { startServer } from './http/server.ts';
import { SessionStore } from './sessionStore.ts';

/**
 * Starts a Sessions API service on 127.0.0.1, with sample sessions and a scripted agent. Resolves when it is listening.
 *
 * @throws the system's error if the port isn't available.
 */
export async function startDemoService(options: Partial<DemoServiceOptions> = {}): Promise<DemoService> {
  const settings = { ...defaultOptions, ...options };
  const { now, seed } = settings;
  const token = options.token ?? randomBytes(32).toString('hex');
  const { messages: historyMessages, history: historyShape } = settings;
  const { sessionIdByName, seeds } = seedSessions({ nowMs: now(), seed, historyMessages, historyShape });
  const store = new SessionStore(seeds, now);
  const agent = new ScriptedAgent(store, { stepDelayMs: settings.agentDelayMs, seed, failOneIn: settings.failOneIn });
  const router = new Router(new SessionEndpoints(store, agent, settings), settings.maxBodySizeBytes);
  const log = options.log ?? silentLog;
  const server = await startServer(router, { token, port: settings.port, latencyMs: settings.latencyMs, now, log });
  resumeSessions(store, agent, Object.values(sessionIdByName));
  return {
    baseUrl: `http://127.0.0.1:${server.port}`,
    token,
    sessionIds: seeds.flatMap(({ session, parentSessionId }) => (parentSessionId ? [] : [session.sessionId])),
    sessionIdByName,
    dispose() {
      agent.dispose();
      return server.dispose();
    },
  };
}

/** Lets the agent continue the sessions that were seeded as running, and queue the message of the pending one. */
function resumeSessions(store: SessionStore, agent: ScriptedAgent, sessionIds: readonly string[]): void {
  for (const sessionId of sessionIds) {
    const last = store.messages(sessionId).at(-1);
    const session = store.session(sessionId);
    if (last && session?.status === 'running') agent.resume(sessionId, last);
    if (last && session?.status === 'pending') agent.submit(sessionId, last, session.computerId);
  }
}

// This file is both a module and a program. To determine how it was started, it checks the name of the started script,
// because the built file is CommonJS and the source is an ES module: neither require.main nor import.meta.main exists
// in both.
if (/[\\/]demoService(\.js|[\\/]service\.ts)?$/.test(process.argv[1] ?? '')) {
  void runAsProgram(process.argv.slice(2), startDemoService);
}
