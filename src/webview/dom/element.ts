import { withBidiCodes } from './bidiCodes.ts';
import { withBidiControls } from './bidiControls.ts';

/** A child of an element: a node, or text that {@link withBidiControls} draws. Text is never parsed as markup. */
export type Child = Node | string;

/** Attributes of an element: `true` sets an empty attribute, `false` and `undefined` set none. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Creates an element with attributes and children. Event handlers and styles are never set as attributes, because the
 * content security policy blocks them there.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, value);
  appendAll(node, children);
  return node;
}

/** Appends any number of children. One call of `append` with all of them as arguments would fail for a long list. */
export function appendAll(parent: ParentNode, children: Iterable<Child>): void {
  for (const child of children) parent.append(typeof child === 'string' ? withBidiControls(child) : child);
}

/**
 * Sets an attribute, or removes it if the value is `false` or `undefined`. Does nothing if the attribute wouldn't
 * change. In a tooltip (`title`), bidirectional control characters become codes.
 */
export function setAttribute(target: Element, name: string, value: string | number | boolean | undefined): void {
  if (value === undefined || value === false) {
    if (target.hasAttribute(name)) target.removeAttribute(name);
    return;
  }
  const plain = value === true ? '' : String(value);
  const text = name === 'title' ? withBidiCodes(plain) : plain;
  if (target.getAttribute(name) !== text) target.setAttribute(name, text);
}

/** Sets the text of an element if it differs, so that an update without changes doesn't touch the document. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.replaceChildren(withBidiControls(text));
}
