import { describe, expect, it } from 'vitest';
import { readSessionReferences } from '../../../../src/state/sessions/sessionLinks.ts';

const id = '0f6b1c52-3d1e-4a8b-9c47-5f0b8a2d6e11';

describe('pasted text', () => {
  it.each([
    ['', []],
    [' \n,;', []],
    [id, [{ sessionId: id }]],
    [`  ${id}\n`, [{ sessionId: id }]],
    ['a, b;c d\ne', ['a', 'b', 'c', 'd', 'e'].map((sessionId) => ({ sessionId }))],
    ['a a,a', [{ sessionId: 'a' }]],
    [`https://app.test/sessions/${id}`, [{ sessionId: id, origin: 'https://app.test' }]],
    [`https://app.test:8443/x/sessions/${id}/messages/m1?y#z`, [{ sessionId: id, origin: 'https://app.test:8443' }]],
    ['https://app.test/api/v0/sessions/a%20b%2F%C3%BC', [{ sessionId: 'a b/ü', origin: 'https://app.test' }]],
    ['https://app.test/open?session=abc', [{ sessionId: 'abc', origin: 'https://app.test' }]],
    ['https://app.test/sessions/abc?session=', [{ sessionId: 'abc', origin: 'https://app.test' }]],
    ['https://app.test/s/abc/', [{ sessionId: 'abc', origin: 'https://app.test' }]],
    ['https://app.test/s/%E0%A4%A', [{ sessionId: '%E0%A4%A', origin: 'https://app.test' }]],
    ['https://app.test/sessions/abc?tags=x,y;z#a,b', [{ sessionId: 'abc', origin: 'https://app.test' }]],
    [
      '["https://app.test/sessions/a?b=1,2","https://app.test/sessions/c?d"]',
      ['a', 'c'].map((sessionId) => ({ sessionId, origin: 'https://app.test' })),
    ],
    [
      'https://app.test/sessions/a?b=1,2,https://app.test/sessions/c?d;',
      ['a', 'c'].map((sessionId) => ({ sessionId, origin: 'https://app.test' })),
    ],
    ['https://app.test/', []],
    ['https://app.test/sessions/', []],
    ['https://', []],
    ['vscode://lineside.lineside/open?session=abc', [{ sessionId: 'abc' }]],
    [
      'https://a.test/sessions/x https://b.test/sessions/x x',
      [{ sessionId: 'x', origin: 'https://a.test' }, { sessionId: 'x', origin: 'https://b.test' }, { sessionId: 'x' }],
    ],
  ])('%j', (text, references) => expect(readSessionReferences(text)).toEqual(references));
});
