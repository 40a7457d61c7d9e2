/** Marks the blocks of a source file, to find out which tests run which block. */
import ts from 'typescript';

interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** The text of a file that reports each block it enters, and the innermost block at each position. */
export interface MarkedFile {
  readonly text: string;
  /** The number of the innermost block around an offset of the original text; 0 is the module itself. */
  blockAt(offset: number): number;
}

/**
 * Inserts a report at the start of each block, on the same line. `globalThis.onEnterBlock` receives the path and the
 * number of the block as `<path>#<number>`; a page without that function writes them to the console.
 */
export function markBlocks(path: string, text: string): MarkedFile {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const insertions: Insertion[] = [];
  const blocks: { start: number; end: number }[] = [{ start: 0, end: text.length }];
  const visit = (node: ts.Node): void => {
    const number = blocks.length;
    if (ts.isBlock(node)) {
      blocks.push({ start: node.getStart(file), end: node.getEnd() });
      insertions.push({ at: node.getStart(file) + 1, text: `enterBlock(${number});` });
    } else if (ts.isCaseOrDefaultClause(node) && node.statements.length > 0) {
      const start = node.statements[0]?.getStart(file) ?? node.getEnd();
      blocks.push({ start, end: node.getEnd() });
      insertions.push({ at: start, text: `enterBlock(${number});` });
    } else if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) {
      blocks.push({ start: node.body.getStart(file), end: node.body.getEnd() });
      insertions.push({ at: node.body.getStart(file), text: `(enterBlock(${number}), ` });
      insertions.push({ at: node.body.getEnd(), text: ')' });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return {
    text: `${prelude(path)}${inserted(text, insertions)}`,
    blockAt: (offset) => blocks.findLastIndex(({ start, end }) => start <= offset && offset < end),
  };
}

/**
 * The code that defines `enterBlock` in a file and reports the block of the module. A page reports a block again after
 * a while, because tests can share a page.
 */
function prelude(path: string): string {
  const seen = '(globalThis.enteredBlocks ??= new Set())';
  const inPage = `!${seen}.has(id) && (${seen}.add(id), setTimeout(() => ${seen}.delete(id), 20), console.debug('entered ' + id))`;
  return [
    `const enterBlock = (block) => { const id = ${JSON.stringify(`${path}#`)} + block;`,
    `if (globalThis.onEnterBlock) globalThis.onEnterBlock(id); else if (globalThis.document) ${inPage}; };`,
    'enterBlock(0);',
  ].join(' ');
}

function inserted(text: string, insertions: readonly Insertion[]): string {
  // At the same offset, insertions keep their order, so that the outer block is entered first.
  const inOrder = insertions.map((insertion, index) => ({ ...insertion, index })).sort(byPlace);
  let result = '';
  let from = 0;
  for (const insertion of inOrder) {
    result += text.slice(from, insertion.at) + insertion.text;
    from = insertion.at;
  }
  return result + text.slice(from);
}

function byPlace(a: Insertion & { readonly index: number }, b: Insertion & { readonly index: number }): number {
  return a.at - b.at || a.index - b.index;
}
