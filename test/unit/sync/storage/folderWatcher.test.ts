import { describe, expect, it } from 'vitest';
import { onDispose } from '../../../../src/shared/lifecycle.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { FolderWatcher } from '../../../../src/sync/storage/folderWatcher.ts';
import { FakeClock } from '../../../fakes/clock.ts';

/** A watcher of a folder whose changes are announced, and whose reads end, only when the test says so. */
function watch(options: { readonly rereadMs?: number } = {}) {
  const clock = new FakeClock();
  const reads: string[] = [];
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const listeners: ((name: string | undefined) => void)[] = [];
  const stopped: number[] = [];
  const read = (what: string) =>
    new Promise<void>((resolve, reject) => {
      reads.push(what);
      ends.push({ resolve, reject });
    });
  const watcher = new FolderWatcher({
    ...options,
    clock,
    log: silentLog,
    watch: (listener) => {
      const index = listeners.push(listener) - 1;
      return onDispose(() => stopped.push(index));
    },
    readOne: read,
    readAll: () => read('all'),
  });
  const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));
  /** Ends the read that is running, so that the next one starts. */
  const end = async (error?: Error) => {
    const { resolve, reject } = ends.shift()!;
    if (error) reject(error);
    else resolve();
    await turn();
  };
  const notice = (name: string | undefined) => listeners.at(-1)!(name);
  return { clock, watcher, reads, stopped, listeners, turn, end, notice };
}

describe('a watched folder', () => {
  it.each([
    ['by default', {}, 10_000],
    ['if asked to', { rereadMs: 700 }, 700],
  ])('is read again at regular intervals, %s', async (_, options, intervalMs) => {
    const { clock, watcher, reads, turn, end } = watch(options);
    watcher.start();
    for (let round = 1; round <= 3; round++) {
      clock.advance(intervalMs - 1);
      await turn();
      expect(reads).toHaveLength(round - 1);
      clock.advance(1);
      await turn();
      expect(reads).toHaveLength(round);
      await end();
    }
  });

  it('has one watcher and one timer, even if it is started again', async () => {
    const { clock, watcher, reads, stopped, listeners, turn } = watch();
    watcher.start();
    clock.advance(6_000);
    watcher.start();
    expect([listeners.length, stopped, clock.pendingTimers]).toEqual([2, [0], 1]);
    clock.advance(9_999);
    await turn();
    expect(reads).toEqual([]);
    clock.advance(1);
    await turn();
    expect(reads).toEqual(['all']);
  });

  it('is not watched or read after dispose', async () => {
    const { clock, watcher, reads, stopped, listeners, turn, notice } = watch();
    watcher.start();
    watcher.dispose();
    expect([stopped, clock.pendingTimers]).toEqual([[0], 0]);
    notice('a');
    notice(undefined);
    watcher.start();
    clock.advance(60_000);
    await turn();
    expect([reads, listeners.length, clock.pendingTimers]).toEqual([[], 1, 0]);
  });

  it('does not start a file read that was waiting when it was disposed', async () => {
    const { watcher, reads, turn, end, notice } = watch();
    watcher.start();
    notice('a');
    notice('b');
    await turn();
    watcher.dispose();
    await end();
    expect(reads).toEqual(['a']);
  });

  it('is read one file at a time, and once for several changes of a file before its read', async () => {
    const { watcher, reads, turn, end, notice } = watch();
    watcher.start();
    for (const name of ['a', 'b', 'b', 'a']) notice(name);
    await turn();
    expect(reads).toEqual(['a']);
    notice('a');
    await end();
    expect(reads).toEqual(['a', 'b']);
    await end();
    expect(reads).toEqual(['a', 'b', 'a']);
    await end();
    expect(reads).toEqual(['a', 'b', 'a']);
    notice('b');
    await turn();
    expect(reads).toEqual(['a', 'b', 'a', 'b']);
  });

  it('is read as a whole if the name of the changed file is unknown', async () => {
    const { watcher, reads, turn, end, notice } = watch();
    watcher.start();
    notice(undefined);
    await turn();
    await end();
    expect(reads).toEqual(['all']);
  });

  it('is read as a whole once for all requests before the read, and again for later ones', async () => {
    const { watcher, reads, turn, end } = watch();
    const first = [watcher.readAll(), watcher.readAll()];
    await turn();
    const later = watcher.readAll();
    await end();
    await Promise.all(first);
    expect(reads).toEqual(['all', 'all']);
    await end();
    await later;
    expect(reads).toEqual(['all', 'all']);
  });

  it('is read again after a read failed, and reports the error to the caller of the read', async () => {
    const { watcher, reads, turn, end, notice } = watch();
    watcher.start();
    notice('a');
    await turn();
    await end(new Error('unreadable'));
    const asked = expect(watcher.readAll()).rejects.toThrow('still unreadable');
    await turn();
    await end(new Error('still unreadable'));
    await asked;
    notice('a');
    await turn();
    expect(reads).toEqual(['a', 'all', 'a']);
  });
});
