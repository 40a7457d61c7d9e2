/** The computers that sessions of this service run on. One is switched off: messages for it wait as `pending`. */
export const computers = {
  workstation: 'computer-workstation',
  buildServer: 'computer-build-server',
  switchedOff: 'computer-old-laptop',
} as const;

const computerIds: readonly string[] = Object.values(computers);

/** Whether the service has a computer of this id. */
export function isKnownComputer(computerId: string): boolean {
  return computerIds.includes(computerId);
}

/** Whether the agent can work there now; a session without a computer runs in the service itself. */
export function isComputerOnline(computerId: string | undefined): boolean {
  return computerId !== computers.switchedOff;
}
