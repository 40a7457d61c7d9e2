/**
 * Sends requests from a computer with the given network, in a separate process, because each process has its own
 * environment variables, system certificates, and VS Code `fetch`. VS Code's own proxy code provides the `fetch`; a
 * stand-in only returns what Chromium would: the proxy that the operating system or its PAC file names. Prints the
 * outcomes of all ways as JSON. The API key is the name of the way.
 */
import dns from 'node:dns';
import tls from 'node:tls';
import proxyAgent, { type ProxyAgentParams } from '@vscode/proxy-agent';
import { createSessionsClient } from '../../../../src/api/client.ts';
import { WorkingRoutes, chooseRoute, openRoute } from '../../../../src/api/transport/workingRoutes.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { describeFailure } from '../../../../src/state/presentation/describeFailure.ts';
import { toFailure } from '../../../../src/sync/connection/probe.ts';
import { ApiError } from '../../../../src/api/errors.ts';
import { t } from '../../state/samples.ts';
import { type Outcome, type ProgramInput, type Way, ways } from './setUps.ts';

const { setUp, baseUrl, proxyUrl, authority } = JSON.parse(process.argv[2] ?? '') as ProgramInput;
const known = ['open.lineside.test', 'proxy.lineside.test'];
const httpProxy = setUp.namedBy === 'http.proxy' ? proxyUrl : '';
const isPublic = (setUp.trust ?? 'everyone') === 'everyone';

/** Resolves only the host names of this network. */
const lookup = (host: string, options: dns.LookupOptions, done: (...answer: readonly unknown[]) => void) => {
  const address = { address: '127.0.0.1', family: 4 };
  if (known.includes(host)) process.nextTick(() => (options.all ? done(null, [address]) : done(null, '127.0.0.1', 4)));
  else {
    const error = new Error(`getaddrinfo ENOTFOUND ${host}`);
    process.nextTick(() => done(Object.assign(error, { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: host })));
  }
};
Object.assign(dns, { lookup });

const loadFromNode = () => true;
const parameters: ProxyAgentParams = {
  resolveProxy: () => Promise.resolve(setUp.namedBy === 'system' ? `PROXY ${new URL(proxyUrl).host}` : 'DIRECT'),
  getProxyURL: () => httpProxy,
  getProxySupport: () => 'override',
  getNoProxyConfig: () => (setUp.noProxy === 'http.noProxy' ? ['open.lineside.test'] : []),
  isAdditionalFetchSupportEnabled: () => true,
  isWebSocketPatchEnabled: () => true,
  addCertificatesV1: () => true,
  addCertificatesV2: () => false,
  loadSystemCertificatesFromNode: loadFromNode,
  loadAdditionalCertificates: async () => [
    ...(await proxyAgent.loadSystemCertificates({ loadSystemCertificatesFromNode: loadFromNode, log: silentLog })),
    ...(isPublic ? [authority] : []),
  ],
  lookupProxyAuthorization: (_url, challenge) =>
    Promise.resolve(
      challenge && setUp.isLoginKnown ? `Basic ${Buffer.from('ann:secret').toString('base64')}` : undefined,
    ),
  log: silentLog,
  getLogLevel: () => proxyAgent.LogLevel.Off,
  proxyResolveTelemetry: () => undefined,
  isUseHostProxyEnabled: () => true,
  env: process.env,
};
const { resolveProxyURL } = proxyAgent.createProxyResolver(parameters);
globalThis.fetch = proxyAgent.createFetchPatch(parameters, globalThis.fetch, resolveProxyURL);
if (isPublic) tls.setDefaultCACertificates([...tls.getCACertificates('default'), authority]);

async function send(way: Way): Promise<Outcome> {
  if (way === 'fetch') {
    const headers = { authorization: `Bearer ${way}` };
    const isRead = await fetch(`${baseUrl}/api/v0/sessions/s1`, { headers }).then(
      (response) => response.ok,
      () => false,
    );
    return isRead ? {} : { failure: { kind: 'fetch', sent: '', sentence: '' } };
  }
  const route = chooseRoute({ route: way, httpProxy }, process.env);
  const transport = openRoute(route, new URL(baseUrl).origin, new WorkingRoutes(silentLog));
  const api = createSessionsClient({ baseUrl, key: () => way, transport });
  try {
    // The message comes first: no earlier request has found out which route works.
    await api.addMessage('s1', { text: 'Hello' });
    await api.getSession('s1');
    return {};
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { kind, reason, sent } = error;
    return { failure: { kind, ...(reason && { reason }), sent, sentence: describeFailure(toFailure(error, 0), t) } };
  } finally {
    api.dispose();
  }
}

const outcomes: Partial<Record<Way, Outcome>> = {};
for (const way of ways) outcomes[way] = await send(way);
console.log(JSON.stringify(outcomes));
