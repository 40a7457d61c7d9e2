import ts from 'typescript';
import type { Counted } from '../../src/shared/text.ts';
import { nodesOf, sourceFiles } from './sourceFiles.ts';

/** A user-visible string that the code passes to the translation function. */
export interface Sentence {
  readonly text: string;
  /** The number of placeholder values passed with the string. */
  readonly valueCount: number;
  readonly fileName: string;
  readonly line: number;
  /** The plural forms that the string belongs to. */
  readonly counted?: Counted;
}

/**
 * Returns every string that the extension host's code passes to `t(...)`, `t.forms(...)`, or `l10n.t(...)`.
 * @throws if a string isn't a literal, or its plural forms aren't.
 */
export function sentencesInCode(): Sentence[] {
  return sourceFiles('src', ['src/webview/', 'src/demoService/', 'src/shared/translate.ts']).flatMap((file) =>
    sentencesOf(file),
  );
}

function sentencesOf(file: ts.SourceFile): Sentence[] {
  const sentences: Sentence[] = [];
  for (const node of nodesOf(file)) {
    if (!ts.isCallExpression(node) || !isTranslator(node.expression)) continue;
    const [message, ...values] = node.arguments;
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const place = { valueCount: values.length, fileName: file.fileName, line };
    if (message && ts.isStringLiteralLike(message)) sentences.push({ text: message.text, ...place });
    else {
      const counted = formsOf(message);
      if (!counted) throw new Error(`${file.fileName}:${line}: what is translated has to be a literal.`);
      const { one, other } = counted;
      for (const text of one === undefined ? [other] : [one, other]) sentences.push({ text, ...place, counted });
    }
  }
  return sentences;
}

function isTranslator(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === 't';
  if (!ts.isPropertyAccessExpression(callee)) return false;
  return ['t', '#t'].includes(callee.name.text) || (callee.name.text === 'forms' && isTranslator(callee.expression));
}

/** The plural forms of an object literal that has no other members; undefined for anything else. */
function formsOf(message: ts.Expression | undefined): Counted | undefined {
  if (!message || !ts.isObjectLiteralExpression(message)) return undefined;
  const forms = new Map<string, string>();
  for (const member of message.properties) {
    if (!ts.isPropertyAssignment(member) || !ts.isStringLiteralLike(member.initializer)) return undefined;
    forms.set(member.name.getText(), member.initializer.text);
  }
  const [one, other] = [forms.get('one'), forms.get('other')];
  if (other === undefined || forms.size > (one === undefined ? 1 : 2)) return undefined;
  return one === undefined ? { other } : { one, other };
}

/** The placeholders of a string, such as 0 for `{0}`, each once and in order. */
export function placeholdersOf(text: string): number[] {
  return [...new Set([...text.matchAll(/\{(\d)\}/g)].map(([, place]) => Number(place)))].sort();
}

/**
 * The placeholder of the number that selects a plural form: the first one that the form for 1 doesn't contain;
 * undefined if there is none.
 */
export function countPlace({ one, other }: Counted): number | undefined {
  const others = one === undefined ? [] : placeholdersOf(one);
  return placeholdersOf(other).find((place) => !others.includes(place));
}

/** The JSON of the bundle that translators start from: each string once, in sorted order. */
export function bundleOf(sentences: readonly Sentence[]): string {
  const texts = [...new Set(sentences.map(({ text }) => text))].sort();
  return jsonOf(Object.fromEntries(texts.map((text) => [text, text])));
}

/** The JSON of a file for translators. */
export function jsonOf(texts: Readonly<Record<string, string>>): string {
  return `${JSON.stringify(texts, undefined, 2)}\n`;
}
