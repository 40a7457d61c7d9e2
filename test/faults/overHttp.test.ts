import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createSessionsClient, type SessionsClientOptions } from '../../src/api/client.ts';
import { createEditorTransport } from '../../src/api/transport/editorTransport.ts';
import type { SessionsApi } from '../../src/api/sessionsApi.ts';
import type { Transport } from '../../src/api/http/transport.ts';
import { openDirectTransport } from '../../src/api/transport/openTransport.ts';
import { silentLog } from '../../src/shared/log.ts';
import type { DemoService } from '../../src/demoService/options.ts';
import { startDemoService } from '../../src/demoService/service.ts';
import { Store } from '../../src/state/store/store.ts';
import { ServiceClocks } from '../../src/sync/connection/serviceLimits.ts';
import { Blobs } from '../../src/sync/storage/blobs.ts';
import { memoryBodies } from '../fakes/memoryBodies.ts';
import { openDisk } from '../../src/sync/storage/recordStore.ts';
import { RecordStores } from '../../src/sync/storage/recordStores.ts';
import { Outbox } from '../../src/sync/outbox/outbox.ts';
import { FakeClock } from '../fakes/clock.ts';
import { type ServiceAnswer, forwardTo, startFaultServer } from '../fakes/faultServer.ts';
import type { Fault, When } from '../fakes/faults.ts';
import { until } from '../fakes/until.ts';
import { temporaryFolder } from '../unit/sync/outbox/outboxRig.ts';
import { counted, extent, keepTally } from './tally.ts';

const hourMs = 3_600_000;
const deadlineMs = 400;

const rejections = [400, 403, 404, 413, 422, 429];
const uncertain = [408, 409, 500, 502, 503, 504];
const html = { 'content-type': 'text/html' };

/** The faults of a POST, before and after processing if both are possible. */
const faults: readonly { readonly name: string; readonly fault: Fault }[] = [
  { name: 'reset at the head', fault: { kind: 'resetEarly' } },
  { name: 'truncated answer', fault: { kind: 'truncate', keepBytes: 10 } },
  { name: 'drip', fault: { kind: 'drip', pieceBytes: 1, intervalMs: 50 } },
  { name: 'gzip bomb', fault: { kind: 'gzipBomb', sizeBytes: 16 * 1024 * 1024 } },
  { name: 'hang after the head', fault: { kind: 'hang', when: 'after', afterHead: true } },
  {
    name: 'another shape',
    fault: { kind: 'change', change: (answer) => ({ ...answer, body: Buffer.from('{"a":1}') }) },
  },
  ...(['before', 'after'] as const).flatMap((when: When) => [
    { name: `reset ${when}`, fault: { kind: 'reset', when } as const },
    { name: `hang ${when}`, fault: { kind: 'hang', when } as const },
    { name: `delay ${when}`, fault: { kind: 'delay', when, delayMs: 60_000 } as const },
    { name: `html ${when}`, fault: { kind: 'answer', when, headers: html, body: '<p>' } as const },
    { name: `bad JSON ${when}`, fault: { kind: 'answer', when, body: '{"messageId"' } as const },
    { name: `empty ${when}`, fault: { kind: 'answer', when } as const },
    ...uncertain.map((status) => ({ name: `${status} ${when}`, fault: { kind: 'answer', when, status } as const })),
  ]),
  ...rejections.map((status) => ({
    name: `${status}`,
    fault: { kind: 'answer', when: 'before', status, headers: { 'retry-after': '1' } } as const,
  })),
  { name: 'redirect', fault: { kind: 'answer', when: 'before', status: 307, headers: { location: '/elsewhere' } } },
];

interface Habit {
  readonly name: string;
  readonly skewMs?: number;
  readonly trims?: boolean;
  /** The number of reads that also fail. */
  readonly badReads?: number;
}
const habits: readonly Habit[] = [
  { name: 'a plain service' },
  { name: 'a service that trims text', trims: true },
  { name: 'a clock an hour ahead', skewMs: hourMs },
  { name: 'a clock an hour behind', skewMs: -hourMs },
  { name: 'failing reads', badReads: 3 },
];
const routes: readonly { readonly route: string; readonly open: (origin: string) => Promise<Transport> }[] = [
  { route: 'direct', open: openDirectTransport },
  { route: 'editor', open: () => Promise.resolve(createEditorTransport()) },
];

const sum = { faults: 0, typed: 0, delivered: 0, reported: 0, lost: 0, doubled: 0 };
afterAll(() =>
  keepTally({
    part: 'Every HTTP fault × before and after processing × five services × two routes',
    order: 1,
    ...sum,
  }),
);

