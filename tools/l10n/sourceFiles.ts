import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The repository's root folder. */
export const root = join(import.meta.dirname, '../..');

/**
 * Parses the TypeScript files in a folder of the repository and its subfolders. Excludes declaration files and paths
 * that start with an entry of `except`. `fileName` is relative to the root.
 */
export function sourceFiles(folder: string, except: readonly string[] = []): ts.SourceFile[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name).replaceAll('\\', '/'),
  );
  return names
    .filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && !except.some((start) => name.startsWith(start)),
    )
    .sort()
    .map((name) => ts.createSourceFile(name, readFileSync(join(root, name), 'utf8'), ts.ScriptTarget.Latest, true));
}

/** Yields `node` and all of its descendants, parents first. */
export function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  node.forEachChild((child) => void children.push(child));
  for (const child of children) yield* nodesOf(child);
}
