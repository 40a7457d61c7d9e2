/**
 * Measures the structure of `src`: files, folders, rooms (the top-level folders and files), and the imports between
 * them.
 */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';

/** A source file to measure. The path is relative to the repository and uses `/`. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** The layers (floors) of `src`, lowest first, with their rooms. A room may only import from rooms on lower floors. */
export const floors = [
  ['shared'],
  ['api', 'demoService'],
  ['state'],
  ['sync', 'host', 'webview'],
  ['views'],
  ['commands'],
  ['app'],
  ['extension'],
] as const;

/**
 * The topic folders of each room, lowest first. A folder may only import from the folders before it. Files that are
 * directly in a room have no place in this order, but an import cycle of such files and folders is also a fault.
 */
export const topics: Readonly<Record<string, readonly string[]>> = {
  shared: ['text', 'protocol', 'redaction'],
  api: ['http', 'resources', 'transport'],
  demoService: ['agent', 'http', 'seed'],
  state: [
    ...['templates', 'markdown', 'tools', 'store', 'work'],
    ...['conversation', 'sessions', 'presentation', 'documents', 'languageModel'],
  ],
  sync: ['storage', 'cache', 'connection', 'drafts', 'history', 'lease', 'outbox', 'polling', 'sessionList', 'tails'],
  host: ['files', 'readOnlyFiles', 'editors', 'prompts', 'storage', 'systemNotifications'],
  webview: [
    ...['icons', 'dom', 'highlight', 'math', 'markdown', 'content', 'composer', 'list', 'rail', 'rows', 'find'],
    ...['header', 'usage'],
  ],
  views: ['conversation', 'documents', 'sessions', 'usage'],
  commands: [
    ...['sessions', 'attachments', 'notices', 'composer', 'conversation', 'work', 'account'],
    ...['languageModel', 'page', 'settings'],
  ],
};

/**
 * The file with the types of what the folders of `commands` provide to each other. Its imports don't count toward
 * circles of topic folders.
 */
const contextFile = 'src/commands/context.ts';

/** Maximum number of files in a folder, without its subfolders. */
export const mostFilesPerFolder = 20;

export interface Structure {
  readonly files: number;
  readonly lines: number;
  readonly medianLines: number;
  readonly longestFile: string;
  readonly largestFolder: string;
  /** Folders that contain more than {@link mostFilesPerFolder} files, also outside `src`. */
  readonly crowdedFolders: readonly string[];
  readonly rooms: number;
  /** Pairs of rooms in which the first imports from the second, such as `views -> state`. */
  readonly arrows: readonly string[];
  /** Imports from a room to a room on the same or a higher floor, such as `src/state/a.ts -> src/sync/b.ts`. */
  readonly arrowsBackUp: readonly string[];
  /** Groups of files that import each other in a cycle, including type imports. */
  readonly circles: readonly (readonly string[])[];
  /**
   * Imports from a topic folder to a later one of the same room, and from or to a folder that {@link topics} doesn't
   * list.
   */
  readonly topicsBackUp: readonly string[];
  /** Groups of topic folders and single files of a room that import each other in a cycle. */
  readonly topicCircles: readonly (readonly string[])[];
  readonly modulesWithOneImporter: number;
  /** Base names that several files of `src` have, such as `links.ts`. */
  readonly repeatedNames: readonly string[];
  /** Files of `src` that export exactly one class, whose name differs from that of the file, as `path: class`. */
  readonly misnamedFiles: readonly string[];
  /** Interfaces and type aliases whose names end in Parts, Options, Hooks, or Surroundings. */
  readonly bags: readonly string[];
  /** The number of properties of interfaces, types, and classes whose type is or includes a function. */
  readonly functionProperties: number;
  /** Places that spread a whole object of options or collaborators into another object. */
  readonly bagSpreads: readonly string[];
  /** Exports of `src` that no other file imports, in the form `path: name`. */
  readonly unusedExports: readonly string[];
}

interface Parsed {
  readonly path: string;
  readonly lines: number;
  readonly node: ts.SourceFile;
  readonly imports: readonly { readonly path: string; readonly names: readonly string[] }[];
}

/** Reads files in the repository for {@link measureStructure}. */
export function readSourceFiles(root: string, paths: readonly string[]): SourceFile[] {
  return paths.map((path) => ({ path, text: readFileSync(posix.join(root, path), 'utf8') }));
}

