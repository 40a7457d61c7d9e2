/**
 * Runs in a page: moves its clock to a time, in Unix ms, but not its timers. The `clock` of Playwright would also move
 * that of every other page of the browser context, and so of later tests.
 */
export function moveClock(toMs: number): void {
  const RealDate = Date;
  const aheadMs = toMs - RealDate.now();
  const now = () => RealDate.now() + aheadMs;
  window.Date = new Proxy(RealDate, {
    construct: (target, given: unknown[]) => new target(...((given.length > 0 ? given : [now()]) as [number])),
    get: (target, name, receiver): unknown => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
}
