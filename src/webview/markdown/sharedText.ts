import type { Env } from 'markdown-it';

/** What the parser knows about a text while it parses the sections of the text one after the other. */
export interface SharedText extends Env {
  /** Whether a person wrote the text. In a prompt, dollar signs rarely delimit formulas, and pasted code is common. */
  readonly isPrompt?: boolean;
  /** The footnotes of the whole text. If absent, the parser reads those of the section. */
  readonly footnotes?: Footnotes;
  /** Whether the text continues in sections that are parsed later. */
  readonly isContinued?: boolean;
}

/** The number of each footnote, by its label. */
type Footnotes = ReadonlyMap<string, number>;

/** Whether the text that is being parsed is a person's prompt. */
export function isPrompt(shared: Env): boolean {
  return shared['isPrompt'] === true;
}

/** Whether the text that is being parsed continues in other sections. */
export function isContinued(shared: Env): boolean {
  return shared['isContinued'] === true;
}

/** The footnotes of the text that is being parsed. */
export function footnotesOf(shared: Env): Footnotes {
  return shared['footnotes'] instanceof Map ? shared['footnotes'] : new Map();
}

/** Finds the footnotes that a text defines, and numbers them in their order, from 1. */
export function readFootnotes(text: string): Footnotes {
  const numbers = new Map<string, number>();
  if (!text.includes('[^')) return numbers;
  for (const [, label = ''] of text.matchAll(/^[ \t>]{0,12}\[\^([^[\]\s]{1,100})\]:/gm)) {
    if (!numbers.has(label)) numbers.set(label, numbers.size + 1);
  }
  return numbers;
}
