import { describe, expect, it } from 'vitest';
import {
  originRecordName,
  sessionHash,
  sessionRecordName,
  storedAttachmentSchema,
} from '../../../../src/sync/storage/recordNames.ts';

/** IDs that would be invalid, hidden, equal, or harmful as file names on some platform. */
const sessionIds = [
  'a',
  'A',
  'ä',
  'a\u0308',
  'CON',
  'nul.txt',
  'a.',
  'a ',
  '.a',
  '',
  '..',
  '../../a',
  '..\\..\\a',
  'C:\\a',
  '\\\\server\\share',
  'a:stream',
  'a/b',
  'a\u0000b',
  'x'.repeat(1000),
];
const origin = 'https://service.test';

describe('names of records', () => {
  it('are valid, short, and distinct on every file system, regardless of the session ID', () => {
    const names = sessionIds.map((sessionId) => sessionRecordName('drafts', { origin, sessionId }));
    for (const name of names) expect(name).toMatch(/^drafts\/[0-9a-f]{32}\.json$/);
    // Lowercase hexadecimal digits stay distinct even if case and normalization are ignored.
    expect(new Set(names).size).toBe(sessionIds.length);
  });

  it('differ between services and between session and service', () => {
    const other = 'https://service.test:8443';
    expect(sessionHash({ origin: other, sessionId: 'a' })).not.toBe(sessionHash({ origin, sessionId: 'a' }));
    expect(originRecordName('keys', other)).not.toBe(originRecordName('keys', origin));
    expect(originRecordName('keys', origin)).toMatch(/^keys\/[0-9a-f]{32}\.json$/);
  });

  it('stay the same in every version, because records are found by them', () => {
    expect(sessionHash({ origin, sessionId: 'a' })).toBe('3d79e7e6f235b686b465630804716cfd');
  });
});

describe('an attachment in a record', () => {
  const blobId = '01234567-89ab-4cde-8f01-23456789abcd';
  const attachment = {
    ...{ attachmentId: 'a', name: 'a.txt', mediaType: 'text/plain', sizeBytes: 1, sha256: 'ff', isUnsaved: false },
    ...{ kind: 'file', blobId },
  };

  it.each(['file', 'selection', 'image'])('can be of kind %s', (kind) => {
    expect(storedAttachmentSchema.parse({ ...attachment, kind })).toEqual({ ...attachment, kind });
  });

  it.each(['../../secret', `../${blobId}`, `${blobId}/..`, `${blobId}0`, ''])(
    'cannot refer to a file that is not a blob: %s',
    (foreign) => {
      expect(storedAttachmentSchema.safeParse({ ...attachment, blobId: foreign }).success).toBe(false);
    },
  );
});
