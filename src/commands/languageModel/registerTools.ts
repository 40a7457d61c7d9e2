import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';

type InvokeTool = (
  name: string,
  options: vscode.LanguageModelToolInvocationOptions<unknown>,
  token: vscode.CancellationToken,
) => Promise<vscode.LanguageModelToolResult>;

/** The tool that is registered only while {@link sendingSetting} is on. */
const sendingTool = 'lineside_send_message';
const sendingSetting = 'lineside.languageModelTools.allowSending';

/** Registers language model tools at activation. Their implementation is loaded when one is called. */
export function registerTools(names: readonly string[], run: InvokeTool): Disposable {
  const own = new Disposables();
  const register = (name: string): vscode.Disposable =>
    vscode.lm.registerTool(name, { invoke: (options, token) => run(name, options, token) });
  let sending: vscode.Disposable | undefined;
  const followSetting = (): void => {
    sending?.dispose();
    // The schemas of settings aren't used here, because they would be loaded with every window.
    const isAllowed = vscode.workspace.getConfiguration().get<unknown>(sendingSetting) === true;
    sending = isAllowed ? register(sendingTool) : undefined;
  };
  for (const name of names) if (name !== sendingTool) own.add(register(name));
  followSetting();
  own.add(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(sendingSetting)) followSetting();
    }),
  );
  own.add({ dispose: () => void sending?.dispose() });
  return own;
}
