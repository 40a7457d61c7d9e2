/** The machine's clock in ms, which only goes forward and is the same for all processes. */
export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
