import * as vscode from 'vscode';
import * as z from 'zod/mini';

/** A symbol in a document, such as a function, a heading, or a property. Its texts are untrusted. */
export interface DocumentSymbolChoice {
  readonly name: string;
  /** The codicon that VS Code shows for this kind of symbol. */
  readonly icon: string;
  /** The names of the symbols that contain it, the outermost first. */
  readonly containers: readonly string[];
  readonly range: vscode.Range;
}

const rangeSchema = z.custom<vscode.Range>((value) => value instanceof vscode.Range);

/** A `DocumentSymbol`, a `SymbolInformation`, or VS Code's mixture of both. */
const symbolSchema = z.object({
  name: z.string(),
  kind: z.number(),
  range: z.optional(rangeSchema),
  location: z.optional(z.object({ range: rangeSchema })),
  containerName: z.optional(z.string()),
  children: z.optional(z.array(z.unknown())),
});

/**
 * The symbols that language extensions find in a document, in the order of their positions, containers before what they
 * contain. Resolves to an empty list if no extension provides symbols, or if VS Code reports an error. A slow extension
 * can delay the result indefinitely.
 */
export async function documentSymbols({ uri }: vscode.TextDocument): Promise<DocumentSymbolChoice[]> {
  try {
    const found = await vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', uri);
    const symbols = Array.isArray(found) ? found.flatMap((symbol) => withChildren(symbol, [])) : [];
    return symbols.sort((a, b) => a.range.start.compareTo(b.range.start) || b.range.end.compareTo(a.range.end));
  } catch {
    return [];
  }
}

/**
 * The innermost symbol at a position; undefined if there is none. `symbols` are in the order of
 * {@link documentSymbols}.
 */
export function symbolAt(
  symbols: readonly DocumentSymbolChoice[],
  position: vscode.Position,
): DocumentSymbolChoice | undefined {
  return symbols.findLast(({ range }) => range.contains(position));
}

function withChildren(found: unknown, containers: readonly string[]): DocumentSymbolChoice[] {
  const { data: symbol } = symbolSchema.safeParse(found);
  const range = symbol?.range ?? symbol?.location?.range;
  if (!symbol || !range) return [];
  const { name, kind, containerName = '', children = [] } = symbol;
  // The containers of a nested symbol are known already, so its `containerName` isn't needed.
  const outer = containers.length === 0 && containerName !== '' ? [containerName] : containers;
  const inner = children.flatMap((child) => withChildren(child, [...outer, name]));
  return range.isEmpty ? inner : [{ name, icon: iconOf(kind), containers: outer, range }, ...inner];
}

function iconOf(kind: number): string {
  const names: Readonly<Record<number, string | undefined>> = vscode.SymbolKind;
  const words = names[kind] ?? 'Misc';
  return `symbol${words.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
