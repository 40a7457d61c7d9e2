import type { Message, Role } from '../../api/resources/message.ts';
import type { PageBlock, PageRow } from '../../shared/protocol/rowTypes.ts';
import { oneLine, reasonOf } from '../../shared/log.ts';
import type { PausableWork } from '../../shared/slices.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { noPairs, type ToolPairs } from '../conversation/toolPairs.ts';
import { hasErrorFlag, type MessageHeader } from '../store/messageHeader.ts';
import { isFromApi, promptContentOf } from '../store/promptContent.ts';
import { isContext as isContextMessage } from '../store/turns.ts';
import { describeContent, noAnswers, reasoningTexts, thinkingFold } from './blocks.ts';

/** The source of a user's message, as a badge (spec 2.4, `userMessageSource`). Unknown sources are shown verbatim. */
export function describeSource(source: string, t: Translate): { label: string; hint: string } {
  const name = sourceName(source, t);
  return { label: t('via {0}', name), hint: t('Message source reported by the service: {0}', plainLine(source, 60)) };
}

function sourceName(source: string, t: Translate): string {
  switch (source) {
    case 'web':
      return t('web');
    case 'desktop':
      return t('desktop app');
    case 'cli_tui':
    case 'cli_exec':
    case 'cli_acp':
      return t('CLI');
    case 'slack':
      return 'Slack';
    case 'linear':
      return 'Linear';
    case 'sessions_api':
    case 'api':
      return t('API');
    case 'automation':
      return t('automation');
    case 'readiness-remediation':
    case 'readiness-evaluation':
      return t('readiness check');
    case 'wiki-generation':
    case 'wiki-ci-setup':
      return t('wiki');
    default:
      return plainLine(source, 40);
  }
}

/** The display name of a role. */
export function roleLabel(role: Role | undefined, t: Translate): string {
  switch (role) {
    case 'user':
      return t('User');
    case 'assistant':
      return t('Assistant');
    case 'tool':
      return t('Tool');
    case 'system':
      return t('System');
    case 'unknown':
    case undefined:
      return t('Unknown role');
  }
}

/** A change within this time after a message's creation doesn't mark the message as edited. */
const editedAfterMs = 60_000;

/**
 * Describes a message from the service for the page. `key` is the key of its row. `header` is the header of the
 * message, if it is known. The role in the header is used if the message has none. The header also says whether the
 * agent's tooling added text, which is then folded. `pairs` contains the counterparts of the message's tool calls and
 * results in other messages, and `answers` the states of the questions to the user that are described as cards. Has
 * pauses for `inSlices`.
 */
export function* describeMessage(
  message: Message,
  header: (Pick<MessageHeader, 'role' | 'expansion'> & { readonly hasAddedText?: boolean }) | undefined,
  key: string,
  t: Translate,
  pairs: ToolPairs = noPairs,
  answers = noAnswers,
): PausableWork<PageRow> {
  const shownRole = shownRoleOf(message, header?.role);
  const { spoken: content, added: addedText } = yield* promptContentOf(message, header);
  const added = addedFolds(addedText, t);
  const described = yield* describeContent({ ...message, content }, pairs, t, answers);
  const blocks = [...reasoningOf(message, t), ...described, ...added];
  const isContext = blocks.length > 0 && blocks.length === added.length;
  const isEdited = message.updatedAt - message.createdAt > editedAfterMs && shownRole === 'user';
  return {
    key,
    role: shownRole ?? 'unknown',
    roleLabel: isContext ? t("Agent's tooling") : roleLabel(shownRole, t),
    ...(isContext && { isContext }),
    ...(shownRole === 'user' && !isContext && isFromEditor(message) ? { author: t('You') } : {}),
    createdAt: message.createdAt,
    ...(isEdited ? { updatedAt: message.updatedAt } : {}),
    isError: hasErrorFlag(message),
    ...phaseOf(message),
    badges: badgesOf(message, t),
    blocks,
  };
}

/**
 * Like {@link describeMessage}, but a message that can't be described becomes a note that says so, and doesn't hide
 * other messages.
 */
export function* describeEach(...given: Parameters<typeof describeMessage>): PausableWork<PageRow> {
  const [message, header, key, t] = given;
  try {
    return yield* describeMessage(...given);
  } catch (error) {
    return yield* describeFault(error, message, header, key, t);
  }
}

/** A message with the error that occurred while it was described, instead of its content. */
export function* describeFault(
  error: unknown,
  ...[message, header, key, t]: Parameters<typeof describeMessage>
): PausableWork<PageRow> {
  const described = yield* describeMessage({ ...message, content: [] }, header, key, t);
  const text = t("Couldn't display this message: {0}", oneLine(reasonOf(error), 200));
  return { ...described, blocks: [{ type: 'note', text }] };
}

