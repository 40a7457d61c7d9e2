import type { Demo } from './commands/account.ts';
import { type Disposables, onDispose } from './events.ts';
import type { Log } from './log.ts';

/** Starts the embedded service on first use; the same one from then on, until `own` is disposed. */
export function demoStarter(own: Disposables, log: Log): () => Promise<Demo> {
  let running: Promise<Demo> | undefined;
  const start = async (): Promise<Demo> => {
    const { startSandbox } = await import('./sandbox/service.ts');
    const sandbox = await startSandbox({ log });
    own.add(onDispose(() => void sandbox.dispose()));
    return sandbox;
  };
  return () => (running ??= start());
}
