import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { listen } from './listen.ts';

/**
 * Reports uncaught errors and unhandled rejections on the page, for the log: the error's own text and, except for
 * rejections, its position in the script.
 */
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
