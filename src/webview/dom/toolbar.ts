import { element } from './element.ts';

/**
 * A row of buttons that is a single tab stop, as in VS Code's toolbars: the arrow keys, Home, and End move between the
 * buttons. `label` is its name for screen readers.
 */
export function toolbar(label: string, className: string, buttons: readonly HTMLButtonElement[]): HTMLElement {
  const bar = element('div', { class: className, role: 'toolbar', 'aria-label': label }, ...buttons);
  const select = (chosen: HTMLButtonElement) => {
    for (const button of buttons) button.tabIndex = button === chosen ? 0 : -1;
  };
  const [first] = buttons;
  if (first) select(first);
  bar.addEventListener('keydown', (event) => {
    const current = buttons.findIndex((button) => button === document.activeElement);
    const next = current < 0 ? undefined : nextIndex(event.key, current, buttons.length, isRightToLeft(bar));
    const button = next === undefined ? undefined : buttons[next];
    if (!button) return;
    event.preventDefault();
    select(button);
    button.focus();
  });
  return bar;
}

function nextIndex(key: string, current: number, count: number, isReversed: boolean): number | undefined {
  const step = isReversed ? -1 : 1;
  switch (key) {
    case 'ArrowRight':
      return (current + step + count) % count;
    case 'ArrowLeft':
      return (current - step + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

function isRightToLeft(node: Element): boolean {
  return getComputedStyle(node).direction === 'rtl';
}
