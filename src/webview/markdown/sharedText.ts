import type { Env } from 'markdown-it';

/** What the sections of one text have in common while they are parsed one after the other. */
export interface SharedText extends Env {
  /** Whether a person wrote the text, in which dollar signs rarely are formulas. */
  readonly isPrompt?: boolean;
}

/** Whether the text that is being parsed is a person's prompt. */
export function isPrompt(shared: Env): boolean {
  return shared['isPrompt'] === true;
}
