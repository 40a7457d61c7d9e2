import type { Demo } from '../commands/account/account.ts';
import { type Disposables, onDispose } from '../shared/lifecycle.ts';
import type { Log } from '../shared/log.ts';
import { Lazy } from '../shared/lazy.ts';

/** Starts the embedded service on first use; the same one from then on, until `own` is disposed. */
export function demoStarter(own: Disposables, log: Log): () => Promise<Demo> {
  const demo = new Lazy<Demo>(async () => {
    const { startSandbox } = await import('../demoService/service.ts');
    const sandbox = await startSandbox({ log });
    own.add(onDispose(() => void sandbox.dispose()));
    return sandbox;
  });
  return () => demo.get();
}
