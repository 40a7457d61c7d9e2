import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import type { Editor, EditorOptions } from '../../editor/run/editor.ts';
import { openEditor } from '../../editor/run/openEditor.ts';
import { copySampleProject, type SampleProject } from '../../editor/sampleProject.ts';
import type { Workbench } from '../../editor/drive/workbench.ts';

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
  const opened: { editor?: Editor; workbench?: Workbench; project?: SampleProject } = {};
  beforeAll(async () => {
    const { folder } = (opened.project = await copySampleProject());
    opened.editor = await openEditor({ version: '1.139', ...options, folder, vsix: inject('vsix') });
    opened.workbench = await opened.editor.openWindow();
  });
  beforeEach(({ onTestFailed, task }) => {
    onTestFailed(async () => {
      await opened.workbench?.screenshot(`failed ${task.name}`);
    });
  });
  afterAll(async () => {
    await opened.editor?.dispose();
    await opened.project?.dispose();
  });
  return {
    get editor() {
      return present(opened.editor);
    },
    get workbench() {
      return present(opened.workbench);
    },
    get folder() {
      return present(opened.project).folder;
    },
  };
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('VS Code is open inside tests and hooks only.');
  return value;
}
