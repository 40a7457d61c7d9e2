import { createServer } from 'node:net';

/**
 * Finds a free port of 127.0.0.1 below those that the system assigns to other programs, so that no other server gets it
 * while nothing listens on it, as between a stop and a restart.
 */
export async function findLastingPort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
