import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { repositoryFolder } from '../../tools/editor/install/cache.ts';

/** A regular expression in the source, and its place. */
export interface SourceRegex {
  /** The path of the file relative to `src`, with forward slashes. */
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/** All regular expression literals in `src`, apart from those of the demo service. */
export function sourceRegexes(): readonly SourceRegex[] {
  const folder = join(repositoryFolder, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  return files
    .filter((file) => file.endsWith('.ts') && !file.startsWith('demoService/'))
    .sort()
    .flatMap((file) => regexesIn(file, readFileSync(join(folder, file), 'utf8')));
}

function regexesIn(file: string, text: string): readonly SourceRegex[] {
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const found: SourceRegex[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const line = parsed.getLineAndCharacterOfPosition(node.getStart(parsed)).line + 1;
      found.push({ file, line, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return found;
}
