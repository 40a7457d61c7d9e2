import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import {
  hasSurelyEnded,
  newWindowIdentity,
  windowIdentitySchema,
} from '../../../../src/sync/storage/windowIdentity.ts';

describe('the identity of a window', () => {
  const own = newWindowIdentity();
  const endedPid = spawnSync(process.execPath, ['-e', '']).pid;

  it('is different for each window of a process', () => {
    expect(windowIdentitySchema.parse(own)).toEqual(own);
    expect(own).toMatchObject({ host: hostname(), pid: process.pid });
    expect(newWindowIdentity()).toEqual({ ...own, windowId: expect.not.stringMatching(own.windowId) as string });
  });

  it.each([
    ['this process', own, false],
    ['an earlier process with the same ID', { ...own, processStartedAt: own.processStartedAt - 1 }, true],
    ['another running process', { ...own, pid: process.ppid }, false],
    ['a process that has ended', { ...own, pid: endedPid }, true],
    ['a process with this ID on another machine', { ...own, host: 'elsewhere', processStartedAt: 1 }, false],
    ['a process on another machine', { ...own, host: 'elsewhere', pid: endedPid }, false],
  ])('shows whether the window has surely ended: %s', (_, identity, hasEnded) => {
    expect(hasSurelyEnded(identity)).toBe(hasEnded);
  });
});
