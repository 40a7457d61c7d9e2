import type { MeasuredVersion } from './comparison.ts';
import type { PackedVersion } from './versions.ts';
import { BenchWindows, type WindowFigures } from '../benchWindows.ts';
import type { BenchService } from '../service/benchService.ts';
import { openWithService, type VersionEditor } from './versionEditor.ts';

/** The windows of one version, with a service of its own, and what was measured in them. */
export class VersionWindows implements MeasuredVersion<WindowFigures> {
  readonly columns = new Map<string, WindowFigures[]>();
  readonly #editor: VersionEditor;
  readonly #service: BenchService;
  readonly #windows: BenchWindows;

  constructor(editor: VersionEditor, service: BenchService, windows: BenchWindows) {
    this.#editor = editor;
    this.#service = service;
    this.#windows = windows;
  }

  /** Starts the service, opens VS Code, and fills the cache. */
  static async open(version: PackedVersion, startService: () => Promise<BenchService>): Promise<VersionWindows> {
    const service = await startService();
    return openWithService(version, service, async (editor) => {
      const windows = await BenchWindows.open(editor.editor, service, editor.folder);
      await windows.fillCache();
      return new VersionWindows(editor, service, windows);
    });
  }

  get title(): string {
    return this.#editor.version.title;
  }

  /** The number of columns: the floor, and the conversations. */
  get columnCount(): number {
    return this.#service.conversations.length + 1;
  }

  /** Measures a column in a new window, and adds the figures to it. Resolves to its title and the figures. */
  async measure(column: number): Promise<{ title: string; figures: WindowFigures }> {
    const conversation = this.#service.conversations[column - 1];
    const title = conversation?.title ?? 'floor';
    const figures = await (conversation ? this.#windows.measureLineside(conversation) : this.#windows.measureFloor());
    this.columns.set(title, [...(this.columns.get(title) ?? []), figures]);
    return { title, figures };
  }

  async dispose(): Promise<void> {
    await this.#editor.dispose();
    await this.#service.dispose();
  }
}
