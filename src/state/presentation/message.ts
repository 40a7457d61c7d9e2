import type { Message, Role } from '../../api/resources/message.ts';
import type { PageBlock, PageRow } from '../../shared/protocol/rowTypes.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { noPairs, type ToolPairs } from '../conversation/toolPairs.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import { describeBlock, thinkingFold } from './blocks.ts';

/** Where a user's message came from, as a badge (spec 2.4, `userMessageSource`). Words listed later show as they are. */
export function describeSource(source: string, t: Translate): { label: string; hint: string } {
  const name = sourceName(source, t);
  return { label: t('from {0}', name), hint: t('The service says this message came from: {0}', plainLine(source, 60)) };
}

function sourceName(source: string, t: Translate): string {
  switch (source) {
    case 'web':
      return t('the web');
    case 'desktop':
      return t('the desktop app');
    case 'cli_tui':
    case 'cli_exec':
    case 'cli_acp':
      return t('the command line');
    case 'slack':
      return 'Slack';
    case 'linear':
      return 'Linear';
    case 'sessions_api':
    case 'api':
      return t('the API');
    case 'automation':
      return t('an automation');
    case 'readiness-remediation':
    case 'readiness-evaluation':
      return t('a readiness check');
    case 'wiki-generation':
    case 'wiki-ci-setup':
      return t('the wiki');
    default:
      return plainLine(source, 40);
  }
}

/** How a role is called. */
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

/** Changes within this time of a message's creation are not worth an "edited". */
const editedAfterMs = 60_000;

/**
 * A message of the service as the page draws it. `key` is its row's, `role` the one learned where it has none, `pairs`
 * what other messages have of its tool calls.
 */
export function describeMessage(
  message: Message,
  role: Role | undefined,
  key: string,
  t: Translate,
  pairs: ToolPairs = noPairs,
): PageRow {
  const shownRole = message.role ?? role;
  const isEdited = message.updatedAt - message.createdAt > editedAfterMs && shownRole === 'user';
  return {
    key,
    role: shownRole ?? 'unknown',
    roleLabel: roleLabel(shownRole, t),
    createdAt: message.createdAt,
    ...(isEdited ? { updatedAt: message.updatedAt } : {}),
    isError: message.isError === true,
    ...phaseOf(message),
    badges: badgesOf(message, t),
    blocks: [
      ...reasoningOf(message, t),
      ...message.content.map((block, index) => describeBlock(block, message.id, [index], pairs, t)),
    ],
  };
}

function phaseOf({ openaiPhase }: Message): Pick<PageRow, 'phase'> {
  if (openaiPhase === 'commentary') return { phase: 'commentary' };
  return openaiPhase === 'final_answer' ? { phase: 'final' } : {};
}

function reasoningOf(message: Message, t: Translate): PageBlock[] {
  return [message.openaiReasoningSummary, message.chatCompletionReasoningContent].flatMap((text) =>
    text === undefined || text === '' ? [] : [thinkingFold(text, t)],
  );
}

function badgesOf(message: Message, t: Translate): { label: string; hint: string }[] {
  const badges: { label: string; hint: string }[] = [];
  if (message.userMessageSource !== undefined) badges.push(describeSource(message.userMessageSource, t));
  if (message.visibility === 'llm_only' || message.isUserVisible === false) {
    badges.push({ label: t('model only'), hint: t('The service marks this message as shown to the model only.') });
  }
  if (message.visibility === 'user_only') {
    badges.push({ label: t('people only'), hint: t('The service marks this message as not shown to the model.') });
  }
  if (message.openaiPhase === 'commentary') {
    badges.push({ label: t('commentary'), hint: t('Said along the way; the final answer is another message.') });
  }
  if (message.openaiPhase === 'final_answer') {
    badges.push({ label: t('final answer'), hint: t('The answer of this turn, after what was said along the way.') });
  }
  if (message.unreadable !== undefined) {
    badges.push({
      label: t('unreadable'),
      hint: t('This message does not have the expected shape: {0}', plainLine(message.unreadable)),
    });
  }
  return badges;
}

/** What is to be said of where a message stands, beside its content. */
export function describePlace(header: MessageHeader | undefined, t: Translate): PageRow['badges'] {
  if (header?.isGone) {
    const hint = t('The service does not list this message any more. What is shown is the last known.');
    return [{ label: t('no longer listed'), hint }];
  }
  if (!header?.isDetached) return [];
  return [{ label: t('apart'), hint: t('The messages between this one and its neighbours are not loaded yet.') }];
}
