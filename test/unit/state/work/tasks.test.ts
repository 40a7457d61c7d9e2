import { expect, it } from 'vitest';
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

it('a call that failed, that shows the list, or that changes something else does not change it', () => {
  const headers = [
    ...[prompt, create('a', 'Read'), created('a', 1)],
    ...[update('b', { taskId: '9', status: 'completed' }), resultMarks('r-b', 'b', 'Task not found', true)],
    ...[update('c', { taskId: '1', addBlockedBy: ['2'] }), toolHeader('d', ['TaskList', {}])],
  ];
  expect(sumOfTasks(headers)).toEqual([{ text: 'Read', state: 'open' }]);
  expect(currentPlan(headers)).toMatchObject({ messageId: 'd', done: 0, total: 1 });
});

it('an item whose creation is not known has its ID as its text', () => {
  expect(sumOfTasks([update('a', { taskId: '4', status: 'in_progress' })])).toEqual([{ text: '#4', state: 'current' }]);
});

it('a new item has the next ID until its result names one', () => {
  const headers = [
    create('a', 'Read'),
    created('a', 5),
    create('b', 'Write'),
    update('c', { taskId: '6', status: 'completed' }),
  ];
  expect(sumOfTasks(headers)).toEqual([
    { text: 'Read', state: 'open' },
    { text: 'Write', state: 'done' },
  ]);
});

it('an empty list is no plan', () => {
  expect(currentPlan([prompt, toolHeader('a', ['TaskList', {}])])).toBeUndefined();
});
