import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { fromJSONSchema } from 'zod';
import { createSessionsClient } from '../../../../src/api/client.ts';
import { createDirectTransport } from '../../../../src/api/transport/directTransport.ts';
import { unfiltered } from '../../../../src/state/conversation/filter.ts';
import { exportPieces } from '../../../../src/state/documents/export.ts';
import { call, demoServices } from '../../demoService/client.ts';
import { Reader, orders } from '../../sync/history/historyRig.ts';
import { ready, t } from '../samples.ts';

const start = demoServices();
const path = new URL('../../../../docs/export.schema.json', import.meta.url);
const document = JSON.parse(await readFile(path, 'utf8')) as { readonly $defs: object };
type Schema = Parameters<typeof fromJSONSchema>[0];
const part = (name: string) => fromJSONSchema({ $ref: `#/$defs/${name}`, $defs: document.$defs } as Schema);
const schemas = { file: fromJSONSchema(document as Schema), head: part('head'), message: part('message') };

describe.each(orders)('an export of a session of the demo service, listed %s', (order) => {
  it.each([
    ['json', true],
    ['jsonl', false],
  ] as const)('as %s fits docs/export.schema.json and is what the service returned', async (format, listRoles) => {
    const demoService = await start({ order, listRoles, messages: 130, agentDelayMs: 600_000 });
    const client = createSessionsClient({
      baseUrl: demoService.baseUrl,
      key: () => demoService.token,
      transport: createDirectTransport(demoService.baseUrl),
    });
    for (const sessionId of demoService.sessionIds) {
      const key = { origin: demoService.baseUrl, sessionId };
      const reader = new Reader(key);
      reader.store.takeSession(key, await client.getSession(sessionId), 1, 1);
      await reader.readAll(client);
      let text = '';
      const plan = { format, isRedacted: false, record: reader.store.record(key)!, connection: ready } as const;
      const words = { t, time: String, dateTime: String };
      const readBodies = (messageIds: readonly string[]) => reader.store.readBodies(key, messageIds);
      for await (const piece of exportPieces({ ...plan, filter: unfiltered, words, readBodies })) text += piece.text;

      const values = (format === 'json' ? [text] : text.trim().split('\n')).map((value): unknown => JSON.parse(value));
      const [first, ...rest] = values as [{ session: object; messages: object[] }, ...object[]];
      const messages = format === 'json' ? first.messages : rest;
      expect((format === 'json' ? schemas.file : schemas.head).safeParse(first).error).toBeUndefined();
      for (const message of messages) expect(schemas.message.safeParse(message).error).toBeUndefined();

      const encoded = encodeURIComponent(sessionId);
      const { body: session } = await call(demoService, `/sessions/${encoded}`);
      expect(JSON.stringify(first.session)).toBe(JSON.stringify(session));
      for (const message of messages as { id: string; lineside?: { role: string } }[]) {
        const { body } = await call(demoService, `/sessions/${encoded}/messages/${message.id}`);
        const { lineside, ...sent } = message;
        const { role, ...others } = body;
        // A message that the service listed without a role is exported like that. Its role, which was learned from a
        // filter or from reading the message alone, is in `lineside`.
        const isListed = !('role' in sent);
        expect(JSON.stringify(sent)).toBe(JSON.stringify(isListed ? others : body));
        expect(lineside).toEqual(isListed ? { role } : undefined);
      }
      expect(messages).toHaveLength(Number(session['messageCount']));
    }
    client.dispose();
  });
});

it('the schema rejects an unknown note, a message without an ID, and a file without messages', () => {
  const head = { formatVersion: 2, service: 'https://service.test', session: { sessionId: 's' } };
  expect(schemas.file.safeParse({ ...head, messages: [] }).success).toBe(true);
  expect(schemas.file.safeParse(head).success).toBe(false);
  expect(schemas.file.safeParse({ ...head, messages: [{}] }).success).toBe(false);
  expect(schemas.message.safeParse({ id: 'm', lineside: { other: 1 } }).success).toBe(false);
  expect(schemas.message.safeParse({ id: 'm', anything: { else: 1 } }).success).toBe(true);
});
