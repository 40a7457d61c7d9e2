import { fencedText } from './embed.ts';

/** Maximum length of a diagram in the address of its preview. Mermaid refuses longer ones by default. */
const maxCharacters = 50_000;

/**
 * Parts of Mermaid diagrams that can load content, run actions, or hide such parts. Mermaid's own security level blocks
 * most of them, but not images of nodes.
 */
const riskyParts: readonly RegExp[] = [
  // Addresses. A browser reads backslashes as slashes.
  /\/\/|\\\\/,
  /\burl\s*\(|\bimage-set\s*\(|@import/i,
  // Images of nodes, and properties that could hide one.
  /@\{[^}]*(?:\bimg\b|[\\#&*])/i,
  // Links and callbacks.
  /^\s*(?:click|links?|callback)\b/im,
  // HTML other than line breaks, and its character references.
  /(?<!<)<(?!br\s*\/?>)[a-z!/]/i,
  /&(?:#|\w+;)/,
  // Directives and front matter, which change styles and settings.
  /%%\{|^\s*---\s*$/m,
];

/** Whether the Markdown preview can draw a Mermaid diagram without loading anything. Rejects some harmless diagrams. */
export function isSelfContained(diagram: string): boolean {
  return diagram.length <= maxCharacters && !riskyParts.some((part) => part.test(diagram));
}

/** The text of a Markdown document that consists of the diagram. */
export function diagramDocument(diagram: string): string {
  return `${fencedText(diagram, 'mermaid')}\n`;
}
