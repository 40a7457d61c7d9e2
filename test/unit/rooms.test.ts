import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/l10n/sourceFiles.ts';

const eslint = new ESLint({ cwd: root });

const roomRules = ['@typescript-eslint/no-restricted-imports', 'no-restricted-syntax'];

async function complaints(filePath: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath: `src/${filePath}` });
  const fatal = result?.messages.find((message) => message.fatal === true);
  if (!result || fatal) throw new Error(fatal?.message ?? 'nothing was linted');
  return result.messages.flatMap(({ ruleId }) => (ruleId !== null && roomRules.includes(ruleId) ? [ruleId] : []));
}

const imports = '@typescript-eslint/no-restricted-imports';
const syntax = 'no-restricted-syntax';
const valueOf = (from: string) => `import { x } from '${from}'; export const y = x;`;
const typeOf = (from: string) => `import type { X } from '${from}'; export type Y = X;`;

describe('a room may not import', () => {
  it.each([
    ['state/a.ts', valueOf('vscode')],
    ['state/a.ts', valueOf('../sync/poller.ts')],
    ['state/a.ts', valueOf('../api/client.ts')],
    ['state/a.ts', valueOf('../shared/protocol/pageMessages.ts')],
    ['state/a.ts', valueOf('node:fs')],
    ['state/a.ts', valueOf('undici')],
    ['state/deeper/a.ts', valueOf('../../host/settings.ts')],
    ['sync/a.ts', valueOf('vscode')],
    ['sync/a.ts', typeOf('vscode')],
    ['sync/a.ts', valueOf('../views/conversation/pageUpdates.ts')],
    ['sync/a.ts', valueOf('../demoService/service.ts')],
    ['api/a.ts', valueOf('../state/store/store.ts')],
    ['api/a.ts', typeOf('../state/store/failure.ts')],
    ['api/a.ts', valueOf('undici')],
    ['api/a.ts', valueOf('undici/lib/dispatcher/pool.js')],
    ['api/a.ts', valueOf('zod')],
    ['api/transport/directTransport.ts', valueOf('undici')],
    ['api/transport/directTransport.ts', valueOf('undici/lib/global.js')],
    ['demoService/a.ts', valueOf('../api/resources/session.ts')],
    ['demoService/a.ts', typeOf('../api/resources/session.ts')],
    ['demoService/a.ts', valueOf('../extension.ts')],
    ['host/a.ts', valueOf('../state/store/store.ts')],
    ['host/a.ts', valueOf('../api/client.ts')],
    ['views/a.ts', valueOf('../sync/syncEngine.ts')],
    ['views/a.ts', valueOf('../commands/register.ts')],
    ['views/a.ts', valueOf('../api/errors.ts')],
    ['commands/a.ts', valueOf('../shared/protocol/pageMessages.ts')],
    ['commands/a.ts', valueOf('../demoService/service.ts')],
    ['views/a.ts', valueOf('../app/services.ts')],
    ['app/a.ts', valueOf('../webview/page.ts')],
    ['webview/a.ts', valueOf('../host/settings.ts')],
    ['webview/a.ts', typeOf('../state/store/store.ts')],
    ['webview/a.ts', valueOf('../shared/protocol/pageMessages.ts')],
    ['webview/rows/a.ts', valueOf('../../shared/protocol/pageMessages.ts')],
    ['webview/a.ts', valueOf('../demoService/service.ts')],
    ['shared/a.ts', valueOf('../state/store/store.ts')],
    ['api/http/a.ts', typeOf('../../shared/protocol/pageModel.ts')],
    ['app/a.ts', valueOf('../extension.ts')],
    ['webview/a.ts', valueOf('vscode')],
    ['webview/a.ts', valueOf('node:fs')],
  ])('%s: %s', async (file, code) => expect(await complaints(file, code)).toEqual([imports]));
});

