import ts from 'typescript';
import { nodesOf, sourceFiles } from './sourceFiles.ts';

/** A user-visible string that the code passes to the translation function. */
export interface Sentence {
  readonly text: string;
  /** The number of placeholder values passed with the string. */
  readonly valueCount: number;
  readonly fileName: string;
  readonly line: number;
}

/**
 * Returns every string that the extension host's code passes to `t(...)` or `l10n.t(...)`.
 * @throws if a string is not a literal.
 */
export function sentencesInCode(): Sentence[] {
  return sourceFiles('src', ['src/webview/', 'src/demoService/']).flatMap((file) => sentencesOf(file));
}

function sentencesOf(file: ts.SourceFile): Sentence[] {
  const sentences: Sentence[] = [];
  for (const node of nodesOf(file)) {
    if (!ts.isCallExpression(node) || !isTranslator(node.expression)) continue;
    const [text, ...values] = node.arguments;
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (isPassedOn(text)) continue;
    if (!text || !ts.isStringLiteralLike(text)) {
      throw new Error(`${file.fileName}:${line}: what is translated has to be a literal.`);
    }
    sentences.push({ text: text.text, valueCount: values.length, fileName: file.fileName, line });
  }
  return sentences;
}

function isTranslator(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === 't';
  return ts.isPropertyAccessExpression(callee) && callee.name.text === 't';
}

/** Whether this is the call that passes the strings of other callers on to VS Code. */
function isPassedOn(text: ts.Expression | undefined): boolean {
  return text !== undefined && ts.isIdentifier(text) && text.text === 'message';
}

/** The JSON of the bundle that translators start from: each string once, in sorted order. */
export function bundleOf(sentences: readonly Sentence[]): string {
  const texts = [...new Set(sentences.map(({ text }) => text))].sort();
  return `${JSON.stringify(Object.fromEntries(texts.map((text) => [text, text])), undefined, 2)}\n`;
}
