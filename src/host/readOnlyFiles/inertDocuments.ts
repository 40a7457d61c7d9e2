import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { fileSchemes } from './readOnlyFileSystem.ts';
import { inertLanguage, inertLanguages, languageOfName, messageLanguage } from './inertLanguages.ts';

/**
 * The Markdown of these schemes is written so that it contains nothing active. It keeps its language, with an outline
 * and a preview.
 */
const ownMarkdown: ReadonlySet<string> = new Set([
  fileSchemes.conversation,
  fileSchemes.catchUp,
  fileSchemes.help,
  fileSchemes.diagram,
]);

const ourSchemes: ReadonlySet<string> = new Set(Object.values(fileSchemes));

/**
 * Keeps VS Code and its extensions from interpreting the texts in our documents (R47): the documents get languages that
 * have colors and nothing else, and a link to a file leads only to the line that contains the link. Texts of an agent in
 * new files have such links, too, until the window is reloaded.
 */
export class InertDocuments implements vscode.DocumentLinkProvider, Disposable {
  readonly #disposables = new Disposables();
  /** The untitled documents that contain texts of an agent. */
  readonly #followed = new WeakSet<vscode.TextDocument>();

  constructor() {
    const own = this.#disposables;
    const schemes = [...ourSchemes].map((scheme) => ({ scheme }));
    const languages = inertLanguages.map((language) => ({ language }));
    const untitled = { scheme: 'untitled' };
    own.add(vscode.languages.registerDocumentLinkProvider([...schemes, ...languages, untitled], this));
    own.add(vscode.workspace.onDidOpenTextDocument(setLanguage));
    for (const document of vscode.workspace.textDocuments) setLanguage(document);
  }

  /** Keeps the links to files in an untitled document from leading anywhere. Call this before the document is shown. */
  follow(document: vscode.TextDocument): void {
    this.#followed.add(document);
  }

  /**
   * VS Code's editor turns each `file://` address in a text into a link. For each address, returns a link at the same
   * position that leads to the line of the address. If two links have the same position, VS Code uses the one from the
   * provider with the more specific selector. A link without a target isn't possible: VS Code would reject it together
   * with all others. An untitled document of the user has none of these links.
   */
  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    if (!this.#isOurs(document)) return [];
    return Array.from(document.getText().matchAll(/file:\/\//gi), ({ index, 0: { length } }) => {
      const start = document.positionAt(index);
      const line = document.uri.with({ fragment: `L${start.line + 1}` });
      return new vscode.DocumentLink(new vscode.Range(start, document.positionAt(index + length)), line);
    });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #isOurs(document: vscode.TextDocument): boolean {
    const { uri, languageId } = document;
    return ourSchemes.has(uri.scheme) || inertLanguages.includes(languageId) || this.#followed.has(document);
  }
}

function setLanguage(document: vscode.TextDocument): void {
  const { uri, languageId } = document;
  if (!ourSchemes.has(uri.scheme) || (languageId === 'markdown' && ownMarkdown.has(uri.scheme))) return;
  const language =
    uri.scheme === fileSchemes.question ? messageLanguage : (languageOfName(uri.path) ?? inertLanguage(languageId));
  if (language !== languageId) void vscode.languages.setTextDocumentLanguage(document, language);
}
