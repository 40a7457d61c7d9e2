/** What may be put into an element: a node, or text, which is never read as markup. */
export type Child = Node | string;

/** Attributes of our own markup; `true` writes an empty attribute, `false` and `undefined` write none. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Makes an element with attributes and children. The names of attributes are ours; event handlers and styles are set
 * by code, which the content policy allows, never by attributes, which it does not.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(made, name, value);
  made.append(...children);
  return made;
}

/** Writes, or with `false` and `undefined` removes, one attribute; touches the document only on a change. */
export function setAttribute(target: Element, name: string, value: string | number | boolean | undefined): void {
  if (value === undefined || value === false) {
    if (target.hasAttribute(name)) target.removeAttribute(name);
    return;
  }
  const text = value === true ? '' : String(value);
  if (target.getAttribute(name) !== text) target.setAttribute(name, text);
}

/** Replaces the text of an element only if it differs, so that an unchanged poll changes nothing. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Whether two values of plain data (text, numbers, lists, records) say the same. */
export function sameContent(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const entries = Object.entries(one);
  const others = new Map<string, unknown>(Object.entries(other));
  return entries.length === others.size && entries.every(([name, value]) => sameContent(value, others.get(name)));
}
