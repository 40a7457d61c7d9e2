import { describe, expect, it } from 'vitest';
import { defined } from '../../../src/shared/defined.ts';
import { parseJson } from '../../../src/shared/json.ts';
import { LruMap } from '../../../src/shared/lruMap.ts';
import { KeyedQueue, SerialQueue } from '../../../src/shared/serialQueue.ts';

function gate() {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { open, passed };
}

describe('a serial queue', () => {
  it('runs one task at a time, in order', async () => {
    const queue = new SerialQueue();
    const first = gate();
    const ran: string[] = [];
    const a = queue.run(async () => {
      await first.passed;
      ran.push('a');
      return 1;
    });
    const b = queue.run(() => ran.push('b'));
    await Promise.resolve();
    expect(ran).toEqual([]);
    first.open();
    expect([await a, await b]).toEqual([1, 2]);
    expect(ran).toEqual(['a', 'b']);
  });

  it('continues after a failed task, and reports the failure only to its caller', async () => {
    const queue = new SerialQueue();
    const failing = queue.run(() => Promise.reject(new Error('x')));
    const later = queue.run(() => 'y');
    await expect(failing).rejects.toThrow('x');
    expect(await later).toBe('y');
    await queue.idle();
  });
});

describe('a keyed queue', () => {
  it('runs tasks of different keys concurrently, and tasks of the same key in order', async () => {
    const queue = new KeyedQueue<string>();
    const first = gate();
    const ran: string[] = [];
    const blocked = queue.run('a', () => first.passed.then(() => ran.push('a1')));
    const behind = queue.run('a', () => ran.push('a2'));
    await queue.run('b', () => ran.push('b'));
    expect(ran).toEqual(['b']);
    first.open();
    await Promise.all([blocked, behind, queue.idle()]);
    expect(ran).toEqual(['b', 'a1', 'a2']);
  });
});

describe('an LRU map', () => {
  it('drops the least recently used entry', () => {
    const map = new LruMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    expect(map.get('a')).toBe(1);
    map.set('c', 3);
    expect(map.get('b')).toBeUndefined();
    expect([...map.entries()]).toEqual([
      ['a', 1],
      ['c', 3],
    ]);
    expect(map.size).toBe(2);
  });
});

it('parses JSON text and bytes, and nothing else', () => {
  expect(parseJson('{"a":1}')).toEqual({ a: 1 });
  expect(parseJson(Buffer.from('[2]'))).toEqual([2]);
  expect(parseJson('{')).toBeUndefined();
  expect(parseJson(Uint8Array.of(0x22, 0xff, 0x22))).toBeUndefined();
});

it('omits undefined members', () => {
  const value: { a: number; b?: string } = defined({ a: 1, b: undefined as string | undefined });
  expect(Object.keys(value)).toEqual(['a']);
});
