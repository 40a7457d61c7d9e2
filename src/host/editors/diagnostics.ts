import * as vscode from 'vscode';
import { baseName, workspacePath } from '../files/workspacePaths.ts';

/** The problems of one file. */
export interface FileProblems {
  readonly uri: vscode.Uri;
  readonly diagnostics: readonly vscode.Diagnostic[];
}

/** All files with problems, sorted by path. */
export function allProblems(): FileProblems[] {
  return vscode.languages
    .getDiagnostics()
    .flatMap(([uri, diagnostics]) => (diagnostics.length > 0 ? [{ uri, diagnostics }] : []))
    .sort((one, other) => (one.uri.path < other.uri.path ? -1 : 1));
}

/** The problems of one file. A one-based line or a range as `within` limits them to those that touch it. */
export function problemsOf(uri: vscode.Uri, within?: number | vscode.Range): FileProblems {
  const isMeant = ({ range }: vscode.Diagnostic): boolean => {
    if (typeof within === 'number') return range.start.line <= within - 1 && range.end.line >= within - 1;
    return within === undefined || range.intersection(within) !== undefined;
  };
  return { uri, diagnostics: vscode.languages.getDiagnostics(uri).filter(isMeant) };
}

/**
 * Formats problems like compiler output, one per line: `src/basket.ts:3:7: error: ... [ts 2304]`. Further lines of a
 * message and related locations are indented. Paths are relative to the workspace folder; a file outside it is shown by
 * name only (R36).
 */
export function problemText(files: readonly FileProblems[]): string {
  return files
    .flatMap(({ uri, diagnostics }) =>
      [...diagnostics]
        .sort((one, other) => one.range.start.compareTo(other.range.start))
        .flatMap((diagnostic) => problemLines(uri, diagnostic)),
    )
    .map((line) => `${line}\n`)
    .join('');
}

function problemLines(uri: vscode.Uri, diagnostic: vscode.Diagnostic): string[] {
  const { range, severity, message, relatedInformation = [] } = diagnostic;
  const [first = '', ...more] = message.trim().split(/\r?\n/);
  const related = relatedInformation.map(
    ({ location, message: said }) => `${placeOf(location.uri, location.range)}: ${said.replace(/\s+/g, ' ')}`,
  );
  return [
    `${placeOf(uri, range)}: ${severityWords[severity]}: ${first}${sourceOf(diagnostic)}`,
    ...[...more, ...related].map((line) => `  ${line}`),
  ];
}

const severityWords: Readonly<Record<vscode.DiagnosticSeverity, string>> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'info',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};

function placeOf(uri: vscode.Uri, { start }: vscode.Range): string {
  return `${workspacePath(uri) ?? baseName(uri)}:${start.line + 1}:${start.character + 1}`;
}

function sourceOf({ source, code }: vscode.Diagnostic): string {
  const value = typeof code === 'object' ? code.value : code;
  const words = [source, value].filter((word) => word !== undefined && word !== '');
  return words.length > 0 ? ` [${words.join(' ')}]` : '';
}
