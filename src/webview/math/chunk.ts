import temml from 'temml';
import { appendAll } from '../dom/element.ts';

const namespace = 'http://www.w3.org/1998/Math/MathML';

const elements = new Set(
  (
    'math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow mspace msqrt mstyle ' +
    'msub msubsup msup mtable mtd mtext mtr munder munderover none'
  ).split(' '),
);
const attributes = new Set(
  (
    'accent columnalign depth display displaystyle fence form height largeop linethickness lspace mathbackground ' +
    'mathcolor mathvariant maxsize minsize movablelimits notation rspace scriptlevel separator stretchy symmetric ' +
    'voffset width'
  ).split(' '),
);
/**
 * The allowed styles: borders and padding of tables and boxes, and colors. Widths aren't allowed, because percentages
 * could extend beyond the formula.
 */
const styles = /^(?:color|(?:padding|border)(?:Top|Right|Bottom|Left)?)$/;
const plainValue = /^[\w#.% -]{1,60}$/;
const className = /^[\w-]+$/;

/** Maximum nesting. Deeper formulas don't occur in practice, and browsers take a long time to lay them out. */
const maxDepth = 60;

/**
 * Builds the elements of a formula from a closed list of elements, attributes, and styles. Other elements are replaced
 * by their content.
 * @throws RangeError if the formula is nested too deeply.
 */
function mathNodes(tree: unknown, depth = 0): Node[] {
  if (depth > maxDepth) throw new RangeError('The formula is nested too deeply.');
  if (typeof tree !== 'object' || tree === null) return [];
  if ('text' in tree && typeof tree.text === 'string') return [document.createTextNode(tree.text)];
  const children: readonly unknown[] = 'children' in tree && Array.isArray(tree.children) ? tree.children : [];
  const inside = children.flatMap((child) => mathNodes(child, depth + 1));
  const name = 'type' in tree ? tree.type : undefined;
  if (typeof name !== 'string' || !elements.has(name)) return inside;
  const made = document.createElementNS(namespace, name);
  if (!(made instanceof MathMLElement)) return inside;
  for (const [attribute, value] of entriesOf(tree, 'attributes')) {
    if (attributes.has(attribute) && plainValue.test(value)) made.setAttribute(attribute, value);
  }
  const classes: readonly unknown[] = 'classes' in tree && Array.isArray(tree.classes) ? tree.classes : [];
  for (const one of classes) if (typeof one === 'string' && className.test(one)) made.classList.add(one);
  for (const [style, value] of entriesOf(tree, 'style')) {
    if (styles.test(style) && plainValue.test(value)) made.style.setProperty(withHyphens(style), value);
  }
  appendAll(made, inside);
  return [made];
}

function entriesOf(tree: object, name: string): [string, string][] {
  const record: unknown = Reflect.get(tree, name);
  if (typeof record !== 'object' || record === null) return [];
  return Object.entries(record).map(([key, value]: [string, unknown]) => [key, String(value)]);
}

function withHyphens(style: string): string {
  return style.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const options = {
  throwOnError: true,
  trust: false,
  // Limits the expansion of macros, and sizes in em and pt.
  maxExpand: 300,
  maxSize: [50, 500] satisfies [number, number],
};

window.linesideMath = {
  draw(source, isBlock) {
    try {
      const tree: unknown = temml.__renderToMathMLTree(source, { ...options, displayMode: isBlock });
      const [drawn] = mathNodes(tree);
      return drawn instanceof MathMLElement ? drawn : undefined;
    } catch {
      return undefined;
    }
  },
};
