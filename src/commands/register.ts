import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';

/** Runs a command with the arguments that VS Code passed. */
type RunCommand = (name: string, given: readonly unknown[]) => Promise<unknown>;

/**
 * Registers commands by the part of their IDs after `lineside.`. No other code registers commands (spec 11).
 */
export function registerCommands(names: readonly string[], run: RunCommand): Disposable {
  const disposables = new Disposables();
  for (const name of names) {
    const execute = (...given: readonly unknown[]) => run(name, given);
    disposables.add(vscode.commands.registerCommand(`lineside.${name}`, execute));
  }
  return disposables;
}
