import * as vscode from 'vscode';
import { ReadOnlyFiles, textContent } from '../../host/readOnlyFiles/readOnlyFiles.ts';
import { fileSchemes } from '../../host/readOnlyFiles/readOnlyFileSystem.ts';
import { diagramDocument, isSelfContained, withoutStyles } from '../../state/markdown/diagram.ts';

/** The name of every diagram document, which VS Code shows in the title of the preview. */
const fileName = 'Diagram.md';

/** Why a diagram can't be drawn: no installed extension draws Mermaid, or the diagram could load content. */
export type NotDrawn = 'noRenderer' | 'notSelfContained';

/**
 * Diagrams as read-only Markdown documents. The address of a document contains the diagram, so that its preview is
 * restored after a reload. Anyone can make an address, so the document of a diagram that could load content is empty.
 */
export function diagramFiles(): ReadOnlyFiles {
  return new ReadOnlyFiles(fileSchemes.diagram, (diagram) =>
    Promise.resolve(textContent(isSelfContained(diagram) ? diagramDocument(diagram) : '')),
  );
}

/**
 * Opens a diagram in VS Code's Markdown preview, without its styles. Resolves to the reason if the preview can't draw
 * it, and to undefined otherwise.
 */
export async function previewDiagram(diagram: string): Promise<NotDrawn | undefined> {
  const plain = withoutStyles(diagram);
  if (!isSelfContained(plain)) return 'notSelfContained';
  if (!(await canDraw())) return 'noRenderer';
  const uri = vscode.Uri.from({ scheme: fileSchemes.diagram, path: `/${fileName}`, query: plain });
  await vscode.commands.executeCommand('markdown.showPreview', uri);
  return undefined;
}

/** Whether an extension makes the Markdown preview draw Mermaid, in this or another extension host. */
async function canDraw(): Promise<boolean> {
  try {
    const html = await vscode.commands.executeCommand('markdown.api.render', diagramDocument('graph TD'));
    return typeof html === 'string' && /class="(?:[^"]* )?mermaid[ "]/.test(html);
  } catch {
    // The Markdown extension is disabled.
    return false;
  }
}
