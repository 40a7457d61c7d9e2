import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import createMarkdown from 'markdown-it';
import type { Token } from 'markdown-it';

/** A row of the tables of links to files in docs/content.md. */
export interface LinkForm {
  readonly form: string;
  readonly examples: readonly string[];
  /** What a click opens, such as "`src/a.ts`, line 3"; empty if the examples are text. */
  readonly opens: string;
}

/** The workspace of the examples, on Windows and elsewhere. */
export const roots = { windows: 'file:///c:/work/shop', others: 'file:///work/shop' } as const;

/** The files of the workspace of the examples. */
export const exampleFiles: readonly string[] = [
  ...['src/a.ts', 'src/my file.ts', 'src/名前.ts', 'src/[id]/page.tsx', 'app/(group)/page.tsx', 'bin/run', 'Makefile'],
  ...[
    'Dockerfile',
    'README.md',
    'docs/guide.md',
    'docs/chart.png',
    'tests/a_test.py',
    '.editorconfig',
    'src/नमस्ते.ts',
    '.github/CODEOWNERS',
  ],
];

/** Reads the table between the two comments with this name. */
export function readLinkForms(name: 'links' | 'no-links'): readonly LinkForm[] {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs', 'content.md'), 'utf8');
  const table = text.slice(text.indexOf(`<!-- ${name} -->`), text.indexOf(`<!-- /${name} -->`));
  const rows: Token[][] = [];
  for (const token of createMarkdown().parse(table, {})) {
    if (token.type === 'tr_open') rows.push([]);
    if (token.type === 'inline' && token.children) rows.at(-1)?.push(token);
  }
  return rows.slice(1).map(([form, examples, opens]) => ({
    form: form?.content ?? '',
    examples: (examples?.children ?? []).flatMap(({ type, content }) => (type === 'code_inline' ? [content] : [])),
    opens: opens?.content ?? '',
  }));
}
