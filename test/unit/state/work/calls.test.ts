import { describe, expect, it } from 'vitest';
import { EarlierCalls, MarkReader, pairCalls } from '../../../../src/state/work/calls.ts';
import { stepsAround } from '../../../../src/state/conversation/turnSteps.ts';
import { commandsIn } from '../../../../src/state/work/commands.ts';
import { headerOf } from '../samples.ts';
import { resultMarks, toolHeader } from './toolHeaders.ts';
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

  it('tells a rejected call from a failed one', () => {
    const call = toolHeader('a', ['Bash', { command: 'npm test' }]);
    const rejected = resultMarks(
      'r',
      'a',
      'The user rejected permission to use this specific tool call with the following feedback: Use pnpm',
      true,
    );
    expect(paired(call, rejected).calls).toEqual([['npm test', 'rejected', 'Use pnpm']]);
    expect(stepsAround([call, rejected], 'a')?.all).toMatchObject([{ state: 'rejected', failure: 'Use pnpm' }]);
    expect(stepsAround([rejected], 'r')?.all).toMatchObject([{ kind: 'result', state: 'rejected' }]);
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

describe('a call that continues another one', () => {
  const started = 'Chunk ID: 3f\nProcess running with session ID 42\nOutput:\n';
  const ended = 'Chunk ID: 3f\nProcess exited with code 1\nOutput:\nerror: no';
  const headers = [
    toolHeader('c1', ['exec_command', { cmd: 'npm test' }]),
    resultMarks('r1', 'c1', started),
    toolHeader('c2', ['write_stdin', { session_id: 42, chars: '' }]),
    resultMarks('r2', 'c2', started),
    toolHeader('c3', ['write_stdin', { session_id: 42, chars: 'q\n' }]),
    resultMarks('r3', 'c3', ended),
  ];

  it('is a step of the command that it belongs to', () => {
    const { calls } = pairCalls(headers, new MarkReader());
    expect(
      calls.map(({ mark, outcome, failure }) => [mark.label, mark.kind, mark.followUp?.action, outcome, failure]),
    ).toEqual([
      ['npm test', 'execute', undefined, 'done', ''],
      ['npm test', 'execute', 'wait', 'done', ''],
      ['npm test', 'execute', 'input', 'failed', 'error: no'],
    ]);
    expect(calls.map(({ origin }) => origin?.header.messageId)).toEqual([undefined, 'c1', 'c1']);
  });

  it('leaves the outcome of the command as it is if it was rejected', () => {
    const rejected = resultMarks('r3', 'c3', 'The user denied this operation.', true);
    expect(commandsIn([...headers.slice(0, 5), rejected]).map(({ mark, outcome }) => [mark.label, outcome])).toEqual([
      ['npm test', 'done'],
    ]);
  });

  it('is a step of a command that began in an earlier turn', () => {
    const labelsAfter = (...before: Parameters<typeof pairCalls>[0]) => {
      const marks = new MarkReader();
      const { calls } = pairCalls(headers.slice(2), marks, new EarlierCalls(before, marks));
      return calls.map(({ mark, origin }) => [mark.label, mark.kind, origin]);
    };
    const build = [toolHeader('c0', ['exec_command', { cmd: 'make' }]), resultMarks('r0', 'c0', started)];
    const test = [
      ['npm test', 'execute', undefined],
      ['npm test', 'execute', undefined],
    ];
    expect(labelsAfter(...headers.slice(0, 2), headerOf('u'))).toEqual(test);
    expect(labelsAfter(...build, ...headers.slice(0, 2))).toEqual(test);
    // The result of a call that continues a command can contain the command's ID again.
    expect(labelsAfter(...headers.slice(0, 4))).toEqual(test);
    const other = resultMarks('r0', 'c0', started.replace('42', '7'));
    const own = [
      ['42', 'execute', undefined],
      ['q', 'execute', undefined],
    ];
    for (const before of [[], [...build.slice(0, 1), other], [resultMarks('r0', 'c0', started)]]) {
      expect(labelsAfter(...before)).toEqual(own);
    }
  });

  it('is looked for among the last calls that started something', () => {
    const others = (count: number) =>
      Array.from({ length: count }, (_, at) => [
        toolHeader(`d${at}`, ['exec_command', { cmd: `run ${at}` }]),
        resultMarks(`s${at}`, `d${at}`, started.replace('42', `1${at}`)),
      ]).flat();
    const labelAfter = (...before: Parameters<typeof pairCalls>[0]) => {
      const marks = new MarkReader();
      return new EarlierCalls(before, marks).startOf('42')?.label;
    };
    const build = headers.slice(0, 2);
    expect(labelAfter(...build, ...others(99))).toBe('npm test');
    expect(labelAfter(...build, ...others(100))).toBeUndefined();
    const results = others(20).filter((_, at) => at % 2 === 1);
    expect(labelAfter(...build, ...results.slice(0, 9))).toBe('npm test');
    expect(labelAfter(...build, ...results)).toBeUndefined();
  });

  it('decides how the command ended', () => {
    expect(commandsIn(headers).map(({ mark, outcome, failure }) => [mark.label, outcome, failure])).toEqual([
      ['npm test', 'failed', 'error: no'],
    ]);
    expect(commandsIn(headers.slice(0, 4)).map(({ outcome }) => outcome)).toEqual(['done']);
  });

  it('has its own label if the call that started it is not known', () => {
    expect(paired(...headers.slice(2)).calls.map(([label]) => label)).toEqual(['42', 'q']);
  });

  it('belongs to the agents that it waits for', () => {
    const spawned = (id: string) => JSON.stringify({ agent_id: id, nickname: 'Ohm' });
    const calls = pairCalls(
      [
        toolHeader('c1', ['spawn_agent', { message: 'Find callers', agent_type: 'explorer' }]),
        toolHeader('c2', ['spawn_agent', { message: 'Find tests', agent_type: 'explorer' }]),
        resultMarks('r1', 'c1', spawned('a1')),
        resultMarks('r2', 'c2', spawned('b2')),
        toolHeader('c3', ['wait_agent', { targets: ['a1', 'b2'] }]),
        resultMarks('r3', 'c3', '{"status":{"a1":{"completed":"Exit code: 1"}},"timed_out":false}'),
        toolHeader('c4', ['close_agent', { target: 'b2' }]),
        resultMarks('r4', 'c4', 'collab close failed: no such agent'),
      ],
      new MarkReader(),
    ).calls;
    expect(calls.map(({ mark, outcome }) => [mark.label, mark.kind, outcome])).toEqual([
      ['Find callers', 'agent', 'done'],
      ['Find tests', 'agent', 'done'],
      ['Find callers, Find tests', 'agent', 'done'],
      ['Find tests', 'agent', 'failed'],
    ]);
  });

  it('takes the kind of a background task, of a command or of an agent', () => {
    const calls = pairCalls(
      [
        toolHeader('c1', ['Bash', { command: 'npm start', run_in_background: true }]),
        resultMarks('r1', 'c1', 'Command running in background with ID: b1.'),
        toolHeader('c2', ['Agent', { description: 'Review', prompt: 'Review it', subagent_type: 'general' }]),
        resultMarks('r2', 'c2', 'Async agent launched successfully.\nagentId: a5 (internal)'),
        toolHeader('c3', ['TaskOutput', { task_id: 'a5' }]),
        toolHeader('c4', ['TaskOutput', { task_id: 'b1' }]),
        resultMarks(
          'r4',
          'c4',
          '<retrieval_status>success</retrieval_status>\n\n<exit_code>1</exit_code>\n\n<output>\nno\n</output>',
        ),
      ],
      new MarkReader(),
    ).calls;
    expect(calls.slice(2).map(({ mark, outcome }) => [mark.label, mark.kind, outcome])).toEqual([
      ['Review', 'agent', 'unanswered'],
      ['npm start', 'execute', 'failed'],
    ]);
  });
});

describe('an edit without a path', () => {
  const edit = ['edit', { search: 'a', replace: 'b' }] as const;

  it('changes the file that was opened or created last', () => {
    const { calls } = pairCalls(
      [
        toolHeader('c1', ['open', { path: 'a.ts' }]),
        toolHeader('c2', [...edit]),
        toolHeader('c3', ['create', { filename: 'b.ts' }]),
        toolHeader('c4', [...edit]),
      ],
      new MarkReader(),
    );
    expect(calls.flatMap(({ mark }) => mark.files.map(({ path }) => [mark.label, path]))).toEqual([
      ['a.ts', 'a.ts'],
      ['b.ts', 'b.ts'],
      ['b.ts', 'b.ts'],
    ]);
  });

  it('changes no known file if none was opened', () => {
    const { calls } = pairCalls([toolHeader('c', [...edit])], new MarkReader());
    expect(calls.map(({ mark }) => [mark.kind, mark.label, mark.files])).toEqual([['write', 'a', []]]);
  });
});

describe('an exit code in a result', () => {
  const log = 'building\nProcess completed with exit code 1.';

  it.each([
    ['Bash', { command: 'npm test' }, 'failed'],
    ['Bash', { command: 'npm test; echo "exit code: $?"' }, 'done'],
    ['Read', { file_path: 'ci.log', offset: 1 }, 'done'],
    ['WebFetch', { url: 'https://example.com/log' }, 'done'],
    ['get_job_logs', { job_id: 7 }, 'done'],
  ])('counts only if %s %j runs something', (name, input, outcome) => {
    const headers = [toolHeader('c', [name, input]), resultMarks('r', 'c', log)];
    expect(pairCalls(headers, new MarkReader()).calls.map((call) => call.outcome)).toEqual([outcome]);
  });

  it('of a result without a call counts only in its first lines', () => {
    const strays = pairCalls(
      [resultMarks('r', 'x', log), resultMarks('s', 'y', 'Exit code: 1\nno')],
      new MarkReader(),
    ).strays;
    expect(strays.map(({ mark }) => [mark.isFailed, mark.label])).toEqual([
      [false, ''],
      [true, 'no'],
    ]);
  });
});
