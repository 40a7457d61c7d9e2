/**
 * Runs in a page: moves its clock ahead, but not its timers. The `clock` of Playwright would also move that of every
 * other page of the browser context, and so of later tests.
 */
export function moveClock(aheadMs: number): void {
  const RealDate = Date;
  const now = () => RealDate.now() + aheadMs;
  window.Date = new Proxy(RealDate, {
    construct: (target, given: unknown[]) => new target(...((given.length > 0 ? given : [now()]) as [number])),
    get: (target, name, receiver): unknown => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
}
