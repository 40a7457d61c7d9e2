import * as vscode from 'vscode';

/** Longer files aren't read, because decoding them would take too long in one piece. */
const maxSizeBytes = 2_000_000;

/**
 * The text of a file on disk, in the encoding in which VS Code opens it; undefined if it is binary, too long, or can't
 * be read.
 */
export async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxSizeBytes) return undefined;
    const bytes = await vscode.workspace.fs.readFile(uri);
    const text = await vscode.workspace.decode(bytes, { uri });
    // VS Code looks only at the start of a file to see whether it is binary.
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
