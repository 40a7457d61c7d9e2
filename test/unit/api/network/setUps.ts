/** A computer's network and the way to the service. */
export interface SetUp {
  readonly name: string;
  /** `open` is reachable from everywhere, `inside` only through the proxy: its name is unknown on this computer. */
  readonly host?: 'open' | 'inside';
  readonly certificate?: 'valid' | 'expired' | 'wrongHost';
  /**
   * Who trusts the authority that signed the certificate. `everyone`: like the authorities that Node and VS Code are
   * shipped with. Otherwise, the source that contains its certificate, if any.
   */
  readonly trust?: 'everyone' | 'system' | 'NODE_EXTRA_CA_CERTS' | 'SSL_CERT_FILE' | 'nobody';
  /** The behavior of the proxy; undefined if there is none. */
  readonly proxy?: 'works' | 'isGone' | 'needsLogin' | 'rejects';
  /**
   * The source of the proxy's address. `system`: the settings or PAC file of the operating system, which VS Code reads.
   */
  readonly namedBy?: 'http.proxy' | 'HTTPS_PROXY' | 'system';
  readonly noProxy?: 'NO_PROXY' | 'http.noProxy';
  /** Whether VS Code knows the user name and password of the proxy. */
  readonly isLoginKnown?: boolean;
}

const inside = { host: 'inside', proxy: 'works' } as const;

/** The rows of docs/network.md. */
export const setUps: readonly SetUp[] = [
  { name: 'No proxy' },
  { name: "Service whose host name can't be resolved", host: 'inside' },
  { name: '`http.proxy`', ...inside, namedBy: 'http.proxy' },
  { name: '`HTTPS_PROXY`', ...inside, namedBy: 'HTTPS_PROXY' },
  { name: 'Proxy of the operating system or a PAC file', ...inside, namedBy: 'system' },
  { name: '`HTTPS_PROXY`, host in `NO_PROXY`', proxy: 'rejects', namedBy: 'HTTPS_PROXY', noProxy: 'NO_PROXY' },
  { name: '`http.proxy`, host in `http.noProxy`', proxy: 'rejects', namedBy: 'http.proxy', noProxy: 'http.noProxy' },
  {
    name: '`http.proxy` with login, known to VS Code',
    host: 'inside',
    proxy: 'needsLogin',
    namedBy: 'http.proxy',
    isLoginKnown: true,
  },
  { name: '`http.proxy` with login, not known', host: 'inside', proxy: 'needsLogin', namedBy: 'http.proxy' },
  { name: 'PAC file, proxy with login, not known', host: 'inside', proxy: 'needsLogin', namedBy: 'system' },
  { name: '`http.proxy`, unreachable', host: 'inside', proxy: 'isGone', namedBy: 'http.proxy' },
  { name: 'PAC file, proxy unreachable', host: 'inside', proxy: 'isGone', namedBy: 'system' },
  { name: 'PAC file, proxy unreachable, service reachable', proxy: 'isGone', namedBy: 'system' },
  { name: '`http.proxy` that rejects the service (403)', host: 'inside', proxy: 'rejects', namedBy: 'http.proxy' },
  { name: 'Certificate authority in the system store', trust: 'system' },
  {
    name: 'Certificate authority in the system store, `http.proxy`',
    trust: 'system',
    ...inside,
    namedBy: 'http.proxy',
  },
  { name: 'Certificate authority in the system store, PAC file', trust: 'system', ...inside, namedBy: 'system' },
  { name: 'Certificate authority in `NODE_EXTRA_CA_CERTS`', trust: 'NODE_EXTRA_CA_CERTS' },
  { name: 'Certificate authority in `SSL_CERT_FILE`', trust: 'SSL_CERT_FILE' },
  { name: 'Unknown certificate authority', trust: 'nobody' },
  { name: 'Expired certificate', certificate: 'expired' },
  { name: 'Certificate for another host', certificate: 'wrongHost' },
];

/** The input of the program for one setup. */
export interface ProgramInput {
  readonly setUp: SetUp;
  /** `https://<host>:<port>` */
  readonly baseUrl: string;
  /** `http://<host>:<port>` of the proxy. */
  readonly proxyUrl: string;
  /** The PEM-encoded certificate of the authority that signed the certificate of the service. */
  readonly authority: string;
}

/** The result of the program for one way of sending. */
export interface Outcome {
  /** The kind, reason, and sentence of the failure; undefined if the request and the message arrived. */
  readonly failure?: {
    readonly kind: string;
    readonly reason?: string;
    readonly sent: string;
    readonly sentence: string;
  };
}

/** The ways of sending: the values of the setting `lineside.network.route`, and the `fetch` of another extension. */
export const ways = ['auto', 'direct', 'editor', 'fetch'] as const;
export type Way = (typeof ways)[number];
