import { describe, expect, it } from 'vitest';
import { translator } from '../../../../src/shared/translate.ts';
import { describeTemplateFailure } from '../../../../src/state/presentation/describeTemplateFailure.ts';
import { fillCommand } from '../../../../src/state/templates/commandTemplate.ts';
import type { TemplateFailure } from '../../../../src/state/templates/placeholders.ts';

const ids = { sessionId: '0f6b1c52-3d1e', messageId: 'msg_1', computerId: 'build:server@2' };

describe('a command template', () => {
  it('is filled in argument by argument, without any change to the other text', () => {
    const args = [
      'resume',
      '--session=${sessionId}',
      '${messageId} on ${computerId}',
      '',
      '$HOME; "x" %PATH%',
      'ü\u202e',
    ];
    expect(fillCommand(['my-agent', ...args], ids)).toEqual({
      program: 'my-agent',
      args: ['resume', '--session=0f6b1c52-3d1e', 'msg_1 on build:server@2', '', '$HOME; "x" %PATH%', 'ü\u202e'],
    });
  });

  it.each(['my-agent', '/opt/my agent/bin', 'C:\\Tools\\agent.exe', 'c:/agent.exe', '\\\\server\\share\\agent.exe'])(
    'may start the program %s',
    (program) => {
      expect(fillCommand([program], {})).toEqual({ program, args: [] });
    },
  );

  it.each([
    '-rf',
    '--help',
    '@file',
    '.',
    '..',
    '../../x',
    'a/b',
    'a\\b',
    'a b',
    'a b/ü',
    'a;b',
    'a&b',
    'a|b',
    '$(id)',
    '`id`',
    '%PATH%',
    'a"b',
    "a'b",
    'a\nb',
    'a\0',
    '~',
    'ü',
    '\u202e',
    'x'.repeat(1_001),
  ])('rejects the ID %j', (sessionId) => {
    const failure = { kind: 'unsafeId', name: 'sessionId' };
    expect(fillCommand(['x', '${sessionId}'], { sessionId })).toEqual({ failure });
    expect(fillCommand(['x', '--id=${sessionId}'], { sessionId })).toEqual({ failure });
  });

  it('checks only the IDs that it contains, and reports an unknown one', () => {
    expect(fillCommand(['x', '${sessionId}'], { ...ids, computerId: '-x' })).not.toHaveProperty('failure');
    const failure = { kind: 'missingId', name: 'computerId' };
    expect(fillCommand(['x', '${computerId}'], { sessionId: 's' })).toEqual({ failure });
  });

  it.each([
    [[], 'noProgram'],
    [['', '${sessionId}'], 'noProgram'],
    [[' '], 'noProgram'],
    [['${sessionId}'], 'placeholderInProgram'],
    [['my-${sessionId}'], 'placeholderInProgram'],
    [['/opt/${computerId}/run'], 'placeholderInProgram'],
    [['./run'], 'relativeProgram'],
    [['bin/run'], 'relativeProgram'],
    [['..\\run.exe'], 'relativeProgram'],
    [['C:run\\x.exe'], 'relativeProgram'],
    [['~/bin/run'], 'relativeProgram'],
    [['x', 'a\0b'], 'controlCharacter'],
    [['x\n'], 'controlCharacter'],
  ])('must not be %j', (template, kind) => {
    expect(fillCommand(template, ids)).toEqual({ failure: { kind } });
  });

  it('knows no other placeholders', () => {
    const failure = { kind: 'unknownPlaceholder', text: '${workspaceFolder}' };
    expect(fillCommand(['x', '${workspaceFolder}'], ids)).toEqual({ failure });
  });
});

it('describes each failure in one sentence that names the setting', () => {
  const kinds: Record<TemplateFailure['kind'], true> = {
    notAUrl: true,
    scheme: true,
    credentials: true,
    placeholderInHost: true,
    noProgram: true,
    placeholderInProgram: true,
    relativeProgram: true,
    controlCharacter: true,
    unknownPlaceholder: true,
    missingId: true,
    unsafeId: true,
  };
  const t = translator('en');
  const names = ['sessionId', 'messageId', 'computerId'];
  const sentences = Object.keys(kinds).flatMap((kind) =>
    names.map((name) => describeTemplateFailure({ kind, name, text: '${x}' } as TemplateFailure, 'lineside.x', t)),
  );
  for (const sentence of sentences) expect(sentence).toContain('"lineside.x"');
  expect(new Set(sentences).size).toBe(Object.keys(kinds).length + 4);
});
