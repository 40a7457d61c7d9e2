import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import type { Editor, EditorOptions } from '../editor/editor.ts';
import { openEditor } from '../editor/openEditor.ts';
import type { Workbench } from '../editor/workbench.ts';

/** What a test file's tests share; its members may be read inside tests and hooks only. */
export interface Journey {
  readonly editor: Editor;
  readonly workbench: Workbench;
  /** The workspace folder: the sample project, copied for this file alone. */
  readonly folder: string;
}

/**
 * Opens VS Code with the packaged extension and the sample project, once for the test file that calls this, and closes
 * it after its last test. A test that fails leaves a picture of the window in test-results.
 */
export function useJourney(options: Partial<Omit<EditorOptions, 'folder' | 'vsix'>> = {}): Journey {
  const opened: { editor?: Editor; workbench?: Workbench; folder?: string } = {};
  beforeAll(async () => {
    opened.folder = await copySampleProject();
    opened.editor = await openEditor({ version: '1.139', ...options, folder: opened.folder, vsix: inject('vsix') });
    opened.workbench = await opened.editor.openWindow();
  });
  beforeEach(({ onTestFailed, task }) => {
    onTestFailed(async () => {
      await opened.workbench?.screenshot(`failed ${task.name}`);
    });
  });
  afterAll(async () => {
    await opened.editor?.dispose();
    if (opened.folder) await rm(join(opened.folder, '..'), { recursive: true, force: true });
  });
  return {
    get editor() {
      return present(opened.editor);
    },
    get workbench() {
      return present(opened.workbench);
    },
    get folder() {
      return present(opened.folder);
    },
  };
}

/** A copy of the sample project, in a temporary folder of its own that the caller removes. */
export async function copySampleProject(): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'session-deck-workspace-')), 'orchard');
  await cp(join(import.meta.dirname, '..', 'fixtures', 'workspace'), folder, { recursive: true });
  return folder;
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('VS Code is open inside tests and hooks only.');
  return value;
}