/** Measures the files in `src`. Other files only count as importers of exports and toward the size of folders. */
export function measureStructure(files: readonly SourceFile[]): Structure {
  const parsed = files.filter(({ path }) => path.endsWith('.ts')).map(parse);
  const sources = parsed.filter(({ path }) => path.startsWith('src/'));
  const lengths = sources.map(({ lines }) => lines).sort((a, b) => a - b);
  const longest = sources.reduce((most, file) => (file.lines > most.lines ? file : most));
  const folders = countBy(files.map(({ path }) => posix.dirname(path)));
  const [largest = ['', 0]] = [...folders].filter(([folder]) => folder.startsWith('src/')).sort((a, b) => b[1] - a[1]);
  const edges = sources.flatMap(({ path, imports }) =>
    imports.filter((to) => to.path.startsWith('src/')).map((to) => ({ from: path, to: to.path })),
  );
  const between = edges.filter(({ from, to }) => roomOf(from) !== roomOf(to));
  const importers = countBy(
    [...new Set(edges.map(({ from, to }) => `${from} ${to}`))].map((edge) => edge.split(' ')[1] ?? ''),
  );
  return {
    files: sources.length,
    lines: lengths.reduce((sum, lines) => sum + lines, 0),
    medianLines: lengths[Math.floor(lengths.length / 2)] ?? 0,
    longestFile: `${longest.path} (${longest.lines})`,
    largestFolder: `${largest[0]} (${largest[1]})`,
    crowdedFolders: [...folders].filter(([, count]) => count > mostFilesPerFolder).map(([folder]) => folder),
    rooms: new Set(sources.map(({ path }) => roomOf(path))).size,
    arrows: [...new Set(between.map(({ from, to }) => `${roomOf(from)} -> ${roomOf(to)}`))].sort(),
    arrowsBackUp: between
      .filter(({ from, to }) => floorOf(from) <= floorOf(to))
      .map(({ from, to }) => `${from} -> ${to}`),
    circles: circlesOf(edges),
    topicsBackUp: edges.filter(isBackUpInRoom).map(({ from, to }) => `${from} -> ${to}`),
    topicCircles: circlesOf(
      edges
        .filter(({ from, to }) => from !== contextFile && roomOf(from) === roomOf(to))
        .map(({ from, to }) => ({ from: placeOf(from), to: placeOf(to) }))
        .filter(({ from, to }) => from !== to),
    ).filter((places) => places.some((place) => !place.endsWith('.ts'))),
    modulesWithOneImporter: [...importers.values()].filter((count) => count === 1).length,
    repeatedNames: [...countBy(sources.map(({ path }) => posix.basename(path)))].flatMap(([name, count]) =>
      count > 1 ? [name] : [],
    ),
    misnamedFiles: sources.flatMap(misnamedClassOf),
    bags: sources.flatMap(bagsOf),
    functionProperties: sources.reduce((sum, file) => sum + functionPropertiesOf(file), 0),
    bagSpreads: sources.flatMap(bagSpreadsOf),
    unusedExports: unusedExportsOf(parsed),
  };
}

/**
 * The faults that fail CI: one line for each import from the same or a higher floor or from a later folder of a room,
 * import cycle, crowded folder, and unused export.
 */
export function faultsOf(structure: Structure): string[] {
  return [
    ...structure.arrowsBackUp.map((arrow) => `An import runs back up: ${arrow}`),
    ...structure.circles.map((files) => `Files import each other in a circle: ${files.join(', ')}`),
    ...structure.topicsBackUp.map((arrow) => `An import runs back up in its room: ${arrow}`),
    ...structure.topicCircles.map((places) => `Folders of a room import each other in a circle: ${places.join(', ')}`),
    ...structure.crowdedFolders.map((folder) => `More than ${mostFilesPerFolder} files in one folder: ${folder}`),
    ...structure.unusedExports.map((name) => `An export is used nowhere: ${name}`),
  ];
}

function parse({ path, text }: SourceFile): Parsed {
  const node = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: { path: string; names: readonly string[] }[] = [];
  const add = (specifier: string, names: readonly string[]) => {
    if (specifier.startsWith('.')) imports.push({ path: posix.join(posix.dirname(path), specifier), names });
  };
  const visit = (child: ts.Node): void => {
    if (ts.isImportDeclaration(child) && ts.isStringLiteral(child.moduleSpecifier)) {
      const bindings = child.importClause?.namedBindings;
      const isNamed = bindings !== undefined && ts.isNamedImports(bindings);
      add(
        child.moduleSpecifier.text,
        isNamed ? bindings.elements.map((each) => (each.propertyName ?? each.name).text) : ['*'],
      );
    } else if (ts.isCallExpression(child) && child.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = child.arguments;
      if (specifier && ts.isStringLiteralLike(specifier)) add(specifier.text, ['*']);
    } else if (ts.isImportTypeNode(child) && ts.isLiteralTypeNode(child.argument)) {
      if (ts.isStringLiteral(child.argument.literal)) add(child.argument.literal.text, ['*']);
    }
    ts.forEachChild(child, visit);
  };
  visit(node);
  return { path, lines: text.split('\n').length - 1, node, imports };
}

function roomOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.ts$/, '');
}

function floorOf(path: string): number {
  return floors.findIndex((rooms) => rooms.some((room) => room === roomOf(path)));
}

