import { type Message, readMessage } from '../../../src/api/resources/message.ts';
import { type MessageHeader, summarizeMessage } from '../../../src/state/store/messageHeader.ts';
import { Timeline } from '../../../src/state/store/timeline.ts';
import { isContext, isPrompt } from '../../../src/state/store/turns.ts';
import { MarkReader, pairCalls, type PairedCall } from '../../../src/state/work/calls.ts';
import { makeMarkdownParser } from '../../../src/webview/markdown/markdownParser.ts';
import { pathTokens } from '../../../src/shared/text/filePaths.ts';
import type { Transcript } from './transcript.ts';

/** What Lineside reads in the sessions of an agent. */
export class AgentFigures {
  sessions = 0;
  messages = 0;
  calls = 0;
  /** Calls whose kind isn't recognized, by the name of the tool. */
  readonly others = new Map<string, number>();
  /** Calls with an error in the transcript that Lineside shows as rejected, because their tools didn't run. */
  rejected = 0;
  /** The other calls with an error in the transcript. */
  knownFailures = 0;
  /**
   * Failures that Lineside recognizes by the error flag, and those that it would recognize by the text without the
   * flag.
   */
  byFlag = 0;
  byText = 0;
  /**
   * Failures in the transcript that Lineside doesn't show, and successes that it takes for failures, with or without
   * the flag. By the kind of the call and the beginning of the result.
   */
  readonly missed = new Map<string, number>();
  readonly wrong = new Map<string, number>();
  /** Messages of the user with text. */
  prompts = 0;
  /** Messages of the user that are only text of the agent's tooling. */
  tooling = 0;
  /**
   * Messages that the transcript assigns to the tooling and that Lineside shows as prompts, and messages that the
   * transcript assigns to the person and that Lineside takes for text of the tooling.
   */
  unfolded = 0;
  misfolded = 0;
  questions = 0;
  formulas = 0;
  webLinks = 0;
  fileLinks = 0;
  otherLinks = 0;
  paths = 0;

  get recognized(): number {
    return this.calls - [...this.others.values()].reduce((sum, count) => sum + count, 0);
  }
}

const parser = makeMarkdownParser();

/** Adds what Lineside reads in a session. */
export function measure(transcript: Transcript, figures: AgentFigures): void {
  const messages = transcript.messages.flatMap((message) => readMessage(message) ?? []);
  const timeline = new Timeline();
  timeline.merge(messages.map((message) => summarizeMessage(message)));
  const { headers } = timeline;
  figures.sessions += 1;
  figures.messages += messages.length;
  const unflagged = messages.map((message) => summarizeMessage(withoutFlags(message)));
  const byText = failedIds(pairCalls(unflagged, new MarkReader()).calls);
  const { calls } = pairCalls(headers, new MarkReader());
  const texts = resultTexts(messages);
  for (const call of calls) measureCall(call, transcript, byText, texts, figures);
  for (const message of messages) measureText(message, timeline.get(message.id), transcript, figures);
}

function measureCall(
  { mark, outcome, result }: PairedCall,
  { outcomes }: Transcript,
  byText: ReadonlySet<string>,
  texts: ReadonlyMap<string, string>,
  figures: AgentFigures,
): void {
  const { callId = '', kind, label } = mark;
  figures.calls += 1;
  if (kind === 'other') count(figures.others, label);
  const known = outcomes.get(callId) ?? 'unknown';
  if (!result) return;
  const start = `${kind}: ${(texts.get(callId) ?? '').slice(0, 60).replace(/\s+/g, ' ')}`;
  if (known === 'failed' && outcome === 'rejected') figures.rejected += 1;
  else if (known === 'failed') {
    figures.knownFailures += 1;
    if (outcome !== 'failed') count(figures.missed, start);
    if (byText.has(callId)) figures.byText += 1;
    if (result.mark.isFailed && result.header.errorCount > 0) figures.byFlag += 1;
  } else if (known === 'done' && (outcome === 'failed' || byText.has(callId))) count(figures.wrong, start);
}

function measureText(
  message: Message,
  header: MessageHeader | undefined,
  { toolingIds, typedIds }: Transcript,
  figures: AgentFigures,
): void {
  if (header && (isPrompt(header) || isContext(header))) figures.prompts += 1;
  if (header && isContext(header)) figures.tooling += 1;
  if (header && isPrompt(header) && toolingIds?.has(message.id)) figures.unfolded += 1;
  const isExpanded = header?.expansion === 'found' && toolingIds?.has(message.id) === false;
  const isTypedContext = header !== undefined && isContext(header) && typedIds.has(message.id);
  if (isExpanded || isTypedContext) figures.misfolded += 1;
  if (header?.question !== undefined) figures.questions += 1;
  for (const block of message.content) {
    if (block.type === 'text') measureMarkdown(block.text, figures);
  }
}

function measureMarkdown(text: string, figures: AgentFigures): void {
  for (const token of parser.parse(text.slice(0, 200_000), {}).flatMap((block) => [block, ...(block.children ?? [])])) {
    if (token.type === 'formula') figures.formulas += 1;
    if (token.type === 'text') figures.paths += pathTokens(contentOf(token), false).length;
    if (token.type === 'code_inline') figures.paths += pathTokens(contentOf(token), true).length;
    if (token.type !== 'link_open') continue;
    const address = String(token.attrGet('href') ?? '');
    if (/^https?:/i.test(address)) figures.webLinks += 1;
    else if (/^(?:file:|[./\w])/i.test(address) && !/^mailto:/i.test(address)) figures.fileLinks += 1;
    else figures.otherLinks += 1;
  }
}

/** The text of a token, whose type the package leaves open. */
function contentOf({ content }: { readonly content: unknown }): string {
  return typeof content === 'string' ? content : '';
}

/** The message as a service without error flags would send it. */
function withoutFlags(message: Message): Message {
  const content = message.content.map((block) => (block.type === 'tool_result' ? { ...block, isError: false } : block));
  return { ...message, content };
}

function failedIds(calls: readonly PairedCall[]): ReadonlySet<string> {
  return new Set(calls.filter(({ outcome }) => outcome === 'failed').map(({ mark }) => mark.callId ?? ''));
}

function resultTexts(messages: readonly Message[]): ReadonlyMap<string, string> {
  const results = messages.flatMap(({ content }) => content.filter((block) => block.type === 'tool_result'));
  return new Map(
    results.map(({ toolUseId = '', content }) => [
      toolUseId,
      content.map((block) => (block.type === 'text' ? block.text : '')).join(' '),
    ]),
  );
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
