import { expect, it } from 'vitest';
import { nextNeedingYou } from '../../../../src/state/sessions/triage.ts';
import { sectionsOf } from '../../../../src/state/sessions/sections.ts';
import type { SessionRecord } from '../../../../src/state/store/sessionRecord.ts';
import { entryOf, key, now, recordOf, sessionOf } from '../samples.ts';

const waiting = { messageId: 'm', rule: 'question', question: 'Which?' } as const;
const record = (sessionId: string, ageMs: number, part: Partial<SessionRecord>) =>
  recordOf({
    listEntry: { key: { ...key, sessionId }, addedAt: 1 },
    session: sessionOf({ sessionId, updatedAt: now - ageMs }),
    ...part,
  });
const idOf = (found: SessionRecord | undefined) => found?.listEntry.key.sessionId;
const [second, first, third, calm] = [
  record('second', 1, { waiting }),
  record('first', 9, { outbox: [entryOf({ state: 'notSent' })] }),
  record('third', 5, { waiting }),
  record('calm', 0, {}),
];
const all = [calm, second, third, first];

it('goes through the sessions that need the user in the order of the tree, and starts over after the last one', () => {
  const drawn = sectionsOf(all, 'age', 'name', now)[0]?.records.map(idOf);
  expect(drawn).toEqual(['first', 'second', 'third']);
  expect(idOf(nextNeedingYou(all, undefined))).toBe('first');
  expect(idOf(nextNeedingYou(all, first))).toBe('second');
  expect(idOf(nextNeedingYou(all.toReversed(), second))).toBe('third');
  expect(idOf(nextNeedingYou(all, third))).toBe('first');
  expect(idOf(nextNeedingYou(all, calm))).toBe('first');
});

it('continues behind a session that no longer needs the user', () => {
  const answered = record('second', 0, {});
  expect(idOf(nextNeedingYou([calm, answered, third, first], second))).toBe('third');
});

it('finds none if no other session needs the user', () => {
  expect(nextNeedingYou([calm, second], second)).toBeUndefined();
  expect(nextNeedingYou([calm], undefined)).toBeUndefined();
});
