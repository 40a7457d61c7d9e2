const patienceMs = 60_000;

/**
 * Checks `condition` on every turn of the event loop until it holds. After a minute, rejects with an error that
 * contains `what`.
 */
export async function until(condition: () => boolean | Promise<boolean>, what = 'the condition'): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Work that pauses until a later turn of the event loop, and system calls for files and connections. */
const dueWork = /^(?:Immediate|FSReq|CloseReq|ConnectWrap)/;

/** Whether work that has begun is due in a later turn of the event loop. Timers don't count. */
export function isWorkDue(): boolean {
  return process.getActiveResourcesInfo().some((name) => dueWork.test(name));
}

/**
 * Resolves once no work has been due for several turns of the event loop. On a busy machine, the same work pauses more
 * often, so a number of turns alone says nothing.
 */
export async function untilNothingIsDue(): Promise<void> {
  for (let quiet = 0; quiet < 3;) {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    quiet = isWorkDue() ? 0 : quiet + 1;
  }
}
