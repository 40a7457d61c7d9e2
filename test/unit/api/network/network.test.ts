import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConnectProxy, startConnectProxy } from '../../../fakes/connectProxy.ts';
import { startFaultServer } from '../../../fakes/faultServer.ts';
import { formatMarkdown } from '../../../../tools/formatMarkdown.ts';
import { wellBehaved } from '../rig.ts';
import { type Outcome, type ProgramInput, type SetUp, type Way, setUps, ways } from './setUps.ts';

const fixtures = fileURLToPath(new URL('../../../fixtures/tls', import.meta.url));
const page = fileURLToPath(new URL('../../../../docs/network.md', import.meta.url));
const program = fileURLToPath(new URL('program.ts', import.meta.url));
const fixture = (name: string) => readFile(join(fixtures, `${name}.pem`), 'utf8');

/** The words for each reason in the table. */
const reasons: Readonly<Record<string, string>> = {
  expired: 'expired certificate',
  wrongHost: 'certificate for another host',
  unknownAuthority: 'unknown authority',
  proxyUnreachable: "can't reach the proxy",
  proxyLogin: 'proxy login needed',
  proxyRefused: 'rejected by the proxy',
};

interface Row {
  readonly setUp: SetUp;
  readonly outcomes: Readonly<Record<Way, Outcome>>;
  /** The number of messages that arrived for each way of sending. */
  readonly arrived: Readonly<Record<string, number>>;
  readonly proxy: ConnectProxy;
  readonly proxyUrl: string;
}

const folders: string[] = [];

/** A folder that replaces the system's certificate store. */
async function systemStore(hasAuthority: boolean): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lineside-store-'));
  folders.push(folder);
  if (hasAuthority) await copyFile(join(fixtures, 'authority.cert.pem'), join(folder, 'authority.pem'));
  return folder;
}

async function environmentOf({ trust, namedBy, noProxy }: SetUp, proxyUrl: string): Promise<NodeJS.ProcessEnv> {
  const authority = join(fixtures, 'authority.cert.pem');
  return {
    PATH: process.env['PATH'],
    SSL_CERT_DIR: await systemStore(trust === 'system'),
    ...(trust === 'NODE_EXTRA_CA_CERTS' && { NODE_EXTRA_CA_CERTS: authority }),
    ...(trust === 'SSL_CERT_FILE' && { SSL_CERT_FILE: authority }),
    ...(namedBy === 'HTTPS_PROXY' && { HTTPS_PROXY: proxyUrl }),
    ...(noProxy === 'NO_PROXY' && { NO_PROXY: 'open.lineside.test' }),
  };
}

async function measure(setUp: SetUp): Promise<Row> {
  const { certificate = 'valid', host = 'open', proxy: behavior } = setUp;
  const tls = { key: await fixture(`${certificate}.key`), cert: await fixture(`${certificate}.cert`) };
  const server = await startFaultServer({ service: wellBehaved, tls });
  const proxy = await startConnectProxy({
    targetPort: Number(new URL(server.origin).port),
    login: behavior === 'needsLogin' ? 'ann:secret' : undefined,
    rejectWith: behavior === 'rejects' ? 403 : undefined,
  });
  if (behavior === 'isGone') await proxy.dispose();
  const proxyUrl = `http://proxy.lineside.test:${proxy.port}`;
  const baseUrl = `https://${host}.lineside.test:${new URL(server.origin).port}`;
  const input: ProgramInput = { setUp, baseUrl, proxyUrl, authority: await fixture('authority.cert') };
  const env = await environmentOf(setUp, proxyUrl);
  try {
    const run = await promisify(execFile)(process.execPath, [program, JSON.stringify(input)], { env, timeout: 60_000 });
    const posts = server.requests.filter(({ method }) => method === 'POST');
    const arrived = Object.fromEntries(
      ways.map((way) => [way, posts.filter(({ headers }) => headers.authorization === `Bearer ${way}`).length]),
    );
    return { setUp, outcomes: JSON.parse(run.stdout) as Row['outcomes'], arrived, proxy, proxyUrl };
  } finally {
    await server.dispose();
    if (behavior !== 'isGone') await proxy.dispose();
  }
}