/**
 * The role of a message, which is `tool` if the message contains only results, because some services list these as the
 * user's.
 */
function shownRoleOf({ role, content }: Message, known: Role | undefined): Role | undefined {
  const written = role ?? known;
  const isResult = content.length > 0 && content.every(({ type }) => type === 'tool_result');
  return written === 'user' && isResult ? 'tool' : written;
}

/** The role that {@link describeMessage} shows for a message, as far as its header tells. */
export function shownRole(header: MessageHeader): Role | undefined {
  const { role, toolCount, hasText, hasAddedText } = header;
  return role === 'user' && toolCount > 0 && !hasText && !hasAddedText ? 'tool' : role;
}

/** The label that {@link describeMessage} shows for who wrote a message, as far as its header tells. */
export function authorLabel(header: MessageHeader, t: Translate): string {
  return isContextMessage(header) ? t("Agent's tooling") : roleLabel(shownRole(header), t);
}

/** A collapsible block with what the agent's tooling added to a message of the user, verbatim; empty for no text. */
function addedFolds(text: string, t: Translate): PageBlock[] {
  if (text === '') return [];
  return [{ type: 'fold', kind: 'context', title: addedTitle(t), isError: false, blocks: [{ type: 'code', text }] }];
}

/** The line that represents what the agent's tooling added to a message of the user. */
export function addedTitle(t: Translate): string {
  return t("Context added by the agent's tooling");
}

/** The row of a message that the agent's tooling wrote, with the messages after it that the tooling wrote too. */
export function withContext(row: PageRow, others: readonly PageRow[], t: Translate): PageRow {
  const [first] = row.blocks;
  if (first?.type !== 'fold' || others.length === 0) return row;
  const blocks = [row, ...others].flatMap((each) =>
    each.blocks.flatMap((block) => (block.type === 'fold' ? block.blocks : [])),
  );
  return { ...row, blocks: [{ ...first, detail: t('{0} messages', others.length + 1), blocks }] };
}

/** A message without its tool calls and results. */
export function withoutTools(row: PageRow): PageRow {
  const isTool = (block: PageBlock) =>
    block.type === 'fold' && (block.kind === 'toolUse' || block.kind === 'toolResult');
  const blocks = row.blocks.filter((block) => !isTool(block));
  return { ...row, blocks, ...(blocks.length < row.blocks.length && { isTextOnly: true }) };
}

function phaseOf({ openaiPhase }: Message): Pick<PageRow, 'phase'> {
  if (openaiPhase === 'commentary') return { phase: 'commentary' };
  return openaiPhase === 'final_answer' ? { phase: 'final' } : {};
}

function reasoningOf(message: Message, t: Translate): PageBlock[] {
  return reasoningTexts(message).map((text) => thinkingFold(text, t));
}

/** Whether the message may have been sent from VS Code: its source is the API, or not known. */
function isFromEditor(message: Message): boolean {
  return message.userMessageSource === undefined || isFromApi(message);
}

function badgesOf(message: Message, t: Translate): { label: string; hint: string }[] {
  const badges: { label: string; hint: string }[] = [];
  if (message.userMessageSource !== undefined && !isFromEditor(message)) {
    badges.push(describeSource(message.userMessageSource, t));
  }
  if (message.visibility === 'llm_only' || message.isUserVisible === false) {
    badges.push({
      label: t('Hidden from you'),
      hint: t('The service marks this message as visible only to the agent.'),
    });
  }
  if (message.visibility === 'user_only') {
    badges.push({
      label: t('Hidden from the agent'),
      hint: t('The service marks this message as hidden from the agent.'),
    });
  }
  if (message.openaiPhase === 'commentary') {
    badges.push({ label: t('Progress update'), hint: t('Intermediate message. The final answer follows.') });
  }
  if (message.unreadable !== undefined) {
    badges.push({
      label: t('Unreadable'),
      hint: t('Unexpected message format: {0}', plainLine(message.unreadable)),
    });
  }
  return badges;
}

/** The badges of a message that is no longer listed or whose neighbors aren't loaded. */
export function describePlace(header: MessageHeader | undefined, t: Translate): PageRow['badges'] {
  if (header?.isGone) {
    const hint = t('The service no longer lists this message. Showing the last known state.');
    return [{ label: t('Removed from the service'), hint }];
  }
  if (!header?.isDetached) return [];
  return [{ label: t('Messages missing before this'), hint: t("Adjacent messages haven't loaded yet.") }];
}
