import type { Disposables } from '../../shared/lifecycle.ts';

/** Adds an event listener that is removed when `disposables` are disposed. */
export function listen<K extends keyof GlobalEventHandlersEventMap>(
  disposables: Disposables,
  target: EventTarget,
  type: K,
  listener: (event: GlobalEventHandlersEventMap[K]) => void,
  options?: AddEventListenerOptions,
): void;
export function listen(
  disposables: Disposables,
  target: EventTarget,
  type: string,
  listener: (event: Event) => void,
  options?: AddEventListenerOptions,
): void;
export function listen(
  disposables: Disposables,
  target: EventTarget,
  type: string,
  listener: (event: never) => void,
  options?: AddEventListenerOptions,
): void {
  const handler: EventListenerObject = {
    handleEvent(event) {
      Reflect.apply(listener, undefined, [event]);
    },
  };
  target.addEventListener(type, handler, options);
  disposables.add({ dispose: () => target.removeEventListener(type, handler, options) });
}
