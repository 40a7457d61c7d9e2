import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import {
  type Arrival,
  type IndexLine,
  type SavedCursor,
  addArrival,
  addedLines,
  encodeHead,
  encodeLine,
  readIndex,
  wholeLines,
} from '../../../../src/sync/cache/indexFormat.ts';

const key = { origin: 'https://agents.example', sessionId: 'ses_01' };
const place: SavedCursor = { order: 'newestFirst', completeness: 'complete', roleStops: [], unnamedIds: [] };
const plain: MessageHeader = {
  ...{ messageId: 'm0', role: undefined, createdAt: 1, updatedAt: 2, firstLine: '', estimatedLines: 1 },
  ...{
    isError: false,
    hasText: false,
    hasThinking: false,
    toolCount: 0,
    errorCount: 0,
    isModelOnly: false,
    hasAddedText: false,
  },
};
const headers: readonly MessageHeader[] = [
  plain,
  { ...plain, messageId: 'm1', role: 'user', workingFolder: '/r', firstLine: 'Why?', hasText: true, estimatedLines: 7 },
  { ...plain, messageId: 'm2', role: 'assistant', phase: 'commentary', hasThinking: true, parentId: 'm1' },
  { ...plain, messageId: 'm3', role: 'assistant', phase: 'final', hasText: true, parentId: '' },
  { ...plain, messageId: 'm4', role: 'tool', toolCount: 3, errorCount: 2, isError: true },
  { ...plain, messageId: 'm5', role: 'system', isModelOnly: true, createdAt: -5.5 },
  { ...plain, messageId: 'm6', role: 'unknown', isGone: true },
  { ...plain, messageId: 'm7', role: 'user', hasAddedText: true },
];
const bodyAt = (offset: number, fileName: string) => ({ fileName, offset, sizeBytes: 9, checksum: 77, updatedAt: 2 });

function line(part: Partial<IndexLine> = {}): string {
  return encodeLine({ arrival: 'after', entries: headers.map((header) => ({ header })), place, ...part });
}

/** Applies `change` to an index line and returns the line with a valid checksum. */
function forged(
  change: (value: { headers: Record<string, unknown>; bodies: Record<string, unknown> }) => void,
): string {
  const value = JSON.parse(line().slice(9)) as Parameters<typeof change>[0];
  change(value);
  return summed(JSON.stringify(value));
}

function summed(json: string): string {
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
}

