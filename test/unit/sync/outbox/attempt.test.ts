import { describe, expect, it } from 'vitest';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { createAttempt, findCandidateHeader, outgoingMessageOf } from '../../../../src/sync/outbox/attempt.ts';
import type { StoredEntry } from '../../../../src/sync/outbox/outboxFiles.ts';
import { clockToleranceMs } from '../../../../src/sync/outbox/sentSearch.ts';
import type { Blobs } from '../../../../src/sync/storage/blobs.ts';
import { attachment, headerOf, key, recordOf, sessionOf, unreadRecord } from '../../state/samples.ts';

const startedAt = 10_000_000;
const numbered = (count: number, part: Partial<MessageHeader> = {}) =>
  Array.from({ length: count }, (_, place) => headerOf(`m${place}`, { createdAt: place, ...part }));
const entryOf = (part: Partial<StoredEntry> = {}): StoredEntry => ({
  entryId: 'e1',
  key,
  order: 1,
  text: 'go on',
  attachments: [],
  createdAt: 1,
  state: 'queued',
  ...part,
});

describe('what an attempt records before the first byte is sent (R32)', () => {
  it('contains the claimed messages, and those that may be the user’s', () => {
    const roles = ['user', 'assistant', 'tool', 'unknown', undefined] as const;
    const headers = roles.map((role) => headerOf(`of ${role}`, { role }));
    expect(createAttempt(recordOf({ headers }), startedAt, undefined, ['claimed'])).toMatchObject({
      startedAt,
      serverOffsetMs: undefined,
      knownMessageIds: ['claimed', 'of undefined', 'of unknown', 'of user'],
    });
  });

  it('contains no message from before the tolerance of the service’s clock', () => {
    const since = startedAt + 5_000 - clockToleranceMs;
    const headers = [
      headerOf('early', { createdAt: since - 2 }),
      headerOf('old', { createdAt: since - 1 }),
      headerOf('recent', { createdAt: since }),
      headerOf('new', { createdAt: since + 1 }),
    ];
    const attempt = createAttempt(recordOf({ headers }), startedAt, 5_000, []);
    expect([attempt.serverOffsetMs, attempt.knownMessageIds]).toEqual([5_000, ['new', 'recent']]);
  });

  it('contains at most 500 messages if the service’s clock is not known', () => {
    const ids = (count: number, claimed: readonly string[]) =>
      createAttempt(recordOf({ headers: numbered(count) }), startedAt, undefined, claimed).knownMessageIds;
    expect(ids(500, [])).toHaveLength(500);
    expect(ids(501, [])).toHaveLength(500);
    expect(ids(501, [])).not.toContain('m0');
    expect(ids(501, ['claimed'])).toHaveLength(500);
    expect(ids(501, ['claimed'])).not.toContain('m1');
    const recent = createAttempt(recordOf({ headers: numbered(501, { createdAt: startedAt }) }), startedAt, 0, []);
    expect(recent.knownMessageIds).toHaveLength(501);
  });

  it('contains the newest known time of the session or its messages', () => {
    const headers = [headerOf('a', { createdAt: 3 }), headerOf('b', { createdAt: 7 })];
    const newestOf = (record: Parameters<typeof createAttempt>[0]) =>
      createAttempt(record, startedAt, undefined, []).newestKnownAt;
    expect(newestOf(recordOf({ headers, session: sessionOf({ updatedAt: 5 }) }))).toBe(7);
    expect(newestOf(recordOf({ headers, session: sessionOf({ updatedAt: 9 }) }))).toBe(9);
    expect(newestOf(recordOf({ session: undefined }))).toBe(0);
    expect(newestOf(unreadRecord())).toBeUndefined();
    expect(newestOf(unreadRecord({ headers }))).toBe(7);
  });

  it('has an ID of its own', () => {
    const attempt = () => createAttempt(recordOf(), startedAt, undefined, []).attemptId;
    expect(attempt()).not.toBe(attempt());
  });
});

describe('the message to send', () => {
  const opened = { open: (blobId: string, sizeBytes: number) => `${blobId} ${sizeBytes}` } as unknown as Blobs;
  const image = { ...attachment, kind: 'image', blobId: 'b1', mediaType: 'image/png', sizeBytes: 2 } as const;
  const file = { ...attachment, kind: 'file', blobId: 'b2', name: 'a.csv', parsedData: 'a,b' } as const;

  it('has only a text if nothing is attached', () => {
    expect(outgoingMessageOf(entryOf(), opened, 'typed')).toEqual({ text: 'go on', computerId: undefined });
  });

  it.each([
    ['typed', { bytes: 'b1 2', mediaType: 'image/png' }],
    ['plain', { bytes: 'b1 2' }],
  ] as const)('has images with their type only in the form that has one (%s)', (form, expected) => {
    const message = outgoingMessageOf(entryOf({ attachments: [image], computerId: 'c1' }), opened, form);
    expect(message).toStrictEqual({ text: 'go on', images: [expected], computerId: 'c1' });
  });

  it('has other attachments as files', () => {
    const message = outgoingMessageOf(entryOf({ attachments: [image, file] }), opened, 'typed');
    expect(message.images).toHaveLength(1);
    expect(message.files).toEqual([
      { bytes: 'b2 3000', mediaType: 'text/plain', name: 'a.csv', path: 'src/cart.ts', parsedData: 'a,b' },
    ]);
  });
});

describe('the header that most probably belongs to an entry', () => {
  const find = (headers: readonly MessageHeader[], part: Partial<StoredEntry> = {}, excluded: readonly string[] = []) =>
    findCandidateHeader(headers, entryOf(part), { text: 'go on', excludedIds: new Set(excluded), notBefore: 1_000 })
      ?.messageId;
  const sent = (messageId: string, part: Partial<MessageHeader> = {}) =>
    headerOf(messageId, { firstLine: 'go on', ...part });

  it('is the earliest one with the first line of the entry, or with the name of an attachment', () => {
    expect(find([sent('a'), headerOf('b'), sent('c')])).toBe('a');
    expect(find([headerOf('a'), headerOf('b')])).toBeUndefined();
    expect(find([sent('a')], { text: '# go on\nwith this' })).toBe('a');
    expect(find([sent('a', { firstLine: attachment.name })], { attachments: [attachment] })).toBe('a');
    expect(find([sent('a', { firstLine: attachment.name })])).toBeUndefined();
  });

  it('is no tool result without output if the entry has no text', () => {
    const onlyImage = entryOf({ text: '', attachments: [attachment] });
    const noOutput = headerOf('result', { createdAt: startedAt, firstLine: '', toolCount: 1, hasText: false });
    const criteria = { text: '', excludedIds: new Set<string>(), notBefore: startedAt };
    expect(findCandidateHeader([noOutput], onlyImage, criteria)).toBeUndefined();
    const sent = headerOf('sent', { createdAt: startedAt, firstLine: '' });
    expect(findCandidateHeader([noOutput, sent, noOutput], onlyImage, criteria)?.messageId).toBe('sent');
  });

  it('is not one that belongs to another entry, or that the user can’t have written', () => {
    expect(find([sent('a'), sent('b')], {}, ['a'])).toBe('b');
    expect(find([sent('a', { role: 'assistant' }), sent('b', { role: undefined })])).toBe('b');
  });

  it('is not older than the attempt', () => {
    expect(find([sent('a', { createdAt: 999 }), sent('b', { createdAt: 1_000 })])).toBe('b');
    expect(find([sent('a', { createdAt: 1_000 }), headerOf('b', { createdAt: 999 }), sent('c')])).toBe('c');
  });
});