/** Simulates a service that trims every text it stores. */
function trimmed(answer: ServiceAnswer): ServiceAnswer {
  return { ...answer, body: Buffer.from(Buffer.from(answer.body).toString().replaceAll(' "', '"')) };
}

describe.each(routes)('the outbox over the $route route', ({ open }) => {
  const all = habits.flatMap((of) => faults.map(({ name, fault }) => ({ name, habit: of.name, fault, of })));
  const cases = all.filter((_, index) => index % extent.httpEvery === 0);
  let end: () => Promise<void>;
  afterEach(() => end());

  it.each(cases)('with $habit, $name: delivers or reports each of three messages', async ({ fault, of: habit }) => {
    const folder = await temporaryFolder();
    const clock = new FakeClock(Date.now());
    const demoService = await startDemoService({
      agentDelayMs: 5,
      failOneIn: 0,
      now: () => clock.now() + (habit.skewMs ?? 0),
    });
    const server = await startFaultServer({ service: forwardTo(demoService.baseUrl) });
    const api = await clientOf(server, demoService, open, clock, { readMs: deadlineMs, writeMs: deadlineMs });
    const store = new Store(memoryBodies());
    const disk = await openDisk(folder.path, silentLog);
    const blobs = new Blobs(folder.path, silentLog);
    const outbox = new Outbox({
      records: new RecordStores(disk),
      blobs,
      store,
      clock,
      clocks: new ServiceClocks(),
      log: silentLog,
      apiFor: () => api,
    });
    end = async () => {
      outbox.dispose();
      await outbox.released();
      await disk.flush();
      for (const part of [api, server, demoService]) await part.dispose();
      await folder.remove();
    };
    const key = { origin: server.origin, sessionId: demoService.sessionIds[0] ?? '' };
    store.addSession({ key, addedAt: 1 });
    server.addFault({ method: 'POST', nth: 2, fault });
    const badReads = { method: 'GET', times: habit.badReads ?? 0, fault: { kind: 'reset', when: 'before' } } as const;
    server.addFault(badReads);
    if (habit.trims) server.addFault({ method: 'GET', fault: { kind: 'change', change: trimmed } });

    const typed = ['one ', 'two ', 'three '];
    for (const text of typed) await outbox.enqueue(key, { text, attachments: [] });
    const reported = new Set<string>();
    await until(async () => {
      const page = await api.listMessages(key.sessionId, { limit: 100 }).catch(() => undefined);
      const texts = (page?.messages ?? []).map(textOf);
      if (page) store.takeMessages(key, page.messages);
      for (const { entryId, state, isSearching, text } of store.record(key)?.outbox ?? []) {
        if (!page || (state !== 'notSent' && (state !== 'unknown' || isSearching))) continue;
        reported.add(entryId);
        await (texts.includes(text.trim()) ? outbox.discard(entryId) : outbox.sendAgain(entryId));
      }
      clock.advance(1_000);
      return page !== undefined && store.record(key)?.outbox.length === 0;
    }, 'every message to be delivered or decided');

    const direct = await clientOf({ origin: demoService.baseUrl }, demoService, open, clock);
    const { messages } = await direct.listMessages(key.sessionId, { role: 'user', limit: 100 });
    direct.dispose();
    const counts = counted(messages.map(textOf));
    const outcome = typed.map((text) => counts.get(text.trim()) ?? 0);
    sum.faults += 1 + (habit.badReads ?? 0);
    sum.typed += typed.length;
    sum.delivered += outcome.filter((count) => count === 1).length;
    sum.reported += reported.size;
    sum.lost += outcome.filter((count) => count === 0).length;
    sum.doubled += outcome.filter((count) => count > 1).length;
    expect(outcome).toEqual([1, 1, 1]);
  });
});

async function clientOf(
  { origin }: { readonly origin: string },
  demoService: DemoService,
  open: (origin: string) => Promise<Transport>,
  clock: FakeClock,
  deadlines?: SessionsClientOptions['deadlines'],
): Promise<SessionsApi> {
  const transport = await open(origin);
  return createSessionsClient({
    ...{ baseUrl: origin, transport, deadlines },
    key: () => Promise.resolve(demoService.token),
    now: () => clock.now(),
  });
}

function textOf({ content: [block] }: { readonly content: readonly object[] }): string {
  return block && 'text' in block && typeof block.text === 'string' ? block.text.trim() : '';
}
