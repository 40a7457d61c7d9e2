import { expect, it } from 'vitest';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { describeCompared } from '../../../../src/state/presentation/describeCompared.ts';
import { headerOf, recordOf, t } from '../samples.ts';

it.each<[Partial<MessageHeader>, string]>([
  [{}, 'User'],
  [{ role: 'assistant' }, 'Assistant'],
  [{ hasText: false, toolCount: 2 }, 'Tool'],
  [{ toolCount: 1 }, 'User'],
  [{ hasText: false, hasAddedText: true }, "Agent's tooling"],
])('a message with %j is compared as one of "%s"', (part, name) => {
  const title = describeCompared(recordOf({}), headerOf('m1', part), false, t);
  expect(title).toContain(`${name}, `);
});

it('a message that is not in the store is of an unknown role', () => {
  expect(describeCompared(recordOf({}), undefined, false, t)).toContain('Unknown role');
});
