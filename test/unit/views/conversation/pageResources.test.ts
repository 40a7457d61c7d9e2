import { expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { Uri } from '../../../fakes/recordedEditor.ts';
import { pageOptions } from '../../../../src/views/conversation/pageResources.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

it('lets a page read only the media folder, and blocks commands and forms (R2)', () => {
  const extension = Uri.file('/extensions/lineside');
  const { localResourceRoots = [], ...rest } = pageOptions(extension as unknown as vscode.Uri);
  expect(localResourceRoots.map(({ fsPath }) => fsPath)).toEqual(['/extensions/lineside/dist/media']);
  expect(rest).toEqual({ enableScripts: true, enableForms: false, enableCommandUris: false });
});
