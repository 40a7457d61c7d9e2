import { describe, expect, it, vi } from 'vitest';
import { Disposables, Emitter, onDispose } from '../../../src/shared/lifecycle.ts';

describe('an emitter', () => {
  it('calls listeners in order, once for each registration, until it is disposed', () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    const listener = (value: number) => void heard.push(`a${value}`);
    const first = emitter.event(listener);
    emitter.event(listener);
    emitter.event((value) => void heard.push(`b${value}`));
    emitter.fire(1);
    first.dispose();
    first.dispose();
    emitter.fire(2);
    expect(heard).toEqual(['a1', 'a1', 'b1', 'a2', 'b2']);
  });

  it('notifies the listeners that were registered when the event fired, except those removed meanwhile', () => {
    const emitter = new Emitter<void>();
    const heard: string[] = [];
    emitter.event(() => {
      heard.push('a');
      second.dispose();
      emitter.event(() => void heard.push('late'));
    });
    const second = emitter.event(() => void heard.push('b'));
    emitter.fire();
    expect(heard).toEqual(['a']);
    emitter.fire();
    expect(heard).toEqual(['a', 'a', 'late']);
  });

  it("isolates listeners from each other's errors", () => {
    const onError = vi.fn();
    const emitter = new Emitter<number>(onError);
    const error = new Error('mine');
    const other = vi.fn();
    emitter.event(() => {
      throw error;
    });
    emitter.event(other);
    emitter.fire(1);
    expect(onError).toHaveBeenCalledExactlyOnceWith(error);
    expect(other).toHaveBeenCalledExactlyOnceWith(1);
  });

  it('notifies no listeners after dispose', () => {
    const emitter = new Emitter<number>();
    const listener = vi.fn();
    emitter.event(listener);
    emitter.dispose();
    emitter.event(listener).dispose();
    emitter.fire(1);
    expect(listener).not.toHaveBeenCalled();
  });
});

describe('disposables', () => {
  it('are disposed in reverse order, once', () => {
    const order: string[] = [];
    const all = new Disposables();
    expect(all.isDisposed).toBe(false);
    for (const name of ['a', 'b', 'c']) all.add(onDispose(() => void order.push(name)));
    all.dispose();
    all.dispose();
    expect(order).toEqual(['c', 'b', 'a']);
    expect(all.isDisposed).toBe(true);
  });

  it('dispose late additions immediately', () => {
    const all = new Disposables();
    all.dispose();
    const release = vi.fn();
    const late = all.add(onDispose(release));
    expect(release).toHaveBeenCalledOnce();
    late.dispose();
    expect(release).toHaveBeenCalledOnce();
  });
});
