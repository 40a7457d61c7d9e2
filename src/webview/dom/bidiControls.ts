import { bidiCodes, bidiParts, hasBidiControls } from './bidiCodes.ts';

/**
 * A text to draw: bidirectional control characters are drawn as codes, as in VS Code's editor, and don't reorder other
 * text. They remain in the text, so that the exact text is copied and searched. `draw` draws the other parts.
 */
export function withBidiControls(text: string): Node | string;
export function withBidiControls(text: string, draw: (part: string) => Node): Node;
export function withBidiControls(text: string, draw: (part: string) => Node | string = String): Node | string {
  if (!hasBidiControls(text)) return draw(text);
  const fragment = document.createDocumentFragment();
  for (const [index, part] of bidiParts(text).entries()) {
    if (part !== '') fragment.append(index % 2 === 0 ? draw(part) : controlMark(part));
  }
  return fragment;
}

/**
 * A part of a sentence that the extension wrote: text from another source, isolated as `isolatedLine` returns it. The
 * text contains no bidirectional control characters itself.
 */
const isolated = /\u2068([^\u202a-\u202e\u2066-\u2069]*)\u2069/;

/**
 * The parts of a sentence that the extension wrote. Text from elsewhere is isolated by elements instead of control
 * characters, which would be drawn as codes. Other control characters are drawn as codes.
 */
export function sentenceParts(sentence: string): readonly (Node | string)[] {
  return sentence.split(isolated).map((part, index) => {
    if (index % 2 === 0) return withBidiControls(part);
    const isolate = document.createElement('bdi');
    isolate.textContent = part;
    return isolate;
  });
}

function controlMark(run: string): HTMLElement {
  const mark = document.createElement('bdi');
  mark.className = 'bidi-control';
  mark.dir = 'ltr';
  mark.dataset['code'] = bidiCodes(run);
  mark.textContent = run;
  return mark;
}
