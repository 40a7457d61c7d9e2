import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import type { Log } from '../../shared/log.ts';
import { ApiError, type FixedRoute, detailsOf, isApiError } from '../errors.ts';
import { createEditorTransport } from './editorTransport.ts';
import { lazyTransport, openDirectTransport } from './openTransport.ts';
import type { Transport, TransportResponse, TransportRequest } from '../http/transport.ts';

/**
 * How requests reach the network (R42):
 *
 * | route | meaning |
 * | --- | --- |
 * | `auto` | Directly, or through the editor if that isn't possible. |
 * | `proxy` | Through the editor, because a proxy is configured (R15). |
 * | `direct`, `editor` | Only this way, because the user's setting enforces it. |
 */
export type Route = 'auto' | 'proxy' | FixedRoute;

/** The settings that determine the route. */
export interface NetworkSettings {
  readonly route: 'auto' | FixedRoute;
  /** VS Code's setting `http.proxy`. */
  readonly httpProxy: string;
}

/** The route for these settings. A configured proxy is used unless the setting is `direct` (R15). */
export function chooseRoute({ route, httpProxy }: NetworkSettings, environment: NodeJS.ProcessEnv): Route {
  const variables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].map((name) => environment[name] ?? '');
  const isProxyConfigured = [httpProxy, ...variables].some((proxy) => proxy !== '');
  return route !== 'direct' && isProxyConfigured ? 'proxy' : route;
}

/** Creates the transport to `origin` over a route. */
export function openRoute(route: Route, origin: string, working: WorkingRoutes): Transport {
  switch (route) {
    case 'auto':
      return new AutomaticTransport(origin, working);
    case 'proxy':
      return createEditorTransport();
    case 'direct':
      return new FixedTransport(directTransport(origin), route);
    case 'editor':
      return new FixedTransport(createEditorTransport(), route);
  }
}

function directTransport(origin: string): Transport {
  return lazyTransport(() => openDirectTransport(origin));
}

/**
 * Remembers, for the current network, which services can be reached only through the editor. Forgets them when the
 * addresses of this computer change.
 */
export class WorkingRoutes {
  readonly #viaEditor = new Set<string>();
  readonly #log: Log;
  readonly #readNetwork: () => string;
  #network: string | undefined;

  /** `readNetwork` returns a string that identifies the current network. */
  constructor(log: Log, readNetwork: () => string = addresses) {
    this.#log = log;
    this.#readNetwork = readNetwork;
  }

  /** The route to try first. */
  first(origin: string): FixedRoute {
    // Reading the addresses takes a tenth of the time of a request, so they are read only if they matter.
    if (!this.#viaEditor.has(origin)) return 'direct';
    if (this.#readNetwork() === this.#network) return 'editor';
    this.#viaEditor.clear();
    return 'direct';
  }

  /** Call this when `route` worked and the other one failed to connect. */
  keep(origin: string, route: FixedRoute, failure: ApiError): void {
    if (this.first(origin) === route) return;
    if (route === 'editor') this.#remember(origin);
    else this.#viaEditor.delete(origin);
    const now = route === 'editor' ? 'through VS Code' : 'directly';
    this.#log.info(`network: requests to ${origin} are sent ${now} from now on: ${failure.message}`);
  }

  #remember(origin: string): void {
    const network = this.#readNetwork();
    if (network !== this.#network) this.#viaEditor.clear();
    this.#network = network;
    this.#viaEditor.add(origin);
  }
}

/** The addresses of this computer, which identify its network; empty if the system doesn't allow reading them. */
function addresses(): string {
  let all: NetworkInterfaceInfo[];
  try {
    all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  } catch {
    return '';
  }
  return all
    .filter(({ internal }) => !internal)
    .map(({ cidr, mac }) => `${cidr ?? ''} ${mac}`)
    .sort()
    .join('\n');
}

/**
 * Sends directly. If no trusted connection can be made, sends through the editor, which uses the proxies and
 * certificates of VS Code and the system (R42). The route that works is tried first from then on. A request that may
 * have reached the service is never sent again (R31).
 */
class AutomaticTransport implements Transport {
  readonly #origin: string;
  readonly #working: WorkingRoutes;
  readonly #transports: Readonly<Record<FixedRoute, Transport>>;

  constructor(origin: string, working: WorkingRoutes) {
    this.#origin = origin;
    this.#working = working;
    this.#transports = { direct: directTransport(origin), editor: createEditorTransport() };
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const first = this.#working.first(this.#origin);
    try {
      return await this.#transports[first].send(request);
    } catch (error) {
      if (!hasNotConnected(error)) throw error;
      return this.#sendOtherwise(request, first === 'direct' ? 'editor' : 'direct', error);
    }
  }

  dispose(): void {
    for (const transport of Object.values(this.#transports)) transport.dispose();
  }

  async #sendOtherwise(request: TransportRequest, route: FixedRoute, before: ApiError): Promise<TransportResponse> {
    try {
      const response = await this.#transports[route].send(request);
      this.#working.keep(this.#origin, route, before);
      return response;
    } catch (error) {
      throw hasNotConnected(error) && rank(before) > rank(error) ? before : error;
    }
  }
}

/** Whether no trusted connection was made. Another route may work then, and using it can't send anything twice. */
function hasNotConnected(error: unknown): error is ApiError {
  return isApiError(error) && error.sent === 'no' && rank(error) > 0;
}

/** Ranks network failures by how well they identify the cause; 0 for any other failure. */
function rank({ kind }: ApiError): number {
  return ['unreachable', 'certificate', 'proxy'].indexOf(kind) + 1;
}

/** A transport whose errors report that the user's setting excludes other routes. */
class FixedTransport implements Transport {
  readonly #transport: Transport;
  readonly #route: FixedRoute;

  constructor(transport: Transport, route: FixedRoute) {
    this.#transport = transport;
    this.#route = route;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    try {
      return await this.#transport.send(request);
    } catch (error) {
      if (!hasNotConnected(error)) throw error;
      throw new ApiError(error.kind, error.message, { ...detailsOf(error), fixedRoute: this.#route });
    }
  }

  dispose(): void {
    this.#transport.dispose();
  }
}
