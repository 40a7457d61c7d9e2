import { describe, expect, it } from 'vitest';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { EarlierCalls, MarkReader, pairCalls } from '../../../../src/state/work/calls.ts';
import { currentPlan } from '../../../../src/state/work/plan.ts';
import { sumOfTasks } from '../../../../src/state/work/tasks.ts';
import { headerOf } from '../samples.ts';
import { resultMarks, toolHeader } from './toolHeaders.ts';

const create = (id: string, subject: string) => toolHeader(id, ['TaskCreate', { subject, description: 'More' }]);
const created = (id: string, number: number) => resultMarks(`r-${id}`, id, `Task #${number} created successfully: x`);
const update = (id: string, input: object) => toolHeader(id, ['TaskUpdate', input]);
const prompt = headerOf('p');

it('the to-do list is the sum of the calls so far', () => {
  const headers = [
    ...[prompt, create('a', 'Read'), create('b', 'Write'), create('c', 'Test'), created('a', 1), created('b', 2)],
    ...[
      created('c', 3),
      update('d', { taskId: '1', status: 'completed' }),
      resultMarks('r-d', 'd', 'Updated task #1 status'),
    ],
    ...[update('e', { taskId: '2', status: 'in_progress', subject: 'Write it' })],
  ];
  expect(sumOfTasks(headers)).toEqual([
    { text: 'Read', state: 'done' },
    { text: 'Write it', state: 'current' },
    { text: 'Test', state: 'open' },
  ]);
  expect(currentPlan(headers)).toMatchObject({ messageId: 'e', done: 1, total: 3, current: 'Write it' });
  expect(currentPlan([...headers, prompt, headerOf('t', { role: 'assistant' })])).toBeUndefined();
  const later = [...headers, prompt, update('f', { taskId: '3', status: 'deleted' })];
  expect(currentPlan(later)).toMatchObject({ messageId: 'f', done: 1, total: 2 });
});

it('a call that failed or was rejected, that shows the list, or that changes something else does not change it', () => {
  const headers = [
    ...[prompt, create('a', 'Read'), created('a', 1)],
    ...[update('b', { taskId: '9', status: 'completed' }), resultMarks('r-b', 'b', 'Task not found', true)],
    ...[update('x', { taskId: '1', status: 'completed' }), resultMarks('r-x', 'x', 'The user denied this operation.')],
    ...[update('c', { taskId: '1', addBlockedBy: ['2'] }), toolHeader('d', ['TaskList', {}])],
  ];
  expect(sumOfTasks(headers)).toEqual([{ text: 'Read', state: 'open' }]);
  expect(currentPlan(headers)).toMatchObject({ messageId: 'd', done: 0, total: 1 });
});

it('is not known if items were created before these messages', () => {
  const known = [prompt, create('a', 'Read'), created('a', 1)];
  const unknown = [
    [prompt, update('b', { taskId: '4', status: 'in_progress' })],
    [prompt, update('b', { taskId: '4', status: 'deleted' })],
    [...known, update('b', { taskId: '2', status: 'completed' })],
    [...known, update('b', { taskId: 'two', status: 'completed' })],
    [prompt, create('b', 'Test'), created('b', 3)],
  ];
  for (const headers of unknown) {
    expect(sumOfTasks(headers)).toBeUndefined();
    expect(currentPlan(headers)).toBeUndefined();
  }
});

it('a new item has the next ID until its result names one', () => {
  const headers = [
    ...[create('a', 'Read'), create('b', 'Write'), created('a', 2), created('b', 1)],
    ...[create('c', 'Test'), update('d', { taskId: '3', status: 'completed' })],
    update('e', { taskId: '2', status: 'in_progress' }),
  ];
  expect(sumOfTasks(headers)).toEqual([
    { text: 'Read', state: 'current' },
    { text: 'Write', state: 'open' },
    { text: 'Test', state: 'done' },
  ]);
});

describe('a list that counts from 1 again', () => {
  const first = [
    ...[prompt, create('a', 'Read'), created('a', 1), create('b', 'Write'), created('b', 2)],
    ...[update('c', { taskId: '1', status: 'completed' }), update('d', { taskId: '2', status: 'completed' })],
  ];
  const second = [create('e', 'Test'), created('e', 1)];

  it('replaces one whose items are done', () => {
    expect(currentPlan([...first, ...second])).toMatchObject({ done: 0, total: 1, items: [{ text: 'Test' }] });
    const third = [create('f', 'Publish'), created('f', 2), update('g', { taskId: '1', status: 'in_progress' })];
    expect(currentPlan([...first, ...second, ...third])).toMatchObject({ done: 0, total: 2, current: 'Test' });
  });

  it('replaces one whose first item was removed', () => {
    const removed = [...first.slice(0, 5), update('c', { taskId: '1', status: 'deleted' }), ...first.slice(6)];
    expect(sumOfTasks([...removed, ...second])).toEqual([{ text: 'Test', state: 'open' }]);
  });

  it('replaces one that has open items', () => {
    expect(sumOfTasks([...first.slice(0, 5), ...second])).toEqual([{ text: 'Test', state: 'open' }]);
  });
});

it('the answer that an item does not exist is a failure, also without a flag', () => {
  const headers = [prompt, create('a', 'Read'), created('a', 1), update('b', { taskId: '8', status: 'in_progress' })];
  expect(sumOfTasks(headers)).toBeUndefined();
  expect(sumOfTasks([...headers, resultMarks('r-b', 'b', 'Task not found')])).toEqual([
    { text: 'Read', state: 'open' },
  ]);
});

it('a step that changes an item has its text', () => {
  const headers = [
    ...[create('a', 'Read'), created('a', 1), create('b', 'Write'), created('b', 2)],
    ...[update('c', { taskId: '2', status: 'completed' }), update('d', { taskId: '1', subject: 'Read it' })],
    update('e', { taskId: '9', status: 'completed' }),
  ];
  const labelsOf = (own: readonly MessageHeader[], before: readonly MessageHeader[] = []) => {
    const marks = new MarkReader();
    return pairCalls(own, marks, new EarlierCalls(before, marks)).calls.map(({ mark }) => mark.label);
  };
  expect(labelsOf(headers)).toEqual(['Read', 'Write', 'Write', 'Read it', '#9']);
  expect(labelsOf(headers.slice(4), headers.slice(0, 4))).toEqual(['Write', 'Read it', '#9']);
  expect(labelsOf(headers.slice(4))).toEqual(['#2', 'Read it', '#9']);
});

it('an empty list is no plan', () => {
  expect(currentPlan([prompt, toolHeader('a', ['TaskList', {}])])).toBeUndefined();
});
