import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { obtainPackedFolder } from '../../editor/packedFolder.ts';
import { openServerEditor, type ServerEditor } from '../../editor/run/serverEditor.ts';
import { copySampleProject } from '../../editor/sampleProject.ts';
import type { PackedVersion } from './versions.ts';

/** Poll rarely, because a benchmark triggers a refresh for each new message itself. */
const settings = { 'lineside.polling.runningSeconds': 3_600, 'lineside.polling.idleSeconds': 3_600 };

/**
 * A VS Code instance with its own data, a version of the extension, an empty extension, and the floor: the extension in
 * tools/bench/floor, whose webview is almost empty.
 */
export class VersionEditor {
  readonly version: PackedVersion;
  readonly editor: ServerEditor;
  /** The folder in which {@link Door} finds the extension host. */
  readonly folder: string;
  readonly #project: { dispose(): Promise<void> };

  constructor(version: PackedVersion, editor: ServerEditor, folder: string, project: { dispose(): Promise<void> }) {
    this.version = version;
    this.editor = editor;
    this.folder = folder;
    this.#project = project;
  }

  static async open(version: PackedVersion): Promise<VersionEditor> {
    const folder = await mkdtemp(join(tmpdir(), 'lineside-bench-'));
    const project = await copySampleProject();
    try {
      const besides = await Promise.all(
        ['floor', 'empty'].map((name) => obtainPackedFolder(name, join(import.meta.dirname, '..', name))),
      );
      const environment = { LINESIDE_BENCH: folder };
      const { vsix } = version;
      const options = { version: '1.139', folder: project.folder, vsix, besides, settings, environment } as const;
      return new VersionEditor(version, await openServerEditor(options), folder, project);
    } catch (error) {
      await project.dispose();
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async dispose(): Promise<void> {
    await this.editor.dispose();
    await this.#project.dispose();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/**
 * Opens VS Code with a version, and resolves to the result of `prepare`. If that fails, disposes of VS Code and the
 * service.
 */
export async function openWithService<T>(
  version: PackedVersion,
  service: { dispose(): Promise<void> },
  prepare: (editor: VersionEditor) => Promise<T>,
): Promise<T> {
  try {
    const editor = await VersionEditor.open(version);
    try {
      return await prepare(editor);
    } catch (error) {
      await editor.dispose();
      throw error;
    }
  } catch (error) {
    await service.dispose();
    throw error;
  }
}
