import { expect, it } from 'vitest';
import { errorsIn } from '../../../../src/state/work/agentErrors.ts';
import { headerOf } from '../samples.ts';
import { execute, result, withMarks } from './marks.ts';
import { resultMarks, toolHeader } from './toolHeaders.ts';

it('lists failed steps and error messages in the order of the messages', () => {
  const call = withMarks('call', execute('1', 'npm test'), execute('2', 'ls'));
  const results = withMarks(
    'results',
    result('1', 'Exit code 1'),
    result('2'),
    result('unknown', 'Not found').with(1, 2),
  );
  const error = headerOf('error', { role: 'assistant', isError: true, firstLine: 'Overloaded' });
  const listed = errorsIn([error, call, headerOf('prompt'), { ...results, isError: true, errorCount: 2 }]);
  expect(listed.map(({ header, stepIndex, label, detail }) => [header.messageId, stepIndex, label, detail])).toEqual([
    ['error', undefined, 'Overloaded', ''],
    ['call', 0, 'npm test', 'Exit code 1'],
    ['results', 2, 'Not found', ''],
  ]);
});

it('does not list calls that the person rejected', () => {
  const rejection = 'The user denied this operation.';
  const call = toolHeader('call', ['Bash', { command: 'rm -rf build' }]);
  expect(errorsIn([call, resultMarks('r', 'call', rejection, true), resultMarks('s', 'gone', rejection)])).toEqual([]);
});
