import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Connector } from '../../../../src/api/transport/connector.ts';
import { TlsKnowledge } from '../../../../src/api/transport/tlsKnowledge.ts';

type Target = Parameters<Connector['connect']>[0];

/** Connects to a target, and closes the connection. Resolves to the error; null if there was none. */
function connect(connector: Connector, target: Target): Promise<Error | null> {
  return new Promise((resolve) =>
    connector.connect(target, (error, socket) => {
      socket?.destroy();
      resolve(error);
    }),
  );
}

describe('a connector', () => {
  it.each([
    ['http:', '', 80],
    ['https:', '', 443],
    ['http:', '81', 81],
    ['https:', '444', 444],
  ])('connects by %s to the port %j as %i', async (protocol, port, used) => {
    // No TCP connection to the broadcast address is possible, so the error names the port.
    const target = { protocol, hostname: '255.255.255.255', port };
    expect(await connect(new Connector(new TlsKnowledge()), target)).toMatchObject({ port: used });
  });

  it('opens no connection after it is disposed', async () => {
    let connectionCount = 0;
    const server = createServer((socket) => {
      connectionCount++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const target = {
      protocol: 'http:',
      hostname: '127.0.0.1',
      port: String((server.address() as AddressInfo).port),
    };
    const connector = new Connector(new TlsKnowledge());
    expect(await connect(connector, target)).toBeNull();
    connector.dispose();
    expect(await connect(connector, target)).toMatchObject({ message: 'The connector is closed.' });
    await new Promise((resolve) => server.close(resolve));
    expect(connectionCount).toBe(1);
  });

  it('ends pending attempts when it is disposed', async () => {
    const connector = new Connector(new TlsKnowledge());
    const server = createServer((socket) => socket.resume());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const port = String((server.address() as AddressInfo).port);
    const pending = connect(connector, { protocol: 'https:', hostname: '127.0.0.1', port });
    connector.dispose();
    expect(await pending).toMatchObject({ message: 'The connection was closed before it was ready.' });
    await new Promise((resolve) => server.close(resolve));
  });
});
