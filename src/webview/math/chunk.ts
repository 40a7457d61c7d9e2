import temml from 'temml';
import { mathNodes } from './mathNodes.ts';

const options = {
  throwOnError: true,
  trust: false,
  // What a formula may expand to, and how large it may call itself, in em and pt.
  maxExpand: 300,
  maxSize: [50, 500] satisfies [number, number],
};

window.sessionDeckMath = {
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
