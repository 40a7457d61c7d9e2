import ts from 'typescript';
import { nodesOf, sourceFiles } from './sourceFiles.ts';

/** A sentence for people as the code gives it to the translator. */
export interface Sentence {
  readonly text: string;
  /** How many values it is given. */
  readonly valueCount: number;
  readonly fileName: string;
  readonly line: number;
}

/** Every sentence given to `t(...)` or `l10n.t(...)` in the host's code. Throws where one is no literal. */
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

/** The one place that hands the sentences of others to the editor. */
function isPassedOn(text: ts.Expression | undefined): boolean {
  return text !== undefined && ts.isIdentifier(text) && text.text === 'message';
}

/** The bundle that translators start from: each sentence once, in alphabetical order. */
export function bundleOf(sentences: readonly Sentence[]): string {
  const texts = [...new Set(sentences.map(({ text }) => text))].sort();
  return `${JSON.stringify(Object.fromEntries(texts.map((text) => [text, text])), undefined, 2)}\n`;
}
