import type { Env } from 'markdown-it';

/** What the sections of one text have in common while they are parsed one after the other. */
export interface SharedText extends Env {
  /** Whether a person wrote the text, in which dollar signs rarely are formulas. */
  readonly isPrompt?: boolean;
  /** The footnotes in all sections; without it, those of each section. */
  readonly footnotes?: Footnotes;
  /** What {@link readLabels} finds in all sections; without it, every definition of a link counts as referred to. */
  readonly labels?: ReadonlySet<string>;
}

/** The number of each footnote, by its label. */
type Footnotes = ReadonlyMap<string, number>;

/** Whether the text that is being parsed is a person's prompt. */
export function isPrompt(shared: Env): boolean {
  return shared['isPrompt'] === true;
}

/** The footnotes of the text that is being parsed. */
export function footnotesOf(shared: Env): Footnotes {
  return shared['footnotes'] instanceof Map ? shared['footnotes'] : new Map();
}

/** Finds the footnotes in a text. */
export function readFootnotes(text: string): Footnotes {
  const numbers = new Map<string, number>();
  if (!text.includes('[^')) return numbers;
  for (const [, label = ''] of text.matchAll(/^[ \t>]{0,12}\[\^([^[\]\s]{1,100})\]:/gm)) {
    if (!numbers.has(label)) numbers.set(label, numbers.size + 1);
  }
  return numbers;
}

/** Finds the labels in brackets that can refer to definitions of links. */
export function readLabels(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/\[([^[\]]{1,200})\](?!:)/g)].map(([, label = '']) => named(label)));
}

/** Whether something in the text that is being parsed can refer to the definition of a link. */
export function isReferredTo(shared: Env, label: string): boolean {
  const labels = shared['labels'];
  return !(labels instanceof Set) || labels.has(named(label));
}

/** Labels without a difference in case and white space are the same. */
function named(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toUpperCase();
}
