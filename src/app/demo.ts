import type { Demo } from '../commands/services.ts';
import { Lazy } from '../shared/lazy.ts';
import { type Disposables, onDispose } from '../shared/lifecycle.ts';
import type { Log } from '../shared/log.ts';

/** The embedded demo service. It starts on first use and stops when `own` is disposed. */
export function demoService(own: Disposables, log: Log): Lazy<Demo> {
  return new Lazy<Demo>(async () => {
    const { startDemoService } = await import('../demoService/service.ts');
    const service = await startDemoService({ log });
    own.add(onDispose(() => void service.dispose()));
    return service;
  });
}
