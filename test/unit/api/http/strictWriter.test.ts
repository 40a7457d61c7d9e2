import { afterEach, describe, expect, it } from 'vitest';
import { createSessionsClient } from '../../../../src/api/client.ts';
import type { RoleFilter } from '../../../../src/api/resources/message.ts';
import type { SessionSettingsPatch } from '../../../../src/api/resources/session.ts';
import type { SessionsApi } from '../../../../src/api/sessionsApi.ts';
import type { DemoService, DemoServiceOptions } from '../../../../src/demoService/options.ts';
import { startDemoService } from '../../../../src/demoService/service.ts';
import { type FaultServer, forwardTo, startFaultServer } from '../../../fakes/faultServer.ts';
import { failureOf, routes } from '../rig.ts';

const bytes = (text: string) => ({
  sizeBytes: Buffer.byteLength(text),
  // oxlint-disable-next-line typescript/require-await -- a source is asynchronous by its type
  async *read() {
    yield Buffer.from(text);
  },
});

/** The demo service rejects everything that the specification doesn't allow, so a call that it accepts is valid. */
describe.each(routes)('the demo service on the $route route', ({ open }) => {
  let demoService: DemoService;
  let server: FaultServer;
  let api: SessionsApi;

  async function start(options: Partial<DemoServiceOptions> = {}, suffix = ''): Promise<void> {
    demoService = await startDemoService({ agentDelayMs: 1, ...options });
    server = await startFaultServer({ service: forwardTo(demoService.baseUrl) });
    const transport = open(server.origin);
    api = createSessionsClient({ baseUrl: server.origin + suffix, key: () => demoService.token, transport });
  }

  afterEach(async () => {
    api.dispose();
    await server.dispose();
    await demoService.dispose();
  });

  const habits = (['asc', 'desc'] as const).flatMap((order) =>
    (['null', 'absent', 'empty', 'repeat'] as const).map((lastCursor) => ({ order, lastCursor })),
  );

  it.each(habits)('returns every message of a session: $order, last cursor $lastCursor', async (options) => {
    await start(options);
    const sessionId = demoService.sessionIdByName.history;
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let hasMore = true; hasMore;) {
      const page = await api.listMessages(sessionId, { limit: 100, cursor });
      for (const message of page.messages) seen.add(message.id);
      ({ hasMore, nextCursor: cursor } = page);
    }
    expect(seen.size).toBe((await api.getSession(sessionId)).messageCount);
    expect(demoServiceRejections()).toEqual([]);
  });

  it('accepts all five operations with every parameter and field (R22)', async () => {
    await start();
    const sessionId = demoService.sessionIdByName.unicode;
    const session = await api.getSession(sessionId);
    expect(session.sessionId).toBe('a b/ü');
    const computerId = session.computerId ?? (await api.getSession(demoService.sessionIdByName.login)).computerId;
    for (const role of ['user', 'assistant', 'tool'] satisfies RoleFilter[]) {
      await api.listMessages(sessionId, { limit: 1, role, computerId: session.computerId });
    }
    const settings: Required<SessionSettingsPatch> = {
      model: 'm',
      specModeModel: 's',
      runInWorktree: true,
      providerLockTimestamp: '2026-01-01T00:00:00Z',
      assistantActiveTimeMs: 5,
      childInclusiveTokenUsageBySessionId: {},
      archivedAt: '2026-01-01T00:00:00Z',
      tags: [{ name: 'tag', metadata: { a: [1] } }],
      enabledToolIds: ['a'],
      disabledToolIds: [],
      compactionModel: 'current-model',
      compactionThresholdCheckEnabled: false,
    };
    const patched = await api.updateSession(sessionId, {
      ...settings,
      ...{ tokenUsage: { inputTokens: 1 }, other: 1 },
    });
    expect(patched.sessionSettings).toMatchObject(settings);
    const added = await api.addMessage(demoService.sessionIdByName.login, {
      text: 'Look at "this"\n\u{1f600}',
      images: [{ bytes: bytes('GIF89a') }],
      files: [
        {
          bytes: bytes('const a = 1;\n'),
          mediaType: 'text/plain',
          name: 'a.ts#L1',
          path: 'src/ü/a.ts',
          parsedData: 'p',
        },
        { bytes: bytes('%PDF'), mediaType: 'application/pdf', name: 'b.pdf' },
      ],
      computerId,
    });
    const message = await api.getMessage(demoService.sessionIdByName.login, added.messageId);
    expect(message.content).toContainEqual(
      expect.objectContaining({ type: 'text', text: 'Look at "this"\n\u{1f600}' }),
    );
    expect(demoServiceRejections()).toEqual([]);
    const post = server.requests.find(({ method }) => method === 'POST');
    expect(JSON.parse(post?.body.toString() ?? '')).toEqual({
      text: 'Look at "this"\n\u{1f600}',
      images: [{ type: 'base64', data: Buffer.from('GIF89a').toString('base64') }],
      files: [
        {
          type: 'base64',
          mediaType: 'text/plain',
          name: 'a.ts#L1',
          path: 'src/ü/a.ts',
          parsedData: 'p',
          data: Buffer.from('const a = 1;\n').toString('base64'),
        },
        { type: 'base64', mediaType: 'application/pdf', name: 'b.pdf', data: Buffer.from('%PDF').toString('base64') },
      ],
      computerId,
    });
    expect(post?.headers['content-type']).toBe('application/json');
    expect(post?.headers['content-length']).toBe(String(post?.body.byteLength));
  });

  it('responds to a wrong key, an unknown session, and an unknown message with the matching status', async () => {
    await start();
    const key = () => 'wrong';
    const stranger = createSessionsClient({ baseUrl: server.origin, key, transport: open(server.origin) });
    expect(await failureOf(stranger.getSession(demoService.sessionIdByName.login))).toMatchObject({ status: 401 });
    stranger.dispose();
    expect(await failureOf(api.getSession('../nowhere'))).toMatchObject({ kind: 'status', status: 404 });
    const call = api.getMessage(demoService.sessionIdByName.login, 'a?b#c%');
    expect(await failureOf(call)).toMatchObject({ kind: 'status', status: 404 });
    expect(server.requests.at(-1)?.url).toMatch(/\/messages\/a%3Fb%23c%25$/);
  });

  it('receives no request if a value is invalid', async () => {
    await start();
    for (const call of [
      api.getSession(''),
      api.getSession('.'),
      api.getSession('..'),
      api.getSession('\ud800'),
      api.getMessage('s', '..'),
      api.listMessages('s', { limit: 0 }),
      api.listMessages('s', { limit: 101 }),
      api.listMessages('s', { limit: 1.5 }),
      api.addMessage('s', {
        text: '',
        files: [{ bytes: bytes(''), mediaType: 'a/b', name: 'n', path: '/etc/passwd' }],
      }),
    ]) {
      expect(await failureOf(call)).toMatchObject({ kind: 'invalidRequest', sent: 'no' });
    }
    expect(server.requests).toEqual([]);
  });

  /** The requests that the service rejected. */
  function demoServiceRejections(): string[] {
    return server.requests
      .filter(({ status }) => status !== 200)
      .map(({ method, url, status }) => `${method} ${url} ${status}`);
  }
});
