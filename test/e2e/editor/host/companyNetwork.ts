import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createSessionsClient } from '../../../../src/api/client.ts';
import { WorkingRoutes, openRoute } from '../../../../src/api/transport/workingRoutes.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import type { HostTests } from '../../../../tools/editor/drive/hostTests.ts';
import { startConnectProxy } from '../../../fakes/connectProxy.ts';
import { jsonAnswer, startFaultServer } from '../../../fakes/faultServer.ts';

const sessionJson = { sessionId: 's1', status: 'idle', messageCount: 0, createdAt: 1, updatedAt: 1 };

/**
 * R42, with the `fetch`, the TLS module, and the threads of a real extension host. The system's certificate store
 * contains the authority of the fixtures. In the second test, VS Code also uses a proxy.
 */
export const tests: HostTests = {
  "the authorities in the system's store are trusted on the direct route": async () => {
    const server = await startService();
    const api = clientOf('direct', server.origin);
    try {
      await api.getSession('s1');
      assert.equal(server.connectionCount, 2);
    } finally {
      api.dispose();
      await server.dispose();
    }
  },
  'a service behind a proxy is reached by default, as with the fetch of another extension': async () => {
    const server = await startService();
    const proxy = await startConnectProxy({ targetPort: Number(new URL(server.origin).port) });
    const setting = vscode.workspace.getConfiguration('http');
    await setting.update('proxy', `http://127.0.0.1:${proxy.port}`, vscode.ConfigurationTarget.Global);
    const origin = 'https://inside.lineside.test';
    // Lineside chooses the route `auto` if neither a setting nor an environment variable names a proxy. That route
    // tries a direct connection first.
    const api = clientOf('auto', origin);
    try {
      assert.equal((await fetch(`${origin}/api/v0/sessions/s1`)).status, 200);
      await api.getSession('s1');
      assert.deepEqual(new Set(proxy.tunnels), new Set(['inside.lineside.test:443']));
      assert.equal(server.requests.length, 2);
    } finally {
      api.dispose();
      await setting.update('proxy', undefined, vscode.ConfigurationTarget.Global);
      await proxy.dispose();
      await server.dispose();
    }
  },
};

function startService() {
  const read = (name: string) => readFileSync(join(process.env['TLS_FIXTURES'] ?? '', `${name}.pem`), 'utf8');
  const tls = { key: read('valid.key'), cert: read('valid.cert') };
  return startFaultServer({ service: () => jsonAnswer(sessionJson), tls });
}

function clientOf(route: 'auto' | 'direct', origin: string) {
  const transport = openRoute(route, origin, new WorkingRoutes(silentLog));
  return createSessionsClient({ baseUrl: origin, key: () => 'k', transport });
}
