import { describe, expect, it } from 'vitest';
import { type Log, oneLine, reasonOf, silentLog } from '../../../src/shared/log.ts';
import { redactingLog } from '../../../src/shared/redactingLog.ts';

const secret = 'sk-canary/5f+2c "9e"';

describe('redaction', () => {
  it('reads the current secrets for each line, at every level', () => {
    const lines: string[] = [];
    const keep = (line: string) => void lines.push(line);
    const target: Log = { trace: keep, debug: keep, info: keep, warn: keep, error: keep };
    let secrets = ['one'];
    const log = redactingLog(target, () => secrets);
    for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const) log[level](`${level}: one`);
    secrets = ['two'];
    log.info('one two');
    expect(lines).toEqual([
      'trace: [redacted]',
      'debug: [redacted]',
      'info: [redacted]',
      'warn: [redacted]',
      'error: [redacted]',
      'one [redacted]',
    ]);
    silentLog.error('one');
    expect(lines).toHaveLength(6);
  });
});

describe('a reason', () => {
  it('contains messages and causes on one line, without stack traces', () => {
    const cause = new Error('inner\nline', { cause: 'root' });
    const error = new Error('outer', { cause });
    expect(reasonOf(error)).toBe('outer: inner line: root');
  });

  it('names an error without a message by its code, and other values by their type', () => {
    expect(reasonOf(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED');
    expect(reasonOf({ secret })).toBe('object');
    expect(reasonOf(undefined)).toBe('unknown error');
    expect(reasonOf(new Error(''))).toBe('unknown error');
  });

  it('includes at most three levels and 500 characters', () => {
    const inner = new Error('c', { cause: new Error('d') });
    const chain = new Error('a', { cause: new Error('b', { cause: inner }) });
    expect(reasonOf(chain)).toBe('a: b: c');
    expect(reasonOf(new Error('x'.repeat(1000)))).toHaveLength(500);
  });
});

describe('one line', () => {
  it('folds white space and control characters, and truncates long text', () => {
    expect(oneLine(' a\r\n\tb\u0000\u2028c\u0085 ', 10)).toBe('a b c');
    expect(oneLine('abcdef', 6)).toBe('abcdef');
    expect(oneLine('abcdefg', 6)).toBe('abcde…');
    expect(oneLine('abcd🚀g', 6)).toBe('abcd…');
  });
});
