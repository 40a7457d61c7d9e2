import { describe, expect, it } from 'vitest';
import { lintTexts, type LintedText } from './lintTexts.ts';

/** Code in a file of `src`, and the lint rules that it breaks: `house(rooms)`, `house(doors)`, or none. */
interface Example extends LintedText {
  readonly name: string;
  readonly expected: readonly string[];
}

const example = (file: string, code: string, ...expected: readonly string[]): Example => {
  return { name: `${file}: ${code}`, path: `src/${file}`, code, expected };
};

const imports = 'house(rooms)';
const syntax = 'house(doors)';
const valueOf = (from: string) => `import { x } from '${from}'; export const y = x;`;
const typeOf = (from: string) => `import type { X } from '${from}'; export type Y = X;`;

const closed = [
  example('state/a.ts', valueOf('vscode'), imports),
  example('state/a.ts', valueOf('../sync/poller.ts'), imports),
  example('state/a.ts', valueOf('../api/client.ts'), imports),
  example('state/a.ts', valueOf('../shared/protocol/pageMessages.ts'), imports),
  example('state/a.ts', valueOf('node:fs'), imports),
  example('state/a.ts', valueOf('undici'), imports),
  example('state/deeper/a.ts', valueOf('../../host/settings.ts'), imports),
  example('sync/a.ts', valueOf('vscode'), imports),
  example('sync/a.ts', typeOf('vscode'), imports),
  example('sync/a.ts', valueOf('../views/conversation/pageUpdates.ts'), imports),
  example('sync/a.ts', valueOf('../demoService/service.ts'), imports),
  example('api/a.ts', valueOf('../state/store/store.ts'), imports),
  example('api/a.ts', typeOf('../state/store/failure.ts'), imports),
  example('api/a.ts', valueOf('undici'), imports),
  example('api/a.ts', valueOf('undici/lib/dispatcher/pool.js'), imports),
  example('api/a.ts', valueOf('zod'), imports),
  example('api/transport/directTransport.ts', valueOf('undici'), imports),
  example('api/transport/directTransport.ts', valueOf('undici/lib/global.js'), imports),
  example('demoService/a.ts', valueOf('../api/resources/session.ts'), imports),
  example('demoService/a.ts', typeOf('../api/resources/session.ts'), imports),
  example('demoService/a.ts', valueOf('../extension.ts'), imports),
  example('host/a.ts', valueOf('../state/store/store.ts'), imports),
  example('host/a.ts', valueOf('../api/client.ts'), imports),
  example('views/a.ts', valueOf('../sync/syncEngine.ts'), imports),
  example('views/a.ts', valueOf('../commands/register.ts'), imports),
  example('views/a.ts', valueOf('../api/errors.ts'), imports),
  example('commands/a.ts', valueOf('../shared/protocol/pageMessages.ts'), imports),
  example('commands/a.ts', valueOf('../demoService/service.ts'), imports),
  example('views/a.ts', valueOf('../app/services.ts'), imports),
  example('app/a.ts', valueOf('../webview/page.ts'), imports),
  example('webview/a.ts', valueOf('../host/settings.ts'), imports),
  example('webview/a.ts', typeOf('../state/store/store.ts'), imports),
  example('webview/a.ts', valueOf('../shared/protocol/pageMessages.ts'), imports),
  example('webview/rows/a.ts', valueOf('../../shared/protocol/pageMessages.ts'), imports),
  example('webview/a.ts', valueOf('../demoService/service.ts'), imports),
  example('shared/a.ts', valueOf('../state/store/store.ts'), imports),
  example('api/http/a.ts', typeOf('../../shared/protocol/pageModel.ts'), imports),
  example('app/a.ts', valueOf('../extension.ts'), imports),
  example('webview/a.ts', valueOf('vscode'), imports),
  example('webview/a.ts', valueOf('node:fs'), imports),
];

