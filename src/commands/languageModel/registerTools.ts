import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';

type InvokeTool = (
  name: string,
  options: vscode.LanguageModelToolInvocationOptions<unknown>,
  token: vscode.CancellationToken,
) => Promise<vscode.LanguageModelToolResult>;

/**
 * Registers language model tools at activation. Their implementation is loaded when one is called, and checks whether
 * the user allows the call. The manifest hides tools that are turned off, so no setting has to be read when a window
 * opens.
 */
export function registerTools(names: readonly string[], run: InvokeTool): Disposable {
  const disposables = new Disposables();
  for (const name of names) {
    disposables.add(vscode.lm.registerTool(name, { invoke: (options, token) => run(name, options, token) }));
  }
  return disposables;
}
