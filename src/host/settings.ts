import * as vscode from 'vscode';
import * as z from 'zod/mini';

const seconds = (fallback: number, least: number) =>
  z.catch(z.number().check(z.minimum(least), z.maximum(3_600)), fallback);

const settingsSchema = z.object({
  baseUrl: z.catch(z.string(), ''),
  pollingRunningSeconds: seconds(2, 1),
  pollingIdleSeconds: seconds(30, 5),
  maxAttachmentMB: z.catch(z.number().check(z.positive(), z.maximum(1_024)), 10),
  askBefore: z.catch(z.array(z.string()), []),
  sendKey: z.catch(z.enum(['enter', 'ctrlEnter']), 'enter'),
  networkRoute: z.catch(z.enum(['auto', 'direct', 'editor']), 'auto'),
});

/** The settings of package.json, each valid: a value that does not fit reads as its default. */
export type Settings = z.output<typeof settingsSchema>;

/** Reads all settings as they are now. */
export function readSettings(): Settings {
  const section = vscode.workspace.getConfiguration('sessionDeck');
  return settingsSchema.parse({
    baseUrl: section.get('baseUrl'),
    pollingRunningSeconds: section.get('polling.runningSeconds'),
    pollingIdleSeconds: section.get('polling.idleSeconds'),
    maxAttachmentMB: section.get('attachments.maxSizeMB'),
    askBefore: section.get('attachments.askBefore'),
    sendKey: section.get('composer.sendKey'),
    networkRoute: section.get('network.route'),
  });
}

/** Writes the base URL to the user's settings. Rejects where VS Code cannot write them. */
export async function writeBaseUrl(baseUrl: string): Promise<void> {
  await vscode.workspace.getConfiguration('sessionDeck').update('baseUrl', baseUrl, vscode.ConfigurationTarget.Global);
}

/** Tells of changed settings: ours, and those that decide the way to the network. */
export function onDidChangeSettings(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('sessionDeck') || change.affectsConfiguration('http')) listener();
  });
}

/** Whether the editor or its environment names a proxy, so that requests have to go the editor's way (R15). */
export function isProxyConfigured(environment: NodeJS.ProcessEnv): boolean {
  const proxy = vscode.workspace.getConfiguration('http').get<unknown>('proxy');
  const named = [
    proxy,
    environment['HTTPS_PROXY'],
    environment['https_proxy'],
    environment['HTTP_PROXY'],
    environment['http_proxy'],
  ];
  return named.some((value) => typeof value === 'string' && value !== '');
}