const register = `import * as vscode from 'vscode'; vscode.commands.registerCommand('x', () => undefined);`;
const context = `import * as vscode from 'vscode'; void vscode.commands.executeCommand('setContext', 'x', 1);`;
const acquire = `declare function acquireVsCodeApi(): unknown; export const api = acquireVsCodeApi();`;
const fetchBare = `export const answer = fetch('https://a.test');`;
const fetchGlobal = `export const answer = globalThis.fetch('https://a.test');`;
const tooltip = `import * as vscode from 'vscode'; export const tooltip = new vscode.MarkdownString('a');`;
const ask = (name: string) => `import * as vscode from 'vscode'; void vscode.window.${name}('a');`;
const others = ['commands/a.ts', 'views/a.ts', 'host/prompts/other.ts', 'app/a.ts', 'extension.ts'];
const pool = valueOf('undici/lib/dispatcher/pool.js');

/** Code that is allowed in only one file, that file, and files in which it isn't allowed. */
const doors: readonly (readonly [code: string, door: string, others: readonly string[]])[] = [
  [register, 'commands/register.ts', ['commands/sessions.ts', 'views/a.ts', 'host/a.ts', 'extension.ts']],
  [context, 'host/contextKeySetter.ts', ['views/contexts.ts', 'commands/a.ts']],
  [acquire, 'webview/hostChannel.ts', ['webview/page.ts', 'webview/rows/a.ts']],
  [fetchBare, 'api/transport/editorTransport.ts', ['api/client.ts', 'sync/a.ts', 'webview/a.ts', 'commands/a.ts']],
  [fetchGlobal, 'api/transport/editorTransport.ts', ['api/client.ts', 'host/a.ts', 'app/demo.ts']],
  [
    tooltip,
    'views/sessions/literalTooltip.ts',
    ['views/sessions/treeItems.ts', 'views/statusBar.ts', 'commands/register.ts', 'host/a.ts'],
  ],
  [ask('showErrorMessage'), 'host/prompts/notify.ts', others],
  [ask('showWarningMessage'), 'host/prompts/notify.ts', others],
  [ask('showInformationMessage'), 'host/prompts/notify.ts', others],
  [ask('showInputBox'), 'host/prompts/askText.ts', others],
  [ask('createInputBox'), 'host/prompts/askText.ts', others],
  [ask('showQuickPick'), 'host/prompts/picker.ts', others],
  [ask('createQuickPick'), 'host/prompts/picker.ts', others],
  [ask('withProgress'), 'host/prompts/progress.ts', others],
];

const atDoors = [
  ...doors.flatMap(([code, door, closedFor]) => [
    example(door, code),
    ...closedFor.map((file) => example(file, code, syntax)),
  ]),
  // Only the transport may import undici, and only the parts that don't affect the process.
  example('api/transport/directTransport.ts', pool),
  example('api/client.ts', pool, imports),
];

const open = [
  example('state/a.ts', typeOf('../api/resources/message.ts')),
  example('state/a.ts', typeOf('../shared/protocol/pageModel.ts')),
  example('state/a.ts', valueOf('../shared/lifecycle.ts')),
  example('sync/a.ts', valueOf('../api/errors.ts')),
  example('sync/a.ts', valueOf('node:crypto')),
  example('host/a.ts', valueOf('vscode')),
  example('views/a.ts', valueOf('../state/presentation/session.ts')),
  example('views/a.ts', valueOf('../shared/protocol/pageMessages.ts')),
  example('commands/a.ts', valueOf('../sync/syncEngine.ts')),
  example('webview/a.ts', typeOf('../shared/protocol/pageMessages.ts')),
  example('webview/a.ts', valueOf('../shared/protocol/vocabulary.ts')),
  example('commands/a.ts', valueOf('../shared/protocol/vocabulary.ts')),
  example('state/a.ts', valueOf('../shared/protocol/vocabulary.ts')),
  example('webview/rows/a.ts', typeOf('../../shared/protocol/pageModel.ts')),
  example('demoService/a.ts', valueOf('node:http')),
];

const examples = [...closed, ...atDoors, ...open];
const found = await lintTexts(examples);

describe.each([
  ['a room may not import', closed],
  ['only one file may', atDoors],
  ['a room may import', open],
])('%s', (_what, list) => {
  it.each(list)('$name', (one) => {
    const rules = found[examples.indexOf(one)]?.filter((rule) => rule.startsWith('house('));
    expect(rules).toEqual(one.expected);
  });
});

it('a file with a syntax error is reported', async () => {
  await expect(lintTexts([{ path: 'src/state/a.ts', code: 'import {' }])).rejects.toThrow();
});
