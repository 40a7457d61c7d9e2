import { expect, it } from 'vitest';
import type { Message } from '../../../../src/api/resources/message.ts';
import { summarizeMessage } from '../../../../src/state/store/messageHeader.ts';
import { describePlan, describePlanItems } from '../../../../src/state/presentation/describePlan.ts';
import { headerOf, t } from '../samples.ts';

const todos = [
  { content: 'Read the code', status: 'completed' },
  { content: 'Write\nthe tests', status: 'in_progress' },
  { content: 'Tidy up', status: 'pending' },
];
const message: Message = {
  id: 'm',
  role: 'assistant',
  createdAt: 1,
  updatedAt: 1,
  content: [{ type: 'tool_use', toolUseId: 'a', name: 'TodoWrite', input: { todos } }],
};

it('the plan of the agent is described by its progress and its items', () => {
  const headers = [headerOf('p'), summarizeMessage(message)];
  expect(describePlan(headers, t)).toEqual({
    label: 'Plan: 1 of 3 done',
    current: 'Write the tests',
    version: expect.any(String) as unknown,
  });
  expect(describePlan([headerOf('p')], t)).toBeUndefined();
  expect(describePlanItems(message, 0, t)).toEqual([
    { text: 'Read the code', state: 'done', spoken: 'done' },
    { text: 'Write the tests', state: 'current', spoken: 'in progress' },
    { text: 'Tidy up', state: 'open', spoken: 'to do' },
  ]);
  expect(describePlanItems(message, 1, t)).toEqual([]);
});

it('the plan has another version after each call, and after a change of the message', () => {
  const versionAfter = (...messages: Message[]) =>
    describePlan([headerOf('p'), ...messages.map((one) => summarizeMessage(one))], t)?.version;
  const first = versionAfter(message);
  expect(versionAfter(message)).toBe(first);
  const versions = [
    first,
    versionAfter(message, { ...message, id: 'n' }),
    versionAfter({ ...message, content: [...message.content, ...message.content] }),
    versionAfter({ ...message, updatedAt: 2 }),
  ];
  expect(new Set(versions).size).toBe(4);
});
