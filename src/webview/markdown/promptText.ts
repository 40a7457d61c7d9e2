import type { MarkdownIt, StateInline } from 'markdown-it';
import { dunderNamePattern } from '../../shared/text/dunderNames.ts';
import { isPrompt } from './sharedText.ts';

const dunderName = dunderNamePattern('uy');

/**
 * Keeps characters of a person's prompt that Markdown would leave out, because prompts contain pasted commands and
 * code: a backslash at the end of a line continues a command, and a name such as `__init__` isn't bold.
 */
export function addPromptText(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'promptLineEnd', readLineEnd);
  markdown.inline.ruler.before('emphasis', 'promptName', readName);
}

function readLineEnd(state: StateInline, isSilent: boolean): boolean {
  if (state.src[state.pos] !== '\\' || state.src[state.pos + 1] !== '\n' || !isPrompt(state.env)) return false;
  if (!isSilent) state.pending += '\\';
  state.pos += 1;
  return true;
}

function readName(state: StateInline, isSilent: boolean): boolean {
  if (state.src[state.pos] !== '_' || !isPrompt(state.env)) return false;
  if (/[\p{L}\p{N}_]$/u.test(state.src.slice(Math.max(0, state.pos - 2), state.pos))) return false;
  dunderName.lastIndex = state.pos;
  const [name] = dunderName.exec(state.src) ?? [];
  if (name === undefined || state.pos + name.length > state.posMax) return false;
  if (!isSilent) state.pending += name;
  state.pos += name.length;
  return true;
}
