import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdleQueue } from '../../../../src/webview/content/idleQueue.ts';

let queue: IdleQueue;
let ran: string[];
let nowMs: number;
const node = { contains: () => false } as unknown as Node;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  // A browser that is never idle before the time limit of a request.
  vi.stubGlobal('requestIdleCallback', (run: () => void, { timeout }: { readonly timeout: number }) =>
    setTimeout(run, timeout),
  );
  vi.stubGlobal('cancelIdleCallback', (handle: ReturnType<typeof setTimeout>) => clearTimeout(handle));
  queue = new IdleQueue();
  ran = [];
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A task that takes this long. */
const task =
  (name: string, ms = 0) =>
  () => {
    ran.push(name);
    nowMs += ms;
  };

describe('a task that should run soon', () => {
  it('runs immediately until such tasks have used 5 ms of a frame', () => {
    queue.soon(node, task('a', 5));
    queue.soon(node, task('b', 1));
    expect(ran).toEqual(['a', 'b']);
    queue.soon(node, task('c'));
    expect(ran).toEqual(['a', 'b']);
    vi.advanceTimersByTime(200);
    expect(ran).toEqual(['a', 'b', 'c']);
  });

  it('runs immediately again in the next frame', () => {
    queue.soon(node, task('a', 6));
    nowMs = 16;
    queue.soon(node, task('waits'));
    nowMs = 17;
    queue.soon(node, task('b', 6));
    nowMs = 33;
    queue.soon(node, task('also waits'));
    expect(ran).toEqual(['a', 'b']);
  });

  it('has all 5 ms of the next frame', () => {
    queue.soon(node, task('a', 6));
    nowMs = 17;
    queue.soon(node, task('b', 5));
    queue.soon(node, task('c', 1));
    expect(ran).toEqual(['a', 'b', 'c']);
  });
});

describe('tasks that can wait', () => {
  it('run in order when the page is idle, after 200 ms at the latest', () => {
    for (const name of ['a', 'b']) queue.later(node, task(name));
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(199);
    expect(ran).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(ran).toEqual(['a', 'b']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('run in turns of 8 ms', () => {
    queue.later(node, task('a', 7));
    queue.later(node, task('b', 1));
    queue.later(node, task('c', 20));
    queue.later(node, task('d'));
    const turns = Array.from({ length: 3 }, () => {
      vi.advanceTimersByTime(200);
      return ran.splice(0).join('');
    });
    expect(turns).toEqual(['ab', 'c', 'd']);
  });

  it('do not run after the queue is disposed, but later ones do', () => {
    queue.dispose();
    queue.later(node, task('a'));
    queue.dispose();
    expect(vi.getTimerCount()).toBe(0);
    queue.later(node, task('b'));
    vi.advanceTimersByTime(200);
    expect(ran).toEqual(['b']);
  });
});

describe('a task that fails', () => {
  const fail = () => {
    throw new Error('It failed.');
  };
  let reported: string[];
  beforeEach(() => {
    reported = [];
    vi.stubGlobal('reportError', (error: unknown) => reported.push(String(error)));
  });

  it('is reported, and the others still run when the page is idle', () => {
    queue.later(node, fail);
    queue.later(node, task('a', 8));
    queue.later(node, task('b'));
    vi.advanceTimersByTime(400);
    expect([ran, reported]).toEqual([['a', 'b'], ['Error: It failed.']]);
  });

  it('is reported, and the caller goes on, if it runs soon or is finished', () => {
    const inside = {} as Node;
    queue.soon(node, fail);
    queue.later(inside, fail);
    queue.later(inside, task('a'));
    queue.finish({ contains: (of: Node) => of === inside } as Node);
    expect([ran, reported]).toEqual([['a'], ['Error: It failed.', 'Error: It failed.']]);
  });
});

describe('the tasks inside a part of the page', () => {
  it('can be finished at once, with those that they add, and the others still wait', () => {
    const inside = {} as Node;
    const part = { contains: (of: Node) => of === inside } as Node;
    queue.later(node, task('elsewhere'));
    queue.later(inside, () => {
      ran.push('a');
      queue.later(inside, task('c'));
    });
    queue.later(inside, task('b'));
    queue.finish(part);
    expect(ran).toEqual(['a', 'b', 'c']);
    vi.advanceTimersByTime(200);
    expect(ran).toEqual(['a', 'b', 'c', 'elsewhere']);
  });

  it('are waiting until they have run', () => {
    const inside = {} as Node;
    const part = { contains: (of: Node) => of === inside } as Node;
    queue.later(node, task('elsewhere'));
    expect(queue.isDrawing(part)).toBe(false);
    queue.later(inside, task('a'));
    expect(queue.isDrawing(part)).toBe(true);
    queue.finish(part);
    expect(queue.isDrawing(part)).toBe(false);
  });
});

describe('the end of all tasks', () => {
  it('is reported once, after the last one, also if the last ones were finished at once', () => {
    queue.onDidFinish(() => ran.push('end'));
    queue.later(node, () => {
      ran.push('a');
      queue.later(node, task('b'));
    });
    vi.advanceTimersByTime(1_000);
    expect(ran).toEqual(['a', 'b', 'end']);
    queue.later(node, task('c'));
    queue.finish({ contains: () => true } as unknown as Node);
    vi.advanceTimersByTime(1_000);
    expect(ran).toEqual(['a', 'b', 'end', 'c', 'end']);
  });
});