function cell({ setUp }: Row, { failure }: Outcome): string {
  if (!failure) return setUp.host === 'inside' ? 'works, through the proxy' : 'works';
  return failure.reason === undefined ? 'fails' : `fails: ${reasons[failure.reason]}`;
}

function tableOf(rows: readonly Row[]): string {
  const head = ['', '`auto`', '`direct`', '`editor`', '`fetch` of another extension'];
  const lines = rows.map((row) => [row.setUp.name, ...ways.map((way) => cell(row, row.outcomes[way]))]);
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The sentences that `auto` shows, one row for each failure. */
function messagesOf(rows: readonly Row[]): string {
  const failures = rows.flatMap(({ outcomes, proxyUrl }) =>
    ways.flatMap((way) => {
      const { reason, sentence = '' } = outcomes[way].failure ?? {};
      const shown = sentence.replace(`127.0.0.1:${new URL(proxyUrl).port}`, '192.0.2.1:8080');
      return reason === undefined || way !== 'auto' ? [] : [`| ${reasons[reason]} | ${shown} |`];
    }),
  );
  return ['| | message |', '| --- | --- |', ...new Set(failures)].join('\n');
}

// On other platforms, no environment variable can replace the system's certificates.
describe.skipIf(process.platform !== 'linux')('the routes to the network', () => {
  const rows: Row[] = [];
  beforeAll(async () => {
    const waiting = setUps.entries();
    const lane = async () => {
      for (const [index, setUp] of waiting) rows[index] = await measure(setUp);
    };
    await Promise.all([lane(), lane(), lane()]);
  }, 240_000);
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

  it('work as described in docs/network.md (update it with `npx vitest -u`)', async () => {
    const text = await readFile(page, 'utf8');
    const filled = text
      .replace(/(<!-- table -->\n)[^]*?(\n<!-- end -->)/, (_, start, end) => `${start}\n${tableOf(rows)}\n${end}`)
      .replace(
        /(<!-- messages -->\n)[^]*?(\n<!-- end -->)/,
        (_, start, end) => `${start}\n${messagesOf(rows)}\n${end}`,
      );
    await expect(await formatMarkdown(filled)).toMatchFileSnapshot(page);
  });

  it('reach the service by default wherever the fetch of another extension does (R42)', () => {
    const worse = rows.filter(({ outcomes }) => !outcomes.fetch.failure && outcomes.auto.failure);
    expect(worse.map(({ setUp }) => setUp.name)).toEqual([]);
  });

  it('deliver a message exactly once, and nothing if they fail (R31)', () => {
    for (const { setUp, outcomes, arrived } of rows) {
      for (const way of ['auto', 'direct', 'editor'] as const) {
        const { failure } = outcomes[way];
        expect(arrived[way], `${setUp.name}, ${way}`).toBe(failure ? 0 : 1);
        expect(failure?.sent ?? 'no', `${setUp.name}, ${way}`).toBe('no');
      }
    }
  });

  it('use the proxy for the service only (R15)', () => {
    for (const { proxy } of rows) {
      expect(proxy.tunnels.filter((target) => !target.startsWith('inside.lineside.test:'))).toEqual([]);
    }
  });

  it('name the setting if it excludes a route that works, and never for `auto`', () => {
    for (const { setUp, outcomes } of rows) {
      const hasHint = (way: Way) => outcomes[way].failure?.sentence.includes('"lineside.network.route"') === true;
      expect(hasHint('auto'), setUp.name).toBe(false);
      for (const way of ['direct', 'editor'] as const) {
        if (outcomes[way].failure && !outcomes.auto.failure) expect(hasHint(way), `${setUp.name}, ${way}`).toBe(true);
      }
    }
  });
});
