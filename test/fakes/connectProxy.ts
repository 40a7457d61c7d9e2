import { createServer } from 'node:http';
import { type Socket, connect } from 'node:net';
import { findLastingPort } from '../../tools/editor/run/lastingPort.ts';

export interface ConnectProxyOptions {
  /** The port of 127.0.0.1 to which every tunnel leads, whatever its target. */
  readonly targetPort: number;
  /** `name:password`; without it, no login is needed. */
  readonly login?: string | undefined;
  /** The HTTP status with which every tunnel is rejected; without it, tunnels are opened. */
  readonly rejectWith?: number | undefined;
}

/** An HTTP proxy on the loopback address that only opens tunnels. */
export interface ConnectProxy {
  readonly port: number;
  /** The targets of all tunnels that were opened, as `host:port`. */
  readonly tunnels: readonly string[];
  dispose(): Promise<void>;
}

/** Starts a proxy on a free port of 127.0.0.1. */
export async function startConnectProxy({ targetPort, login, rejectWith }: ConnectProxyOptions): Promise<ConnectProxy> {
  const tunnels: string[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connection', keep);
  server.on('connect', ({ url = '', headers }, client: Socket) => {
    const isLoggedIn =
      login === undefined || headers['proxy-authorization'] === `Basic ${Buffer.from(login).toString('base64')}`;
    if (!isLoggedIn) {
      client.end('HTTP/1.1 407 Login needed\r\nProxy-Authenticate: Basic realm="test"\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    if (rejectWith !== undefined) {
      client.end(`HTTP/1.1 ${rejectWith} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const service = connect(targetPort, '127.0.0.1', () => {
      tunnels.push(url);
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      service.pipe(client).pipe(service);
    });
    keep(service);
  });
  const port = await findLastingPort();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', () => resolve()));
  return {
    port,
    tunnels,
    dispose: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
