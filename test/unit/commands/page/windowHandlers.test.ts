import { beforeEach, expect, it, vi } from 'vitest';
import { commands, env, recorded } from '../../../fakes/recordedEditor.ts';
import { windowHandlers } from '../../../../src/commands/page/windowHandlers.ts';
import type { PageServices } from '../../../../src/commands/context.ts';
import type { PageAction } from '../../../../src/shared/protocol/vocabulary.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

// These handlers use none of the `PageServices`.
const { openLink, copy } = windowHandlers({} as PageServices);

beforeEach(() => {
  recorded.length = 0;
});

it.each([
  'https://example.com/a?b=c#d',
  'https://example.com/a%2Fb?u=x%26y',
  'https://example.com',
  'http://localhost:1/',
  'https://xn--pple-43d.com/%E2%80%AE',
])('opens the string %s outside VS Code', async (href) => {
  await openLink({ type: 'openLink', href });
  expect(recorded).toEqual([{ what: 'command', args: ['vscode.open', href] }]);
});

it.each(['mailto:a@example.com', 'mailto:a@example.com?subject=x%26bcc=b@example.com'])(
  'opens the string %s in the mail program, because `vscode.open` takes only web addresses',
  async (href) => {
    await openLink({ type: 'openLink', href });
    expect(recorded).toEqual([{ what: 'openExternal', args: [href] }]);
  },
);

it.each(['https://example.com', 'mailto:a@example.com'])('fails if VS Code fails to open %s', async (href) => {
  vi.spyOn(commands, 'executeCommand').mockRejectedValueOnce(new Error('Not now'));
  vi.spyOn(env, 'openExternal').mockRejectedValueOnce(new Error('Not now'));
  await expect(openLink({ type: 'openLink', href })).rejects.toThrow('Not now');
  vi.restoreAllMocks();
});

it.each([
  'command:workbench.action.quit',
  'command:workbench.action.terminal.sendSequence?%7B%7D',
  'COMMAND:x',
  ' command:x',
  'file:///etc/passwd',
  'vscode://lineside.lineside/open?session=1',
  'vscode-insiders://file/etc/passwd',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://example.com/1',
  'vscode-webview-resource://x/y',
  'ssh://host',
  '//example.com',
  'HTTPS://EXAMPLE.COM',
  'https://\u0430pple.com/',
  'https://example.com/\u202e',
  'https://good.test\\@evil.test/',
  'https://example.com/ command:x',
  '/etc/passwd',
  'not a URL',
  '',
])('ignores a page that asks to open %j (R3, R5)', async (href) => {
  await openLink({ type: 'openLink', href });
  expect(recorded).toEqual([]);
});

it('copies exactly the text of the page', async () => {
  await copy({ type: 'copy', text: '`a`\n' });
  expect(recorded).toEqual([{ what: 'copy', args: ['`a`\n'] }]);
});

const origin = 'https://service.test';

it.each<[PageAction, unknown[]]>([
  ['switchService', ['switchService', { service: origin }]],
  ['removeSession', ['removeSession', { sessionId: 's1', service: origin }]],
  ['changeModel', ['editSettings', { sessionId: 's1', service: origin, setting: 'model' }]],
  ['connect', ['connect', {}]],
  ['openConversationInEditor', ['openConversationInEditor', { sessionId: 's1', service: origin }]],
])('runs the command of the button %s, which asks and shows its errors', async (action, command) => {
  const run: unknown[] = [];
  const commands = { run: (...given: unknown[]) => Promise.resolve(run.push(given)) };
  const key = { origin, sessionId: 's1' };
  await windowHandlers({ commands } as unknown as PageServices).act({ type: 'act', action, ...key });
  expect(run).toEqual([command]);
  expect(recorded).toEqual([]);
});
