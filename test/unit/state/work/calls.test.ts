import { describe, expect, it } from 'vitest';
import { MarkReader, pairCalls } from '../../../../src/state/work/calls.ts';
import { headerOf } from '../samples.ts';
import { execute, result, withMarks } from './marks.ts';

const paired = (...headers: Parameters<typeof pairCalls>[0]) => {
  const { calls, strays } = pairCalls(headers, new MarkReader());
  return {
    calls: calls.map(({ mark, outcome, failure }) => [mark.label, outcome, failure]),
    strays: strays.map(({ mark }) => mark.label),
  };
};

describe('pairing calls with results', () => {
  it('matches them by ID, across messages and in any order', () => {
    const calls = withMarks('m1', execute('a', 'npm test'), execute('b', 'npm run lint'), execute('c', 'sleep 9'));
    expect(paired(calls, withMarks('m2', result('b', 'Exit code 1')), withMarks('m3', result('a')))).toEqual({
      calls: [
        ['npm test', 'done', ''],
        ['npm run lint', 'failed', 'Exit code 1'],
        ['sleep 9', 'unanswered', ''],
      ],
      strays: [],
    });
  });

  it('accepts a result that sorts before its call, but not one of an earlier turn', () => {
    const [call, failed] = [withMarks('m2', execute('a', 'npm test')), withMarks('m1', result('a', 'No'))];
    expect(paired(failed, call)).toEqual({ calls: [['npm test', 'failed', 'No']], strays: [] });
    expect(paired(failed, headerOf('prompt'), call)).toEqual({
      calls: [['npm test', 'unanswered', '']],
      strays: ['No'],
    });
  });

  it('does not mix up turns if a service counts IDs from the start in each turn', () => {
    const turn = (name: string, command: string, failure?: string) => [
      headerOf(`${name} prompt`),
      withMarks(`${name} call`, execute('call_0', command)),
      withMarks(`${name} result`, result('call_0', failure)),
    ];
    expect(paired(...turn('one', 'first'), ...turn('two', 'second', 'No'), ...turn('three', 'third')).calls).toEqual([
      ['first', 'done', ''],
      ['second', 'failed', 'No'],
      ['third', 'done', ''],
    ]);
  });

  it('never guesses a result for a call without an ID', () => {
    expect(paired(withMarks('m1', execute(null, 'ls')), withMarks('m2', result(null, 'No')))).toEqual({
      calls: [['ls', 'unanswered', '']],
      strays: ['No'],
    });
  });
});
