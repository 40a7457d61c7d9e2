import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import type { SessionChannel } from '../sessionChannel.ts';
import { listen } from './listen.ts';
import { externalAddress } from '../../shared/text/externalAddress.ts';

/**
 * Sends clicks on links, and Enter on links to files, to the host. VS Code handles links in webviews on the window and
 * would open each link a second time, so the event doesn't propagate.
 */
export function followLinks(root: HTMLElement, channel: SessionChannel): Disposable {
  const disposables = new Disposables();
  const follow = (event: Event) => {
    const anchor = event.target instanceof Element ? event.target.closest('a[href], a[data-path]') : null;
    if (!anchor) return;
    event.preventDefault();
    event.stopPropagation();
    if (event instanceof MouseEvent && event.button === 2) return;
    const path = anchor.getAttribute('data-path');
    const href = externalAddress(anchor.getAttribute('href') ?? '');
    const isModified = event instanceof MouseEvent && (event.ctrlKey || event.metaKey);
    if (path !== null) channel.post({ type: 'openPath', path, ...(isModified ? { toSide: true } : {}) });
    else if (href !== undefined) channel.post({ type: 'openLink', href });
  };
  listen(disposables, root, 'click', follow);
  listen(disposables, root, 'auxclick', follow);
  listen(disposables, root, 'keydown', (event) => {
    const isPath = event.target instanceof Element && event.target.matches('a[data-path]');
    if (isPath && event.key === 'Enter') follow(event);
  });
  return disposables;
}
