import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { listen } from './listen.ts';

/** Reports uncaught errors on the page for the log: the error and its position, never the content of a message. */
export function reportFailures(report: (reason: string) => void): Disposable {
  const disposables = new Disposables();
  listen(disposables, window, 'error', (event: Event) => {
    if (!(event instanceof ErrorEvent) || event.message.startsWith('ResizeObserver loop')) return;
    report(`${event.message} (${event.lineno}:${event.colno})`.slice(0, 500));
  });
  listen(disposables, window, 'unhandledrejection', (event: Event) => {
    if (event instanceof PromiseRejectionEvent) report(String(event.reason).slice(0, 500));
  });
  return disposables;
}
