import { type SessionsClientOptions, createSessionsClient } from '../../../src/api/client.ts';
import { createDirectTransport } from '../../../src/api/transport/directTransport.ts';
import { createEditorTransport } from '../../../src/api/transport/editorTransport.ts';
import { ApiError } from '../../../src/api/errors.ts';
import type { SessionsApi } from '../../../src/api/sessionsApi.ts';
import type { Transport } from '../../../src/api/http/transport.ts';
import {
  type FaultRule,
  type FaultServer,
  type FaultServerOptions,
  type ServiceBehind,
  jsonAnswer,
  startFaultServer,
} from '../../fakes/faultServer.ts';

/** Both network routes, for `describe.each`. */
export const routes: readonly { route: string; open: (origin: string) => Transport }[] = [
  { route: 'direct', open: createDirectTransport },
  { route: 'editor', open: () => createEditorTransport() },
];

export const testKey = 'sk-canary-5f2c9e';

export const sessionJson = {
  sessionId: 's1',
  status: 'idle',
  messageCount: 2,
  createdAt: 1_700_000_000_000,
  updatedAt: 1_700_000_001_000,
};
export const messageJson = {
  id: 'm1',
  role: 'user',
  content: [{ type: 'text', text: 'Hello' }],
  createdAt: 1_700_000_000_000,
  updatedAt: 1_700_000_000_000,
};
export const pageJson = { messages: [messageJson], pagination: { hasMore: false } };

/** Responds to each operation with a valid response. */
export const wellBehaved: ServiceBehind = ({ method, url }) => {
  if (method === 'POST') return jsonAnswer({ messageId: 'm2', status: 'pending' });
  if (/\/messages(\?|$)/.test(url)) return jsonAnswer(pageJson);
  return jsonAnswer(url.includes('/messages/') ? messageJson : sessionJson);
};

export interface Rig {
  readonly server: FaultServer;
  readonly api: SessionsApi;
  readonly transport: Transport;
  dispose(): Promise<void>;
}

/**
 * Starts a fault server in front of `wellBehaved` or another service, and a client that connects to it over the given
 * route.
 */
export async function startRig(
  open: (origin: string) => Transport,
  faults: readonly FaultRule[] = [],
  options: Partial<SessionsClientOptions> & Partial<Pick<FaultServerOptions, 'service' | 'tls'>> = {},
): Promise<Rig> {
  const { service = wellBehaved, tls, ...clientOptions } = options;
  const server = await startFaultServer({ service, faults, ...(tls && { tls }) });
  const transport = open(server.origin);
  const api = createSessionsClient({ baseUrl: server.origin, key: () => testKey, transport, ...clientOptions });
  return {
    server,
    api,
    transport,
    async dispose() {
      api.dispose();
      await server.dispose();
    },
  };
}

/** Returns the ApiError that a call rejects with. Throws on any other outcome. */
export async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  try {
    const value = await call;
    throw new Error(`It succeeded: ${JSON.stringify(value)}`);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
