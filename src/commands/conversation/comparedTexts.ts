import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import { ReadOnlyFiles, textContent } from '../../host/readOnlyFiles/readOnlyFiles.ts';
import { fileSchemes } from '../../host/readOnlyFiles/readOnlyFileSystem.ts';
import { LruMap } from '../../shared/lruMap.ts';

/** Each text can be several megabytes in size. */
const maxTexts = 20;

/**
 * Texts that a diff editor compares and that have no other address. They are kept in memory only, because the clipboard
 * and selections can contain secrets. Only the last {@link maxTexts} that were shown are kept, and none after a reload.
 */
export class ComparedTexts {
  readonly #texts = new LruMap<string, string>(maxTexts);
  readonly files = new ReadOnlyFiles(fileSchemes.compare, (textId) => {
    const text = this.#texts.get(textId);
    return Promise.resolve(text === undefined ? undefined : textContent(text));
  });

  /** Adds a text, and returns its URI. VS Code determines the language from `name`. */
  add(name: string, text: string): vscode.Uri {
    const textId = randomUUID();
    this.#texts.set(textId, text);
    return this.files.uri(textId, name);
  }
}
