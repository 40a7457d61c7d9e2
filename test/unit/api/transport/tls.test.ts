import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Rig, failureOf, routes, startRig } from '../rig.ts';

const read = (name: string) => readFileSync(new URL(`../../../fixtures/tls/${name}.pem`, import.meta.url), 'utf8');
const pair = (name: string) => ({ key: read(`${name}.key`), cert: read(`${name}.cert`) });

describe.each(routes)('certificates on the $route route', ({ open }) => {
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
    ['selfSigned', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['expired', 'CERT_HAS_EXPIRED'],
    ['wrongHost', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('%s is rejected with a specific error, and nothing is sent', async (name, code) => {
    rig = await startRig(open, [], { tls: pair(name) });
    for (const call of [rig.api.getSession('s1'), rig.api.addMessage('s1', { text: 'Hello' })]) {
      expect(await failureOf(call)).toMatchObject({ kind: 'certificate', sent: 'no', code });
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
