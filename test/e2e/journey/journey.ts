import { basename } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Editor, EditorOptions } from '../../../tools/editor/run/editor.ts';
import type {} from '../../evidence.ts';
import { defined } from '../../../src/shared/defined.ts';
import { copySampleProject, type SampleProject } from '../../../tools/editor/sampleProject.ts';
import type { Workbench } from '../../../tools/editor/drive/workbench.ts';
import { endOfLog } from './keptFiles.ts';
import { openPackaged } from './packaged.ts';

/** The VS Code instance shared by the tests of a file. Its members can be read only inside tests and hooks. */
export interface Journey {
  readonly editor: Editor;
  readonly workbench: Workbench;
  /** The workspace folder, a copy of the sample project for this test file only. */
  readonly folder: string;
}

/**
 * Opens VS Code with the packaged extension and the sample project once for the calling test file, and closes it after
 * the last test. Calls `prepare` before the window opens. When a test fails, a screenshot of the window is saved in
 * test-results, and the report of the test contains the name of the screenshot and the end of the extension's log.
 */
export function useJourney(
  options: Partial<Omit<EditorOptions, 'folder' | 'vsix' | 'browser'>> = {},
  prepare?: (editor: Editor, folder: string) => Promise<void>,
): Journey {
  const opened: { editor?: Editor; workbench?: Workbench; project?: SampleProject } = {};
  beforeAll(async () => {
    const { folder } = (opened.project = await copySampleProject());
    opened.editor = await openPackaged({ ...options, folder });
    await prepare?.(opened.editor, folder);
    opened.workbench = await opened.editor.openWindow();
  });
  beforeEach(({ onTestFailed, task }) => {
    onTestFailed(async () => {
      const { editor, workbench } = opened;
      const picture = await workbench?.screenshot(`failed ${task.name}`).then(
        (file) => basename(file),
        () => 'none: the window does not respond',
      );
      const log = editor && (await endOfLog(editor));
      task.meta.evidence = defined({ picture, log });
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
