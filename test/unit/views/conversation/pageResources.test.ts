import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type * as vscode from 'vscode';
import { onDispose } from '../../../../src/shared/lifecycle.ts';
import { PageResources } from '../../../../src/views/conversation/pageResources.ts';
import { Uri } from '../../../fakes/recordedEditor.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

it('lets a page read only the media folder, and blocks commands and forms (R2)', () => {
  const extension = Uri.file('/extensions/lineside');
  const { options } = new PageResources(extension as unknown as vscode.Uri);
  const { localResourceRoots = [], ...rest } = options;
  expect(localResourceRoots.map(({ fsPath }) => fsPath)).toEqual(['/extensions/lineside/dist/media']);
  expect(rest).toEqual({ enableScripts: true, enableForms: false, enableCommandUris: false });
});

it('puts the bundle into the page, and names its script in stack traces', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lineside-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const media = join(folder, 'dist', 'media');
  await mkdir(media, { recursive: true });
  await writeFile(join(media, 'usage.js'), 'show();');
  await writeFile(join(media, 'usage.css'), 'p { margin: 0 }');
  const webview = {
    html: '',
    cspSource: 'https://csp',
    asWebviewUri: () => 'https://page/media',
    onDidReceiveMessage: () => onDispose(() => undefined),
  } as unknown as vscode.Webview;
  new PageResources(Uri.file(folder) as unknown as vscode.Uri).loadUsage(webview);
  expect(webview.html).toContain('<title>Token usage</title>');
  expect(webview.html).toContain('>show();\n//# sourceURL=https://page/media/usage.js</script>');
  expect(webview.html).toContain('>p { margin: 0 }</style>');
});
