import { type AddressInfo, type Server, createServer } from 'node:net';
import type * as Os from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSessionsClient } from '../../../../src/api/client.ts';
import { ApiError } from '../../../../src/api/errors.ts';
import { type Route, WorkingRoutes, chooseRoute, openRoute } from '../../../../src/api/transport/workingRoutes.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { failureOf, sessionJson, startRig } from '../rig.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const end of ends.splice(0).reverse()) await end();
});

/** A firewall, which accepts connections and closes them before a TLS handshake. There is no service behind it. */
async function startFirewall() {
  const state = { connectionCount: 0 };
  const server: Server = createServer((socket) => {
    state.connectionCount++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  ends.push(() => new Promise((resolve) => server.close(resolve)));
  return { state, origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Replaces the editor's `fetch`, as VS Code does. `answer` is called for each request. */
function stubFetch(answer: () => Response | Error) {
  const calls: string[] = [];
  vi.stubGlobal('fetch', (url: URL, init: RequestInit) => {
    calls.push(`${init.method} ${url.pathname}`);
    const result = answer();
    return result instanceof Error
      ? Promise.reject(new TypeError('fetch failed', { cause: result }))
      : Promise.resolve(result);
  });
  return calls;
}

const jsonResponse = (value: unknown) => () =>
  new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } });
async function* oneByte() {
  yield await Promise.resolve(new Uint8Array(1));
}
const sessionResponse = jsonResponse(sessionJson);
const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

/** A client over a route, on a network whose name the test controls. */
function openClient(origin: string, route: Route = 'auto') {
  const lines: string[] = [];
  const network = { name: 'office' };
  const log = { ...silentLog, info: (line: string) => void lines.push(line) };
  const transport = openRoute(route, origin, new WorkingRoutes(log, () => network.name));
  const api = createSessionsClient({ baseUrl: origin, key: () => 'k', transport });
  ends.push(() => api.dispose());
  return { api, lines, network };
}

vi.mock('node:os', async (original) => {
  const os = await original<typeof Os>();
  const networkInterfaces: typeof os.networkInterfaces = () => {
    if (interfaces.areHidden) throw new Error('ERR_SYSTEM_ERROR');
    return interfaces.shown ?? os.networkInterfaces();
  };
  return { ...os, networkInterfaces };
});
const interfaces = vi.hoisted(
  (): { areHidden: boolean; shown?: NodeJS.Dict<Os.NetworkInterfaceInfo[]> | undefined } => ({
    areHidden: false,
  }),
);

it('works if the system does not allow reading the addresses of the computer', () => {
  interfaces.areHidden = true;
  ends.push(() => (interfaces.areHidden = false));
  expect(new WorkingRoutes(silentLog).first('https://service.test')).toBe('direct');
});

it('treats other addresses of the computer as another network, but not another order or local ones', () => {
  const address = (cidr: string, mac = '00:00:5e:00:53:01', internal = false): Os.NetworkInterfaceInfo => ({
    address: cidr,
    netmask: '255.255.255.0',
    family: 'IPv4',
    mac,
    internal,
    cidr,
  });
  ends.push(() => (interfaces.shown = undefined));
  const origin = 'https://service.test';
  const failure = new ApiError('unreachable', 'unreachable', { sent: 'no' });
  const [lan, vpn] = [address('192.0.2.2/24'), address('198.51.100.2/24', '00:00:5e:00:53:02')];
  const isSameNetwork = (shown: NodeJS.Dict<Os.NetworkInterfaceInfo[]>) => {
    interfaces.shown = { a: [lan], b: [vpn] };
    const working = new WorkingRoutes(silentLog);
    working.keep(origin, 'editor', failure);
    interfaces.shown = shown;
    return working.first(origin) === 'editor';
  };
  const loopback = address('127.0.0.1/8', '00:00:00:00:00:00', true);
  expect(isSameNetwork({ b: [vpn], lo: [loopback], none: undefined, a: [lan] })).toBe(true);
  expect(isSameNetwork({ a: [lan] })).toBe(false);
  expect(isSameNetwork({ a: [lan], b: [{ ...vpn, cidr: '198.51.100.3/24' }] })).toBe(false);
  expect(isSameNetwork({ a: [lan], b: [{ ...vpn, mac: lan.mac }] })).toBe(false);
});

it.each(['auto', 'direct', 'editor', 'proxy'] as const)(
  'the route %s sends nothing after it is disposed',
  async (route) => {
    const { origin, state } = await startFirewall();
    const calls = stubFetch(sessionResponse);
    const working = new WorkingRoutes(silentLog, () => 'office');
    for (const first of ['direct', 'editor'] as const) {
      working.keep(origin, first, new ApiError('unreachable', 'unreachable', { sent: 'no' }));
      const transport = openRoute(route, origin, working);
      transport.dispose();
      const { signal } = new AbortController();
      const call = transport.send({
        method: 'GET',
        url: new URL('/x', origin),
        headers: {},
        signal,
        maxResponseBytes: 9,
      });
      expect(await failureOf(call)).toMatchObject({ kind: 'cancelled', sent: 'no' });
    }
    expect([calls, state.connectionCount]).toEqual([[], 0]);
  },
);

describe('the automatic route', () => {
  it("sends through the editor if the direct route can't connect, and reports it once in the log (R42)", async () => {
    const { origin } = await startFirewall();
    const calls = stubFetch(sessionResponse);
    const { api, lines } = openClient(origin);
    await api.getSession('s1');
    await api.getSession('s2');
    expect(calls).toEqual(['GET /api/v0/sessions/s1', 'GET /api/v0/sessions/s2']);
    expect(lines).toEqual([
      `network: requests to ${origin} are sent through VS Code from now on: unreachable (ECONNRESET)`,
    ]);
  });

  it('remembers the route that works until the network changes', async () => {
    const { origin, state } = await startFirewall();
    stubFetch(sessionResponse);
    const { api, network } = openClient(origin);
    await api.getSession('s1');
    await api.getSession('s2');
    expect(state.connectionCount).toBe(1);
    network.name = 'home';
    await api.getSession('s3');
    await api.getSession('s4');
    expect(state.connectionCount).toBe(2);
  });

  it('tries the direct route again when the remembered one fails, and then stays with it', async () => {
    const firewall = await startFirewall();
    const rig = await startRig((origin) => openRoute('direct', origin, new WorkingRoutes(silentLog)));
    ends.push(() => rig.dispose());
    const working = new WorkingRoutes(silentLog, () => 'office');
    working.keep(
      rig.server.origin,
      'editor',
      await failureOf(openClient(firewall.origin, 'direct').api.getSession('s')),
    );
    const api = createSessionsClient({
      baseUrl: rig.server.origin,
      key: () => 'k',
      transport: openRoute('auto', rig.server.origin, working),
    });
    ends.push(() => api.dispose());
    const calls = stubFetch(() => coded('ENOTFOUND', { hostname: 'proxy.test' }));
    await api.getSession('s1');
    await api.getSession('s2');
    expect(calls).toEqual(['GET /api/v0/sessions/s1']);
    expect(rig.server.requests).toHaveLength(2);
  });

  it.each(['resetEarly', 'reset', 'hang'] as const)(
    'never sends a message again that may have been handed over (%s, R31)',
    async (kind) => {
      const fault = kind === 'resetEarly' ? { kind } : ({ kind, when: 'after' } as const);
      const rig = await startRig(
        (origin) => openRoute('auto', origin, new WorkingRoutes(silentLog)),
        [{ method: 'POST', fault }],
        { deadlines: { writeMs: 5_000 } },
      );
      ends.push(() => rig.dispose());
      const calls = stubFetch(jsonResponse({ messageId: 'm2', status: 'pending' }));
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const failure = failureOf(rig.api.addMessage('s1', { text: 'Hello' }));
      if (kind === 'hang') {
        await expect.poll(() => rig.server.requests).toHaveLength(1);
        vi.advanceTimersByTime(5_000);
      }
      expect(await failure).toMatchObject({ sent: 'maybe' });
      expect(calls).toEqual([]);
    },
  );

  it("doesn't try the editor after a canceled or impossible request, or a response", async () => {
    const { origin } = await startFirewall();
    const calls = stubFetch(sessionResponse);
    const { api } = openClient(origin);
    expect(await failureOf(api.getSession('s1', { signal: AbortSignal.abort() }))).toMatchObject({ kind: 'cancelled' });
    const rig = await startRig(
      (serviceOrigin) => openRoute('auto', serviceOrigin, new WorkingRoutes(silentLog)),
      [{ fault: { kind: 'answer', when: 'before', status: 503 } }],
    );
    ends.push(() => rig.dispose());
    expect(await failureOf(rig.api.getSession('s1'))).toMatchObject({ kind: 'status', status: 503 });
    const file = { mediaType: 'text/plain', name: 'a.txt', bytes: { sizeBytes: 3, read: () => oneByte() } };
    rig.server.clearFaults();
    expect(await failureOf(rig.api.addMessage('s1', { text: '', files: [file] }))).toMatchObject({
      kind: 'invalidRequest',
    });
    expect(calls).toEqual([]);
  });

  it('reports the most helpful failure, and always one with an unknown outcome', async () => {
    const { origin } = await startFirewall();
    const { api } = openClient(origin);
    const failuresBy = async (error: Error) => {
      stubFetch(() => error);
      return failureOf(api.addMessage('s1', { text: 'Hello' }));
    };
    expect(await failuresBy(new Error('Proxy response (407) !== 200 when HTTP Tunneling'))).toMatchObject({
      kind: 'proxy',
      reason: 'proxyLogin',
      sent: 'no',
    });
    expect(await failuresBy(coded('ENOTFOUND', { hostname: '127.0.0.1' }))).toMatchObject({ code: 'ENOTFOUND' });
    expect(await failuresBy(coded('UND_ERR_SOCKET'))).toMatchObject({ kind: 'unreachable', sent: 'maybe' });
    // The remembered route failed because of a proxy, then the direct one because of a firewall.
    stubFetch(sessionResponse);
    await api.getSession('s1');
    expect(await failuresBy(coded('ERR_PROXY_CONNECTION_FAILED'))).toMatchObject({ reason: 'proxyUnreachable' });
  });

  it('closes both routes when it is disposed', async () => {
    const { origin } = await startFirewall();
    const calls = stubFetch(sessionResponse);
    const { api } = openClient(origin);
    await api.getSession('s1');
    api.dispose();
    expect(await failureOf(api.getSession('s2'))).toMatchObject({ kind: 'cancelled' });
    expect(calls).toHaveLength(1);
  });
});

describe('a route that the setting enforces', () => {
  it('is the only one used, and its connection failures report that', async () => {
    const { origin, state } = await startFirewall();
    const calls = stubFetch(() => coded('ENOTFOUND', { hostname: '127.0.0.1' }));
    const direct = await failureOf(openClient(origin, 'direct').api.getSession('s1'));
    expect(direct).toMatchObject({ kind: 'unreachable', sent: 'no', fixedRoute: 'direct', code: 'ECONNRESET' });
    expect(calls).toEqual([]);
    const editor = await failureOf(openClient(origin, 'editor').api.getSession('s1'));
    expect(editor).toMatchObject({ kind: 'unreachable', sent: 'no', fixedRoute: 'editor', code: 'ENOTFOUND' });
    const proxy = await failureOf(openClient(origin, 'proxy').api.getSession('s1'));
    expect(proxy).toMatchObject({ kind: 'unreachable', fixedRoute: undefined });
    expect(state.connectionCount).toBe(1);
  });

  it("isn't blamed for a failure that another route can't avoid", async () => {
    const { origin } = await startFirewall();
    stubFetch(() => coded('ECONNRESET'));
    expect(await failureOf(openClient(origin, 'editor').api.getSession('s1'))).toMatchObject({ fixedRoute: undefined });
  });
});

describe('the choice of a route', () => {
  it.each([
    ['auto', '', {}, 'auto'],
    ['auto', 'http://proxy.test:8080', {}, 'proxy'],
    ['auto', '', { HTTPS_PROXY: 'http://proxy.test' }, 'proxy'],
    ['auto', '', { https_proxy: 'http://proxy.test' }, 'proxy'],
    ['auto', '', { HTTP_PROXY: 'http://proxy.test' }, 'proxy'],
    ['auto', '', { http_proxy: 'http://proxy.test' }, 'proxy'],
    ['auto', '', { HTTPS_PROXY: '' }, 'auto'],
    ['editor', '', {}, 'editor'],
    ['editor', 'http://proxy.test:8080', {}, 'proxy'],
    ['direct', 'http://proxy.test:8080', { HTTPS_PROXY: 'http://proxy.test' }, 'direct'],
  ] as const)('is, for %s with http.proxy %j and %j: %s', (route, httpProxy, environment, chosen) => {
    expect(chooseRoute({ route, httpProxy }, environment)).toBe(chosen);
  });
});
