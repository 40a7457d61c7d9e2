import { isAllowedLink } from './content/linkPolicy.ts';
import { Owner, type Owned } from './ownership.ts';

/**
 * Hands clicks on links to the host, which asks and opens. The editor's own handling of links in pages sits on the
 * window and would open each a second time, so the click goes no further.
 */
export function followLinks(root: HTMLElement, open: (href: string) => void): Owned {
  const owner = new Owner();
  const follow = (event: Event) => {
    const anchor = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!anchor) return;
    event.preventDefault();
    event.stopPropagation();
    const href = anchor.getAttribute('href') ?? '';
    const isContextMenu = event instanceof MouseEvent && event.button === 2;
    if (!isContextMenu && isAllowedLink(href)) open(href);
  };
  owner.listen(root, 'click', follow);
  owner.listen(root, 'auxclick', follow);
  return owner;
}
