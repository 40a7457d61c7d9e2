import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { listen } from './listen.ts';
import { isAllowedLink } from '../content/linkPolicy.ts';

/** What the host does with links. */
export interface LinkActions {
  /** Opens an address outside, after asking. */
  readonly open: (href: string) => void;
  /** Opens a file of the workspace. */
  readonly openPath: (path: string) => void;
}

/**
 * Hands clicks on links, and Enter on those to files, to the host. The editor's own handling of links in pages sits on the
 * window and would open each a second time, so the click goes no further.
 */
export function followLinks(root: HTMLElement, { open, openPath }: LinkActions): Disposable {
  const disposables = new Disposables();
  const follow = (event: Event) => {
    const anchor = event.target instanceof Element ? event.target.closest('a[href], a[data-path]') : null;
    if (!anchor) return;
    event.preventDefault();
    event.stopPropagation();
    if (event instanceof MouseEvent && event.button === 2) return;
    const path = anchor.getAttribute('data-path');
    const href = anchor.getAttribute('href') ?? '';
    if (path !== null) openPath(path);
    else if (isAllowedLink(href)) open(href);
  };
  listen(disposables, root, 'click', follow);
  listen(disposables, root, 'auxclick', follow);
  listen(disposables, root, 'keydown', (event) => {
    const isPath = event.target instanceof Element && event.target.matches('a[data-path]');
    if (isPath && event.key === 'Enter') follow(event);
  });
  return disposables;
}
