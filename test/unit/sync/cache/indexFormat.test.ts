import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import {
  type IndexLine,
  type SavedCursor,
  encodeHead,
  encodeLine,
  readIndex,
} from '../../../../src/sync/cache/indexFormat.ts';

const key = { origin: 'https://agents.example', sessionId: 'ses_01' };
const place: SavedCursor = { order: 'newestFirst', completeness: 'complete', roleStops: [], unnamedIds: [] };
const plain: MessageHeader = {
  ...{ messageId: 'm0', role: undefined, createdAt: 1, updatedAt: 2, firstLine: '', estimatedLines: 1 },
  ...{ isError: false, hasText: false, hasThinking: false, toolCount: 0, errorCount: 0, isModelOnly: false },
};
const headers: readonly MessageHeader[] = [
  plain,
  { ...plain, messageId: 'm1', role: 'user', firstLine: 'Why?', hasText: true, estimatedLines: 7 },
  { ...plain, messageId: 'm2', role: 'assistant', phase: 'commentary', hasThinking: true, parentId: 'm1' },
  { ...plain, messageId: 'm3', role: 'assistant', phase: 'final', hasText: true, parentId: '' },
  { ...plain, messageId: 'm4', role: 'tool', toolCount: 3, errorCount: 2, isError: true },
  { ...plain, messageId: 'm5', role: 'system', isModelOnly: true, createdAt: -5.5 },
  { ...plain, messageId: 'm6', role: 'unknown', isGone: true },
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
  const json = JSON.stringify(value);
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
}

describe('the index of a session', () => {
  it('preserves every header', async () => {
    const index = await readIndex(encodeHead(key) + line(), key);
    expect(index?.headers).toEqual([{ arrival: 'after', headers }]);
    expect(index?.place).toEqual(place);
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
    ['a text for a number', (value) => (value.headers['createdAt'] = headers.map(() => 'x'))],
    ['a role it does not know', (value) => (value.headers['roles'] = '-uaatsz')],
    ['a body half told', (value) => (value.bodies['places'] = [0, 0, 1])],
    ['a file elsewhere', (value) => (value.bodies['fileNames'] = ['../../x.bodies'])],
  ] satisfies [string, Parameters<typeof forged>[0]][])('ends before a line with %s', async (_, change) => {
    const index = await readIndex(encodeHead(key) + line({ entries: [{ header: plain }] }) + forged(change), key);
    expect(index?.headers).toEqual([{ arrival: 'after', headers: [plain] }]);
  });
});
