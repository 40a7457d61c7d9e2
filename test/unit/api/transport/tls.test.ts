import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TLSSocket, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSessionsClient } from '../../../../src/api/client.ts';
import { createDirectTransport } from '../../../../src/api/transport/directTransport.ts';
import { TlsKnowledge } from '../../../../src/api/transport/tlsKnowledge.ts';
import { type Rig, failureOf, routes, sessionJson, startRig } from '../rig.ts';

const read = (name: string) => readFileSync(new URL(`../../../fixtures/tls/${name}.pem`, import.meta.url), 'utf8');
const pair = (name: string) => ({ key: read(`${name}.key`), cert: read(`${name}.cert`) });

describe.each(routes)('certificates on the $route route (R16)', ({ open }) => {
  let rig: Rig;
  const systemAuthorities = getCACertificates('default');
  // Trusts the test's certificate authority, so that each certificate is rejected for its own defect and not for its
  // issuer.
  beforeAll(() => setDefaultCACertificates([...systemAuthorities, read('authority.cert')]));
  afterAll(() => setDefaultCACertificates(systemAuthorities));
  afterEach(() => rig.dispose());

  it('are accepted if valid', async () => {
    rig = await startRig(open, [], { tls: pair('valid') });
    await expect(rig.api.getSession('s1')).resolves.toMatchObject({ sessionId: 's1' });
    await expect(rig.api.addMessage('s1', { text: 'Hello' })).resolves.toMatchObject({ messageId: 'm2' });
    await expect(rig.api.addMessage('s1', { text: 'Hello' })).resolves.toMatchObject({ messageId: 'm2' });
  });

  it.each([
    ['selfSigned', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'unknownAuthority'],
    ['expired', 'CERT_HAS_EXPIRED', 'expired'],
    ['wrongHost', 'ERR_TLS_CERT_ALTNAME_INVALID', 'wrongHost'],
  ])('%s is rejected with a specific error, and nothing is sent', async (name, code, reason) => {
    rig = await startRig(open, [], { tls: pair(name) });
    for (const call of [rig.api.getSession('s1'), rig.api.addMessage('s1', { text: 'Hello' })]) {
      expect(await failureOf(call)).toMatchObject({ kind: 'certificate', sent: 'no', code, reason });
    }
    expect(rig.server.requests).toEqual([]);
  });

  it('are required: a service without TLS is rejected, and nothing is sent', async () => {
    rig = await startRig(open);
    const tlsOrigin = rig.server.origin.replace('http:', 'https:');
    const other = await startRig(() => open(tlsOrigin), [], { baseUrl: tlsOrigin });
    const error = await failureOf(other.api.addMessage('s1', { text: 'Hello' }));
    await other.dispose();
    expect(error.kind).toBe('certificate');
    expect(rig.server.requests).toEqual([]);
  });
});

describe('a TLS connection of the direct route', () => {
  it('names the host and HTTP/1.1, and resumes the latest session', async () => {
    const seen: { name: string | false | null; protocol: string | false | null; isReused: boolean }[] = [];
    const server = createServer({ ...pair('valid'), ALPNProtocols: ['h2', 'http/1.1'] }, (_request, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(sessionJson)),
    );
    server.on('secureConnection', (socket: TLSSocket & { readonly servername: string | false | null }) => {
      seen.push({ name: socket.servername, protocol: socket.alpnProtocol, isReused: socket.isSessionReused() });
    });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', () => resolve()));
    const authorities = getCACertificates('default');
    setDefaultCACertificates([...authorities, read('authority.cert')]);
    const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
    const api = createSessionsClient({ baseUrl: origin, key: () => 'k', transport: createDirectTransport(origin) });
    try {
      await api.getSession('s1');
      await api.updateSession('s1', { model: 'm' });
      const connection = { name: 'localhost', protocol: 'http/1.1' };
      expect(seen).toEqual([
        { ...connection, isReused: false },
        { ...connection, isReused: true },
      ]);
    } finally {
      setDefaultCACertificates(authorities);
      api.dispose();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

describe('certificates of the system on the direct route', () => {
  let rig: Rig;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lineside-tls-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  afterEach(async () => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    await rig.dispose();
  });

  it("are added when Node's don't suffice, and then used for every connection", async () => {
    const file = join(folder, 'authorities.pem');
    await writeFile(file, `-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n${read('authority.cert')}`);
    // Set after the start of the process, when Node doesn't read it anymore.
    vi.stubEnv('NODE_EXTRA_CA_CERTS', file);
    vi.stubEnv('SSL_CERT_FILE', join(folder, 'absent.pem'));
    rig = await startRig(createDirectTransport, [], { tls: pair('valid') });
    await expect(rig.api.getSession('s1')).resolves.toMatchObject({ sessionId: 's1' });
    expect(rig.server.connectionCount).toBe(2);
    await rig.api.addMessage('s1', { text: 'Hello' });
    await rig.api.addMessage('s1', { text: 'Hello' });
    expect(rig.server.connectionCount).toBe(4);
    expect(rig.server.requests).toHaveLength(3);
  });

  it("aren't enough for an unknown authority: the connection is tried once more, then never again", async () => {
    rig = await startRig(createDirectTransport, [], { tls: pair('selfSigned') });
    const expected = { kind: 'certificate', reason: 'unknownAuthority', sent: 'no' };
    expect(await failureOf(rig.api.getSession('s1'))).toMatchObject(expected);
    expect(rig.server.connectionCount).toBe(2);
    expect(await failureOf(rig.api.getSession('s1'))).toMatchObject(expected);
    expect(rig.server.connectionCount).toBe(3);
  });

  it("aren't read while Node's suffice, or for a certificate with another defect", async () => {
    const reading = vi.spyOn(TlsKnowledge.prototype, 'addAuthorities');
    const authorities = getCACertificates('default');
    setDefaultCACertificates([...authorities, read('authority.cert')]);
    try {
      rig = await startRig(createDirectTransport, [], { tls: pair('valid') });
      await rig.api.getSession('s1');
      const expired = await startRig(createDirectTransport, [], { tls: pair('expired') });
      expect(await failureOf(expired.api.getSession('s1'))).toMatchObject({ reason: 'expired' });
      await expired.dispose();
    } finally {
      setDefaultCACertificates(authorities);
    }
    expect(reading).not.toHaveBeenCalled();
  });

  it('open no connection if the request was canceled while they were read', async () => {
    let finishReading: (hasMore: boolean) => void = () => undefined;
    const reading = vi
      .spyOn(TlsKnowledge.prototype, 'addAuthorities')
      .mockImplementation(() => new Promise((resolve) => (finishReading = resolve)));
    rig = await startRig(createDirectTransport, [], { tls: pair('valid') });
    const caller = new AbortController();
    const call = failureOf(rig.api.addMessage('s1', { text: 'Hello' }, { signal: caller.signal }));
    await expect.poll(() => reading).toHaveBeenCalled();
    caller.abort();
    expect(await call).toMatchObject({ kind: 'cancelled', sent: 'no' });
    finishReading(true);
    await call;
    // This connection is the second one that the service accepts.
    const next = connect(Number(new URL(rig.server.origin).port), '127.0.0.1');
    await expect.poll(() => rig.server.connectionCount).toBeGreaterThan(1);
    next.destroy();
    expect(rig.server.connectionCount).toBe(2);
  });
});
