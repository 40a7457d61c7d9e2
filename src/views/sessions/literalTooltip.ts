import * as vscode from 'vscode';
import { tooltipMarkdown } from '../../state/markdown/tooltip.ts';

/** A tooltip with a bold first line. All text is shown literally, because it can come from the service. */
export function literalTooltip(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString(tooltipMarkdown(text));
}
