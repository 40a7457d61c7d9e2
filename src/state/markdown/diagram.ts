import { withoutPause } from '../../shared/slices.ts';
import { hasKnownSyntax } from './diagramSyntax.ts';
import { fencedText, plainLines } from './embed.ts';

/** Maximum length of a diagram in the address of its preview. Mermaid rejects longer ones by default. */
const maxCharacters = 50_000;

/** The characters of ordinary text. Of the invisible ones, only the joiners that some scripts and emoji need. */
const plainText = /^[\t\n -~\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200c\u200d]*$/u;

/** Patterns that match the start of anything in a Mermaid diagram that isn't plain text. */
const activeText: readonly RegExp[] = [
  // Addresses, including those that a browser corrects. `\n` is a line break.
  /\/\/|\\(?!n)|:[/\\]|\b(?:https?|wss?|ftp|blob|javascript|vbscript|mailto|vscode[\w-]{0,20}):(?=\S)/i,
  /\b(?:data:[\w+-]{0,40}[/,;]|command:\w+\.)/i,
  /\b(?:url|image-set|src)\s?\(|@import/i,
  // Markdown, properties of nodes, classes, icons, formulas, and directives.
  /`|@\{|:::|::\s*icon|\bfa[a-z]{0,2}:fa|\$\$|%%\{/i,
  // Character references of HTML and of Mermaid, which stores its own as `ﬂ°`.
  /&(?![\s&])|#\w*;|\ufb02°/,
  // Everything in angle brackets except arrows and comparisons. Line breaks and annotations have already been replaced.
  /<(?![-\s.=|\d]|<-)/,
];

/** Whether the Markdown preview can draw a Mermaid diagram without loading anything. Rejects some harmless diagrams. */
export function isSelfContained(diagram: string): boolean {
  if (diagram.length > maxCharacters) return false;
  const text = plainLines(diagram);
  return plainText.test(text) && !isActive(text) && hasKnownSyntax(text);
}

function isActive(text: string): boolean {
  const plain = text.replace(/<br\s*\/?>|<<[\p{L}\p{N}_-]+>>/giu, 'x');
  if (activeText.some((part) => part.test(plain))) return true;
  // Mermaid replaces pairs of `~` with angle brackets, which must not contain attributes.
  return text.split('\n').some((line) => line.includes('~') && line.includes('='));
}

const withStyles = /^[ \t]*(?:graph|flowchart|(?:state|class|er)Diagram)\b/m;
const styles =
  /^[ \t]*(?:(?:style|classDef|linkStyle|cssClass)[ \t].*|class[ \t][\w,-]+[ \t]\w+[ \t]*;?)$|(?<=[\p{L}\p{N}\])}"]):::[\w-]+/gmu;

/**
 * The diagram without the styles and directives with which many diagrams begin or end. It shows the same, without
 * colors.
 */
export function withoutStyles(diagram: string): string {
  const text = plainLines(diagram).replace(/^[ \t]*%%\{.*\}%%[ \t]*\n/gm, '');
  return withStyles.test(text) ? text.replace(styles, '') : text;
}

/** The text of a Markdown document that consists of the diagram. */
export function diagramDocument(diagram: string): string {
  return `${withoutPause(fencedText(diagram, 'mermaid'))}\n`;
}
