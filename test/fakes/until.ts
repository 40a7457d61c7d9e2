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
