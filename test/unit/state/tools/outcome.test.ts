import { describe, expect, it } from 'vitest';
import { isFailedResult } from '../../../../src/state/tools/outcome.ts';

const isFailed = (...texts: string[]) =>
  isFailedResult({ type: 'tool_result', isError: false, content: texts.map((text) => ({ type: 'text', text })) });

describe('a result', () => {
  it('with the error flag is failed', () => {
    expect(isFailedResult({ type: 'tool_result', isError: true, content: [] })).toBe(true);
    expect(isFailedResult({ type: 'tool_result', isError: false, content: [] })).toBe(false);
  });

  it.each([
    'Exit code 1\nnpm error missing script: tset',
    'Exit code: 2\nWall time: 0.1 seconds\nOutput:\nerror TS2304',
    'Chunk ID: 3f\nWall time: 0.5 seconds\nProcess exited with code 101\nOriginal token count: 9\nOutput:\nno',
    'Chunk ID: 3f\nProcess exited with code 101',
    'FAIL test/basket.test.ts\n\nExit Code: 1\n',
    '1 failed\n<exited with exit code 1>',
    '1 failed\r\n[The command completed with exit code 127.]',
    'not found\n[Command finished with exit code -1]',
    '1 failed\n\nCommand exited with code 1',
    'killed\nProcess exited with code 137',
    "Command executed in terminal 1 within working directory '/web'. Exit code: 1\nOutput:\nfailed",
    '{"output":"failed","metadata":{"exit_code":1,"duration_seconds":0.4}}',
    '{"stdout":"","stderr":"no","exit_status":"1"}',
    ' {"exitCode":1,"output":""}\n',
    '{"success":false,"message":"The text was not found."}',
    '{"error":"File not found: src/basket.ts"}',
    '{"output":"","error":{"code":"ENOENT"}}',
    '<tool_use_error>File has not been read yet.</tool_use_error>',
    '<error>\nThe text was not found\n</error>',
    'The tool execution failed with the following error:\n<error>no</error>',
    'apply_patch verification failed: Failed to find expected lines in src/basket.ts',
  ])('is failed: %j', (text) => {
    expect(isFailed(text)).toBe(true);
  });

  it.each([
    '',
    'ok',
    'Exit code: 0\nWall time: 0.1 seconds\nOutput:\nExit code: 1 is documented below',
    'Chunk ID: 3f\nWall time: 0.5 seconds\nProcess exited with code 0\nOutput:\nProcess exited with code 1\nfine',
    'fine\n<exited with exit code 0>',
    "Command executed in terminal 1 within working directory '/web'. Exit code: 0\nOutput:\nfine",
    '{"output":"1 error","metadata":{"exit_code":0}}',
    '{"success":true,"error":null,"output":"fine"}',
    '{"exit_code":"none","output":""}',
    '{"exit_code":"","output":""}',
    // The content of files and pages that mention failures.
    'Error: this is the first line of a log file\nmore',
    'The exit code 1 means that the test failed.',
    '1  if (failed) process.exit(1);\n2  // Exit code: 1',
    'export class ApiError extends Error {}\nfailed\nerror',
    '{"name":"shop","error":"a field of a file","version":"1.0.0"}',
    '{"error":"a","errors":[]}',
    '[{"error":"a"}]',
    '{"success":false',
    'src/basket.ts:3: <error>',
    '{"__proto__":{"success":false},"output":"fine"}',
  ])('is not failed: %j', (text) => {
    expect(isFailed(text)).toBe(false);
  });

  it('is searched in its first and its last text', () => {
    expect(isFailed('Exit code: 1', 'some output')).toBe(true);
    expect(isFailed('some output', 'Exit code: 1')).toBe(true);
    expect(isFailed('some output', 'Exit code: 1', 'more output')).toBe(false);
    expect(isFailed('{"success":false}', '{"success":true}')).toBe(false);
  });

  it('of ten megabytes is not read as a whole', () => {
    const large = 'x\n'.repeat(5_000_000);
    expect(isFailed(`${large}Exit code: 1`)).toBe(true);
    expect(isFailed(`Exit code: 1\n${large}`)).toBe(true);
    expect(isFailed(`{"success":false,"output":${JSON.stringify(large)}}`)).toBe(false);
  });
});
