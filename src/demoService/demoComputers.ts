/** The computers of this service. One is turned off, so a session with a message for it stays `pending`. */
export const computers = {
  workstation: 'computer-workstation',
  buildServer: 'computer-build-server',
  switchedOff: 'computer-old-laptop',
} as const;

const computerIds: readonly string[] = Object.values(computers);

/** Whether the service has a computer with this ID. */
export function isKnownComputer(computerId: string): boolean {
  return computerIds.includes(computerId);
}

/** Whether the agent can run on this computer. A session without a computer runs in the service itself. */
export function isComputerOnline(computerId: string | undefined): boolean {
  return computerId !== computers.switchedOff;
}