/** The topic folder of a file, or the file itself if it is directly in its room. */
function placeOf(path: string): string {
  return path.split('/').slice(0, 3).join('/');
}

function isBackUpInRoom({ from, to }: { readonly from: string; readonly to: string }): boolean {
  const places = [placeOf(from), placeOf(to)] as const;
  if (roomOf(from) !== roomOf(to) || places[0] === places[1] || places.some((place) => place.endsWith('.ts')))
    return false;
  const [importer = -1, imported = -1] = places.map((place) =>
    (topics[roomOf(from)] ?? []).indexOf(posix.basename(place)),
  );
  return importer < 0 || imported < 0 || importer < imported;
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The strongly connected components with more than one member (Tarjan's algorithm). */
function circlesOf(edges: readonly { readonly from: string; readonly to: string }[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to]);
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    let lowest = index;
    stack.push(file);
    for (const target of targets.get(file) ?? []) {
      if (!order.has(target)) lowest = Math.min(lowest, visit(target));
      else if (stack.includes(target)) lowest = Math.min(lowest, order.get(target) ?? lowest);
    }
    low.set(file, lowest);
    if (lowest === index) {
      const circle = stack.splice(stack.indexOf(file));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return lowest;
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return circles;
}

function misnamedClassOf({ path, node }: Parsed): string[] {
  const exported = new Set(exportedNames(node));
  const classes = node.statements
    .filter((statement) => ts.isClassDeclaration(statement))
    .flatMap(({ name }) => (name && exported.has(name.text) ? [name.text] : []));
  const [only = ''] = classes;
  const isNamedAlike = only.toLowerCase() === posix.basename(path, '.ts').toLowerCase();
  return classes.length === 1 && !isNamedAlike ? [`${path}: ${only}`] : [];
}

function bagsOf({ path, node }: Parsed): string[] {
  return node.statements
    .filter((statement) => ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
    .filter(({ name }) => /(Parts|Options|Hooks|Surroundings)$/.test(name.text))
    .map(({ name }) => `${path}: ${name.text}`);
}

function functionPropertiesOf({ node }: Parsed): number {
  let count = 0;
  const visit = (child: ts.Node): void => {
    if ((ts.isPropertySignature(child) || ts.isPropertyDeclaration(child)) && child.type && isFunctionType(child.type))
      count++;
    ts.forEachChild(child, visit);
  };
  visit(node);
  return count;
}

function isFunctionType(type: ts.TypeNode): boolean {
  if (ts.isFunctionTypeNode(type)) return true;
  if (ts.isParenthesizedTypeNode(type)) return isFunctionType(type.type);
  return ts.isUnionTypeNode(type) && type.types.some(isFunctionType);
}

/**
 * Finds spreads such as `{ ...options, x }` and `new C({ ...kept, x })`, which pass on more collaborators than the code
 * names. Doesn't count copies of a record with some fields changed, such as `{ ...draft, text }`.
 */
function bagSpreadsOf({ path, node }: Parsed): string[] {
  const found: string[] = [];
  const visit = (child: ts.Node): void => {
    if (ts.isSpreadAssignment(child) && isBag(child)) {
      const { line } = node.getLineAndCharacterOfPosition(child.getStart());
      found.push(`${path}:${line + 1} ${child.getText()}`);
    }
    ts.forEachChild(child, visit);
  };
  visit(node);
  return found;
}

function isBag({ expression, parent }: ts.SpreadAssignment): boolean {
  if (ts.isIdentifier(expression) && ts.isNewExpression(parent.parent)) return true;
  const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  return ts.isIdentifier(name) && /(options|parts|hooks|context|services|surroundings)$/i.test(name.text);
}

/** Modules that VS Code imports directly or that a build alias points to. */
const usedByBuild = ['src/extension.ts', 'src/webview/content/namedEntities.ts'];

function unusedExportsOf(files: readonly Parsed[]): string[] {
  const used = new Set(
    files.flatMap(({ imports }) => imports.flatMap(({ path, names }) => names.map((name) => `${path}: ${name}`))),
  );
  return files
    .filter(({ path }) => path.startsWith('src/') && !path.endsWith('.d.ts') && !used.has(`${path}: *`))
    .flatMap(({ path, node }) => exportedNames(node).map((name) => `${path}: ${name}`))
    .filter((name) => !used.has(name) && !usedByBuild.some((path) => name.startsWith(`${path}: `)));
}

function exportedNames(node: ts.SourceFile): string[] {
  return node.statements.flatMap((statement) => {
    if (!ts.canHaveModifiers(statement)) return [];
    if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
    }
    const name =
      ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) ? statement.name : typeNameOf(statement);
    return name ? [name.text] : [];
  });
}

function typeNameOf(statement: ts.Statement): ts.Identifier | undefined {
  return ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) ? statement.name : undefined;
}
