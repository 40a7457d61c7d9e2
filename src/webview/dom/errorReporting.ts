import { Disposables, type Owned } from './timers.ts';

/** Reports what goes wrong on the page, for the log: the kind of error and where, never what a message said. */
export function reportFailures(report: (reason: string) => void): Owned {
  const owner = new Disposables();
  owner.listen(window, 'error', (event: Event) => {
    if (!(event instanceof ErrorEvent) || event.message.startsWith('ResizeObserver loop')) return;
    report(`${event.message} (${event.lineno}:${event.colno})`.slice(0, 500));
  });
  owner.listen(window, 'unhandledrejection', (event: Event) => {
    if (event instanceof PromiseRejectionEvent) report(String(event.reason).slice(0, 500));
  });
  return owner;
}
