import type { MeasuredVersion } from '../against/comparison.ts';
import { openWithService, type VersionEditor } from '../against/versionEditor.ts';
import type { PackedVersion } from '../against/versions.ts';
import { BenchWindows, type FirstReadFigures } from '../benchWindows.ts';
import type { BenchConversation, BenchService } from '../service/benchService.ts';

/** The windows of one version, in which conversations that are not in the cache are opened. */
export class HttpWindows implements MeasuredVersion<FirstReadFigures> {
  readonly columns = new Map<string, FirstReadFigures[]>();
  readonly #editor: VersionEditor;
  readonly #service: BenchService;
  readonly #windows: BenchWindows;

  constructor(editor: VersionEditor, service: BenchService, windows: BenchWindows) {
    this.#editor = editor;
    this.#service = service;
    this.#windows = windows;
  }

  /** Opens VS Code, and adds the conversations. Disposes of the service if that fails. */
  static open(version: PackedVersion, service: BenchService): Promise<HttpWindows> {
    return openWithService(version, service, async (editor) => {
      const windows = await BenchWindows.open(editor.editor, service, editor.folder);
      await windows.addConversations();
      return new HttpWindows(editor, service, windows);
    });
  }

  get title(): string {
    return this.#editor.version.title;
  }

  get conversations(): readonly BenchConversation[] {
    return this.#service.conversations;
  }

  /** Opens a conversation, and adds the figures to its column. Resolves to the figures. */
  async measure(conversation: BenchConversation): Promise<FirstReadFigures> {
    const figures = await this.#windows.measureFirstRead(conversation);
    this.columns.set(conversation.title, [...(this.columns.get(conversation.title) ?? []), figures]);
    return figures;
  }

  async dispose(): Promise<void> {
    await this.#editor.dispose();
    await this.#service.dispose();
  }
}
