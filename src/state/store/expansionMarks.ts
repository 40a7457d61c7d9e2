import type { Message, Role } from '../../api/resources/message.ts';
import type { PausableWork } from '../../shared/slices.ts';
import { isFromApi } from './promptContent.ts';

/**
 * What a message has to do with the texts that the agent's tooling adds for commands and skills. `command`, `skill`:
 * such a text can follow the message, because it is a slash command, or the result of launching a skill. `candidate`:
 * the message has only text, and the person seems to have written all of it. `found`: a candidate whose text is such a
 * text after all; see `expansions.ts`.
 */
export type ExpansionMark = 'command' | 'skill' | 'candidate' | 'found';

/**
 * A slash command for which Claude Code adds a text begins with `<command-message>`. One that Claude Code carries out
 * itself, such as `/clear`, begins with `<command-name>`.
 */
const command = /^\s*<command-message>[^<]{0,1000}<\/command-message>\s*<command-name>/;
const launch = 'Launching skill: ';

/**
 * The mark of a message; undefined if it has none. `isSaid`: nothing in its texts is known to come from the tooling.
 * Has pauses for `inSlices`.
 */
export function* expansionMarkOf(
  message: Message,
  role: Role | undefined,
  isSaid: boolean,
): PausableWork<ExpansionMark | undefined> {
  const { content } = message;
  if (content.some(isLaunch)) return 'skill';
  if ((role !== 'user' && role !== undefined) || isFromApi(message) || content.length === 0) return undefined;
  if (content.some(({ type }) => type !== 'text')) return undefined;
  if (isSaid) return 'candidate';
  for (const block of content) {
    if (block.type === 'text' && command.test(block.text)) return 'command';
    yield;
  }
  return undefined;
}

function isLaunch(block: Message['content'][number]): boolean {
  if (block.type !== 'tool_result' || block.isError) return false;
  const [first] = block.content;
  return first?.type === 'text' && first.text.startsWith(launch);
}