describe('only one file may', () => {
  const register = `import * as vscode from 'vscode'; vscode.commands.registerCommand('x', () => undefined);`;
  const context = `import * as vscode from 'vscode'; void vscode.commands.executeCommand('setContext', 'x', 1);`;
  const acquire = `declare function acquireVsCodeApi(): unknown; export const api = acquireVsCodeApi();`;
  const fetchBare = `export const answer = fetch('https://a.test');`;
  const fetchGlobal = `export const answer = globalThis.fetch('https://a.test');`;

  it.each([
    [register, 'commands/register.ts', ['commands/sessions.ts', 'views/a.ts', 'host/a.ts', 'extension.ts']],
    [context, 'host/contextKeys.ts', ['views/contexts.ts', 'commands/a.ts']],
    [acquire, 'webview/hostChannel.ts', ['webview/page.ts', 'webview/rows/a.ts']],
    [fetchBare, 'api/transport/editorTransport.ts', ['api/client.ts', 'sync/a.ts', 'webview/a.ts', 'commands/a.ts']],
    [fetchGlobal, 'api/transport/editorTransport.ts', ['api/client.ts', 'host/a.ts', 'app/demo.ts']],
  ])('%s', async (code, door, others) => {
    expect(await complaints(door, code)).toEqual([]);
    for (const other of others) expect(await complaints(other, code), other).toEqual([syntax]);
  });

  it('draw Markdown in a tooltip or hover', async () => {
    const tooltip = `import * as vscode from 'vscode'; export const tooltip = new vscode.MarkdownString('a');`;
    for (const file of ['views/sessions/treeItems.ts', 'views/statusBar.ts', 'commands/register.ts', 'host/a.ts']) {
      expect(await complaints(file, tooltip), file).toEqual([syntax]);
    }
    expect(await complaints('views/sessions/literalTooltip.ts', tooltip)).toEqual([]);
  });

  it.each([
    ['showErrorMessage', 'host/prompts/notify.ts'],
    ['showWarningMessage', 'host/prompts/notify.ts'],
    ['showInformationMessage', 'host/prompts/notify.ts'],
    ['showInputBox', 'host/prompts/askText.ts'],
    ['createInputBox', 'host/prompts/askText.ts'],
    ['showQuickPick', 'host/prompts/picker.ts'],
    ['createQuickPick', 'host/prompts/picker.ts'],
    ['withProgress', 'host/prompts/progress.ts'],
  ])('ask the user with %s', async (name, door) => {
    const code = `import * as vscode from 'vscode'; void vscode.window.${name}('a');`;
    expect(await complaints(door, code)).toEqual([]);
    for (const other of ['commands/a.ts', 'views/a.ts', 'host/prompts/other.ts', 'app/a.ts', 'extension.ts']) {
      expect(await complaints(other, code), other).toEqual([syntax]);
    }
  });

  it("import undici, and only its parts that don't affect the process", async () => {
    const pool = valueOf('undici/lib/dispatcher/pool.js');
    expect(await complaints('api/transport/directTransport.ts', pool)).toEqual([]);
    expect(await complaints('api/client.ts', pool)).toEqual([imports]);
  });
});

describe('a room may import', () => {
  it.each([
    ['state/a.ts', typeOf('../api/resources/message.ts')],
    ['state/a.ts', typeOf('../shared/protocol/pageModel.ts')],
    ['state/a.ts', valueOf('../shared/lifecycle.ts')],
    ['sync/a.ts', valueOf('../api/errors.ts')],
    ['sync/a.ts', valueOf('node:crypto')],
    ['host/a.ts', valueOf('vscode')],
    ['views/a.ts', valueOf('../state/presentation/session.ts')],
    ['views/a.ts', valueOf('../shared/protocol/pageMessages.ts')],
    ['commands/a.ts', valueOf('../sync/syncEngine.ts')],
    ['webview/a.ts', typeOf('../shared/protocol/pageMessages.ts')],
    ['webview/a.ts', valueOf('../shared/protocol/vocabulary.ts')],
    ['commands/a.ts', valueOf('../shared/protocol/vocabulary.ts')],
    ['state/a.ts', valueOf('../shared/protocol/vocabulary.ts')],
    ['webview/rows/a.ts', typeOf('../../shared/protocol/pageModel.ts')],
    ['demoService/a.ts', valueOf('node:http')],
  ])('%s: %s', async (file, code) => expect(await complaints(file, code)).toEqual([]));
});