describe('the index of a session', () => {
  it.each(['command', 'skill', 'candidate', 'found'] as const)(
    'preserves that a message is a %s',
    async (expansion) => {
      const entries = [{ header: { ...plain, expansion } }];
      const index = await readIndex(encodeHead(key) + line({ entries }), key);
      expect(index?.headers).toEqual([{ arrival: 'after', headers: [{ ...plain, expansion }] }]);
    },
  );

  it('preserves every header', async () => {
    const index = await readIndex(encodeHead(key) + line(), key);
    expect(index?.headers).toEqual([{ arrival: 'after', headers }]);
    expect(index?.place).toEqual(place);
  });

  it('is the same in every build of its version', async () => {
    const columns =
      '"headers":{"messageIds":["m0","m1","m2","m3","m4","m5","m6","m7"],"roles":"-uaatsxu","createdAt":[1,1,1,1,1,-5.5,1,1],' +
      '"updatedAt":[2,2,2,2,2,2,2,2],"firstLines":["","Why?","","","","","",""],' +
      '"numbers":[1,0,0,0,7,4,0,0,1,40,0,0,1,68,0,0,1,1,3,2,1,16,0,0,1,2,0,0,1,128,0,0],' +
      '"parentIds":[null,null,"m1","",null,null,null,null],"tools":[null,null,null,null,null,null,null,null],' +
      '"questions":[null,null,null,null,null,null,null,null],' +
      '"workingFolders":[null,"/r",null,null,null,null,null,null]}';
    const bodies = '"bodies":{"fileNames":["b-1.bodies","a.bodies"],"places":[1,0,4,9,77,2,3,1,13,9,77,2]}';
    const cursor = '"place":{"order":"newestFirst","completeness":"complete","roleStops":[],"unnamedIds":[]}';
    const stored =
      summed('{"version":12,"origin":"https://agents.example","sessionId":"ses_01"}') +
      summed(`{"arrival":"after",${columns},${bodies},${cursor}}`);
    const index = await readIndex(stored, key);
    expect(index?.headers).toEqual([{ arrival: 'after', headers }]);
    expect([...(index?.bodies ?? [])]).toEqual([
      ['m1', bodyAt(4, 'b-1.bodies')],
      ['m3', bodyAt(13, 'a.bodies')],
    ]);
    expect(index?.place).toEqual(place);
    const entries = headers.map((header) => ({
      header,
      body: { m1: bodyAt(4, 'b-1.bodies'), m3: bodyAt(13, 'a.bodies') }[header.messageId],
    }));
    expect(encodeHead(key) + line({ entries })).toBe(stored);
  });

  it.each<SavedCursor>([
    {
      ...{ order: 'oldestFirst', completeness: 'partial', olderCursor: 'older', tailCursor: 'tail' },
      readAt: { status: 'idle', messageCount: 3, updatedAt: 4 },
      roleStops: [
        ['user', 'm1'],
        ['assistant', null],
        ['tool', 'm4'],
      ],
      ...{ unnamedIds: ['m0'], missingCount: 1, unlistedCount: 2 },
    },
    { ...place, order: 'unknown' },
  ])('preserves the loading state: %o', async (saved) => {
    expect((await readIndex(encodeHead(key) + line({ place: saved }), key))?.place).toEqual(saved);
  });

  it('keeps the last loading state, and is ignored without one', async () => {
    const without = line({ place: undefined });
    const saved = { ...place, order: 'oldestFirst' } as const;
    expect((await readIndex(encodeHead(key) + line() + line({ place: saved }) + without, key))?.place).toEqual(saved);
    expect(await readIndex(encodeHead(key) + without, key)).toBeUndefined();
  });

  it.each([
    ['an empty file', ''],
    ['an index of another service', encodeHead({ ...key, origin: 'https://other.example' }) + line()],
    ['an index of another session', encodeHead({ ...key, sessionId: 'ses_02' }) + line()],
  ])('is not read from %s', async (_, text) => {
    expect(await readIndex(text, key)).toBeUndefined();
  });

  it('joins lines that arrived in the same direction, each before or after the earlier ones', async () => {
    const arrived = (arrival: 'before' | 'after', ...messageIds: string[]) =>
      line({ arrival, entries: messageIds.map((messageId) => ({ header: { ...plain, messageId } })) });
    const text =
      encodeHead(key) +
      arrived('after', 'a', 'b') +
      arrived('after', 'c') +
      arrived('before', 'd') +
      arrived('before', 'e', 'f') +
      arrived('after', 'g');
    const index = await readIndex(text, key);
    expect(index?.headers.map((batch) => [batch.arrival, ...batch.headers.map(({ messageId }) => messageId)])).toEqual([
      ['after', 'a', 'b', 'c'],
      ['before', 'e', 'f', 'd'],
      ['after', 'g'],
    ]);
  });

  it('lets other tasks run between its lines', async () => {
    let turns = 0;
    let isRead = false;
    const count = () => {
      turns++;
      if (!isRead) setImmediate(count);
    };
    setImmediate(count);
    await readIndex(encodeHead(key) + line() + line() + line(), key);
    isRead = true;
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it('ignores the location of a body if its line lacks the message or the file', async () => {
    const text = forged(({ bodies }) => {
      bodies['fileNames'] = ['a.bodies'];
      bodies['places'] = [99, 0, 0, 9, 77, 2, 1, 5, 0, 9, 77, 2, 2, 0, 9, 9, 77, 2];
    });
    expect([...((await readIndex(encodeHead(key) + text, key))?.bodies ?? [])]).toEqual([
      ['m2', bodyAt(9, 'a.bodies')],
    ]);
  });

  it('takes the location of a body from the last line that contains its message', async () => {
    const [first, second, third] = headers.map((header) => ({ header }));
    if (!first || !second || !third) throw new Error('no headers');
    const older = line({
      entries: [{ ...first, body: bodyAt(0, 'a.bodies') }, second, { ...third, body: bodyAt(9, 'b.bodies') }],
    });
    const newer = line({ entries: [{ ...third, body: bodyAt(18, 'a.bodies') }, first] });
    const index = await readIndex(encodeHead(key) + older + newer, key);
    expect([...(index?.bodies ?? [])]).toEqual([
      ['m0', bodyAt(0, 'a.bodies')],
      ['m2', bodyAt(18, 'a.bodies')],
    ]);
  });

  it.each([
    ['a column that is shorter', (value) => (value.headers['firstLines'] = ['one'])],
    ['too few numbers', (value) => (value.headers['numbers'] = [1, 2, 3])],
    ['numbers for texts', (value) => (value.headers['firstLines'] = headers.map(() => 5))],
    ['one number among texts', (value) => (value.headers['firstLines'] = [5, ...headers.slice(1).map(() => '')])],
    ['one number among optional texts', (value) => (value.headers['tools'] = [5, ...headers.slice(1).map(() => null)])],
    ['one text among numbers', (value) => (value.headers['createdAt'] = ['x', ...headers.slice(1).map(() => 1)])],
    ['a text for a number', (value) => (value.headers['createdAt'] = headers.map(() => 'x'))],
    ['a role it does not know', (value) => (value.headers['roles'] = '-uaatsz')],
    ['a body half told', (value) => (value.bodies['places'] = [0, 0, 1])],
    ['a file elsewhere', (value) => (value.bodies['fileNames'] = ['../../x.bodies'])],
    ['a file below another', (value) => (value.bodies['fileNames'] = ['x.bodies/x'])],
  ] satisfies [string, Parameters<typeof forged>[0]][])('ends before a line with %s', async (_, change) => {
    const index = await readIndex(encodeHead(key) + line({ entries: [{ header: plain }] }) + forged(change), key);
    expect(index?.headers).toEqual([{ arrival: 'after', headers: [plain] }]);
  });
});

describe('messages that are not in the index yet', () => {
  const idsOf = (lines: Iterable<IndexLine>) =>
    [...lines].map(({ arrival, entries }) => [arrival, ...entries.map(({ header }) => header.messageId)]);
  const byId = new Map(headers.map((header) => [header.messageId, header]));
  const headerOf = (messageId: string) => byId.get(messageId);

  it('are joined if they arrived in the same direction, each before or after the earlier ones', () => {
    const arrivals: Arrival[] = [];
    for (const [arrival, ...messageIds] of [
      ['after', 'a', 'b'],
      ['after', 'c'],
      ['before', 'd'],
      ['before', 'e', 'f'],
      ['after', 'g'],
    ] as const)
      addArrival(arrivals, arrival, messageIds);
    expect(arrivals.map(({ arrival, messageIds }) => [arrival, ...messageIds])).toEqual([
      ['after', 'a', 'b', 'c'],
      ['before', 'e', 'f', 'd'],
      ['after', 'g'],
    ]);
  });

  it('are added only if the header is known, and the header or the body is not in the index', () => {
    const body = bodyAt(0, 'a.bodies');
    const indexed = new Map([
      ['m1', { ...plain, messageId: 'm1', role: 'user', firstLine: 'How?' }],
      ...['m2', 'm3'].map((messageId) => [messageId, byId.get(messageId)!] as const),
    ] as [string, MessageHeader][]);
    const arrivals: Arrival[] = [
      { arrival: 'before', messageIds: ['m0', 'm1'] },
      { arrival: 'after', messageIds: ['m2', 'unknown'] },
      { arrival: 'after', messageIds: ['m3', 'm2'] },
    ];
    const lines = addedLines(arrivals, headerOf, new Map([['m3', body]]), indexed);
    expect(idsOf(lines)).toEqual([
      ['before', 'm0', 'm1'],
      ['after', 'm3'],
    ]);
    expect(lines.map(({ entries }) => entries.map((entry) => entry.body))).toEqual([[undefined, undefined], [body]]);
  });

  it('are left out while they are detached, even if their body was written', () => {
    const detached = (messageId: string) => ({ ...plain, messageId, isDetached: true });
    const arrivals: Arrival[] = [{ arrival: 'after', messageIds: ['m0'] }];
    const written = new Map([['m0', bodyAt(0, 'a.bodies')]]);
    expect(addedLines(arrivals, detached, written, new Map())).toEqual([]);
    expect(idsOf(wholeLines([detached('m0'), { ...plain, messageId: 'm1' }], written, place))).toEqual([
      ['after', 'm1'],
      ['after'],
    ]);
  });

  it.each([
    [0, [0]],
    [1_000, [1_000, 0]],
    [1_001, [1_000, 1, 0]],
    [2_500, [1_000, 1_000, 500, 0]],
  ])('are written in lines of at most 1,000, with the loading state at the end: %i', (count, sizes) => {
    const many = Array.from({ length: count }, (_, index) => ({ ...plain, messageId: `m${index}` }));
    const body = bodyAt(0, 'a.bodies');
    const lines = [...wholeLines(many, new Map([['m999', body]]), place)];
    expect(lines.map(({ entries }) => entries.length)).toEqual(sizes);
    expect(lines.map((one) => one.place)).toEqual([...sizes.slice(1).map(() => undefined), place]);
    expect(lines.flatMap(({ entries }) => entries.map(({ header }) => header))).toEqual(many);
    expect(lines.flatMap(({ entries }) => entries.flatMap((entry) => entry.body ?? []))).toEqual(
      count === 0 ? [] : [body],
    );
    expect(lines.every(({ arrival }) => arrival === 'after')).toBe(true);
  });
});
