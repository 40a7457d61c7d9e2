import type { TerminalCommands } from '../../src/host/editors/terminalOutputs.ts';

/** A window in which terminal output isn't recorded. */
export const noTerminals: TerminalCommands = { isEnabled: false, hasCommands: false, commands: () => [] };
