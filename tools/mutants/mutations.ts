/** Finds the small changes that a mutation run makes to a source file. */
import ts from 'typescript';

/** One change to a source file. Positions are offsets in its text. */
export interface Mutation {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The kind of change, such as `condition` or `literal`. */
  readonly kind: string;
}

const swappedOperators = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.SlashToken, '*'],
  [ts.SyntaxKind.PercentToken, '*'],
  [ts.SyntaxKind.PlusEqualsToken, '-='],
  [ts.SyntaxKind.MinusEqualsToken, '+='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
]);
const swappedMethods: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};
const logMethods = ['debug', 'info', 'warn', 'error', 'trace'];

/** Returns all mutations of a file. Types, imports, log lines, and the texts of thrown errors are left alone. */
export function mutationsOf(path: string, text: string): readonly Mutation[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Mutation[] = [];
  const visit = (node: ts.Node): void => {
    if (isLeftAlone(node)) return;
    found.push(...mutationsAt(node, file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isLeftAlone(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
    return logMethods.includes(node.expression.name.text);
  return ts.isNewExpression(node) && node.expression.getText().endsWith('Error');
}

function mutationsAt(node: ts.Node, file: ts.SourceFile): readonly Mutation[] {
  const replaced = (of: ts.Node, replacement: string, kind: string): Mutation => ({
    start: of.getStart(file),
    end: of.getEnd(),
    replacement,
    kind,
  });
  if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
    const condition = ts.isIfStatement(node) ? node.expression : node.condition;
    return [replaced(condition, `!(${condition.getText(file)})`, 'condition')];
  }
  if (ts.isWhileStatement(node)) return [replaced(node.expression, 'false', 'condition')];
  if (ts.isBinaryExpression(node)) return binary(node, file);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [replaced(node, node.operand.getText(file), 'condition')];
  if (ts.isPostfixUnaryExpression(node)) {
    const operator = node.operator === ts.SyntaxKind.PlusPlusToken ? '--' : '++';
    return [replaced(node, `${node.operand.getText(file)}${operator}`, 'operator')];
  }
  if (ts.isAwaitExpression(node)) return [replaced(node, `(${node.expression.getText(file)})`, 'await')];
  if (isRemovable(node)) return [replaced(node, ';', 'statement')];
  if (ts.isPropertyAccessExpression(node)) return propertyAccess(node, file);
  if (ts.isSpreadAssignment(node)) return [replaced(node, '...{}', 'spread')];
  return literal(node, file).map((replacement) => replaced(node, replacement, 'literal'));
}

/** Statements whose absence still compiles: calls, assignments, and jumps. A log line isn't worth a test. */
function isRemovable(node: ts.Node): boolean {
  if (ts.isExpressionStatement(node)) return !isLeftAlone(node.expression);
  if (ts.isBreakStatement(node)) return ts.isIfStatement(node.parent);
  if (ts.isReturnStatement(node)) return !isLastOfFunction(node);
  return ts.isThrowStatement(node) || ts.isContinueStatement(node);
}

function isLastOfFunction(node: ts.ReturnStatement): boolean {
  if (node.expression) return false;
  return ts.isBlock(node.parent) && ts.isFunctionLike(node.parent.parent) && node.parent.statements.at(-1) === node;
}

function binary(node: ts.BinaryExpression, file: ts.SourceFile): readonly Mutation[] {
  const [left, right] = [node.left.getText(file), node.right.getText(file)];
  const whole = { start: node.getStart(file), end: node.getEnd() };
  const operator = node.operatorToken;
  if (operator.kind === ts.SyntaxKind.QuestionQuestionToken)
    return [{ ...whole, replacement: `(${left})`, kind: 'default' }];
  const swapped = swappedOperators.get(operator.kind);
  const isText = [node.left, node.right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));
  if (swapped === undefined || (isText && operator.kind === ts.SyntaxKind.PlusToken)) return [];
  const isLogical = swapped === '||' || swapped === '&&';
  if (isLogical) return [{ ...whole, replacement: `(${left} ${swapped} ${right})`, kind: 'logical' }];
  return [{ start: operator.getStart(file), end: operator.getEnd(), replacement: swapped, kind: 'operator' }];
}

function propertyAccess(node: ts.PropertyAccessExpression, file: ts.SourceFile): readonly Mutation[] {
  const name = { start: node.name.getStart(file), end: node.name.getEnd() };
  const swapped = Object.hasOwn(swappedMethods, node.name.text) ? swappedMethods[node.name.text] : undefined;
  const dot = node.questionDotToken;
  return [
    ...(swapped !== undefined && ts.isCallExpression(node.parent)
      ? [{ ...name, replacement: swapped, kind: 'method' }]
      : []),
    ...(dot ? [{ start: dot.getStart(file), end: dot.getEnd(), replacement: '.', kind: 'optional' }] : []),
  ];
}

function literal(node: ts.Node, file: ts.SourceFile): readonly string[] {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return ['false'];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return ['true'];
  if (ts.isNumericLiteral(node)) return [`(${node.text} + 1)`];
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) return ['[]'];
  if (ts.isRegularExpressionLiteral(node)) return regularExpression(node.getText(file));
  if (!ts.isStringLiteral(node) || !ts.isPropertyAssignment(node.parent)) return stringElsewhere(node);
  return node.parent.name === node ? [] : stringElsewhere(node);
}

function stringElsewhere(node: ts.Node): readonly string[] {
  if (!ts.isStringLiteral(node) || ts.isExternalModuleReference(node.parent)) return [];
  return node.text === '' ? ["'x'"] : ["''"];
}

/** Variants of a regular expression without an anchor, which match more. */
function regularExpression(text: string): readonly string[] {
  const end = text.lastIndexOf('/');
  const [pattern, flags] = [text.slice(1, end), text.slice(end + 1)];
  const withoutStart = pattern.startsWith('^') ? [`/${pattern.slice(1)}/${flags}`] : [];
  const withoutEnd = /[^\\]\$$/.test(pattern) ? [`/${pattern.slice(0, -1)}/${flags}`] : [];
  return [...withoutStart, ...withoutEnd].filter((changed) => !changed.startsWith('//'));
}
