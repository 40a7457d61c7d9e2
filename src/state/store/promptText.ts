import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import type { Message, Role } from '../../api/resources/message.ts';
import type { PausableWork } from '../../shared/slices.ts';

/**
 * Separates what the person wrote in a message of the user from the texts of the agent's tooling, such as reminders,
 * the output of hooks, or the environment. docs/content.md lists the forms.
 */

/** The text of a message of the user. */
interface PromptText {
  /** What the person wrote; empty if the tooling wrote everything. A slash command is as the person typed it. */
  readonly said: string;
  /** What the agent's tooling added, in its order; empty if there is nothing. */
  readonly added: string;
}

/** Texts with more characters count as written by the person, so that reading takes only a few milliseconds. */
const maxLength = 250_000;

/** Divides a pair of tags into what the person said and what the tooling added. */
type Reader = (content: string, whole: string) => Partial<PromptText>;

const isAdded: Reader = (_content, whole) => ({ added: whole });
const isSaid: Reader = (content) => ({ said: content.trim() });

/** The names, in lowercase, of tags whose content comes from the tooling. No person uses such distinctive names. */
const addedTags = [
  // Claude Code
  ...['system-reminder', 'local-command-stdout', 'local-command-stderr', 'local-command-caveat'],
  ...['bash-stdout', 'bash-stderr', 'task-notification', 'teammate-message', 'cross-session-message'],
  ...['ide_selection', 'ide_opened_file', 'ide_diagnostics', 'new-diagnostics', 'command-contents'],
  ...['user-prompt-submit-hook', 'session-start-hook', 'pre-tool-use-hook', 'post-tool-use-hook'],
  ...['stop-hook', 'subagent-stop-hook', 'pre-compact-hook', 'notification-hook', 'session-end-hook'],
  // OpenAI Codex
  ...['environment_context', 'user_instructions', 'permissions instructions', 'collaboration_mode', 'turn_aborted'],
  ...['subagent_notification', 'skills_instructions', 'apps_instructions', 'plugins_instructions'],
  ...['personality_spec', 'model_switch', 'recommended_plugins', 'codex_internal_context', 'app-context'],
  // Cline, Roo Code
  'environment_details',
  // Cursor
  ...['system_reminder', 'user_info', 'open_and_recently_viewed_files', 'manually_attached_skills', 'project_layout'],
  ...['additional_data', 'agent_transcripts'],
  // GitHub Copilot
  ...['environment_info', 'workspace_info', 'reminderinstructions', 'editorcontext', 'repocontext'],
  'conversation-summary',
  // Factory droid, Gemini CLI, OpenHands
  ...['system-notification', 'session_context', 'hook_context', 'runtime_information', 'repository_info'],
];

/** Tags with common names, which are read only if the text also contains the other tag. */
const companions: readonly (readonly [tags: readonly string[], other: string, read: Reader])[] = [
  [['task', 'feedback', 'answer', 'user_message'], 'environment_details', isSaid],
  [['git_status', 'rules', 'attached_files', 'timestamp'], 'user_query', isAdded],
  [['context', 'attachments', 'reminder'], 'userrequest', isAdded],
];

const readers = new Map<string, Reader>([
  ...addedTags.map((name) => [name, isAdded] as const),
  ...companions.flatMap(([names, , read]) => names.map((name) => [name, read] as const)),
  ['user_query', isSaid],
  ['userrequest', isSaid],
  ['bash-input', (content) => ({ said: `! ${content.trim()}` })],
  ['user_shell_command', (content, whole) => ({ ...shellCommand(content), added: whole })],
  ['skill', isAdded],
  ['user_action', isAdded],
]);
/** Tags of Codex with common names, which are read only if their content begins with the tag that Codex writes. */
const beginnings = new Map([
  ['skill', /^\s*<name>/],
  ['user_action', /^\s*<context>/],
]);
const companionOf = new Map(companions.flatMap(([names, other]) => names.map((name) => [name, other] as const)));

/** A slash command of Claude Code consists of several pairs of these tags, in any order. */
const commandTags = ['command-name', 'command-message', 'command-args'];

/** The start of a repository's instructions for agents: the heading and the tag that Codex writes. */
const instructions = '# AGENTS\\.md instructions\\b[^\\n]*\\s+<instructions>';

const tagNames = [...readers.keys(), ...commandTags].join('|');
/**
 * The places at which a text may stop being the person's own: a line for an image, an interruption, or output in a
 * file, the instructions of a repository, and the start of a pair of tags. Fenced code blocks are matched to skip them.
 */
const places = new RegExp(
  [
    '^ {0,3}(?<fence>`{3,}|~{3,})',
    '^(?<line>\\[(?:Request interrupted by user|Image(?=[ :]))[^\\]\\n]{0,1000}\\]|(?:Read the output file to retrieve the result|Full transcript available at): \\S{1,1000})[ \\t]*$',
    `^(?<instructions>${instructions})`,
    `<(?<tag>${tagNames})(?:\\s[^<>\\n]{0,1000})?>`,
  ].join('|'),
  'gim',
);

/** Texts that the tooling writes as a whole begin with one of these. */
const wholeTextStarts =
  /^\s*(?:Caveat: The messages below were generated by the user while running local commands\b|This session is being continued from a previous conversation\b|Base directory for this skill: |This is the Gemini CLI\. We are setting up the context\b|(?:(?:Pre|Post)ToolUse|UserPromptSubmit|SessionStart|SubagentStop|Stop|PreCompact)(?::\S*)? hook (?:additional context|blocking error|error|feedback|stopped|success)\b|Operation stopped by hook: |UserPromptSubmit operation blocked by hook:|System: Please continue\.\s*$|A session-scoped \w+ hook is now active\b|\[SYSTEM NOTIFICATION\b)/;
/**
 * Texts that the tooling writes as a whole, whose start a person may quote: Cline's requests to go on, and the calls
 * and files that opencode adds. Such a text must also end as the tooling ends it.
 */
const wholeTexts: readonly RegExp[] = [
  /^\s*\[ERROR\] You did not use a tool in your previous response! Please retry with a tool use\.(?:\s+# (?:Reminder: Instructions for Tool Use|Next Steps)(?:\n[^]*\(This is an automated message, so do not respond to it conversationally\.\))?)?\s*$/,
  /^\s*\[TASK RESUMPTION\] This task was interrupted [^.\n]{1,60}\.(?: It may or may not be complete\b[^\n]*\bproceed with completing the task\.)?(?:\s+Note: If you previously attempted a tool use\b[^\n]*\b(?:should retry|if needed)\.)?\s*$/,
  /^\s*Called the (?:Read|List) tool with the following input: \{(?:[^{}"\n]|"(?:[^"\\\n]|\\.)*")*\}\s*$/,
  /^\s*<path>[^\n]{1,1000}<\/path>\n<type>(?:file|directory)<\/type>\n<(content|entries)>(?:(?!<\/\1>)[^])*<\/\1>\s*$/,
];

/** Codex in an editor puts the person's request below its context. */
const editorContext = /^\s*# (?:Context from my IDE setup|Files mentioned by the user):/;
const editorRequest = /^## My request for Codex:[ \t]*$/m;

/**
 * Separates what a person wrote from what the agent's tooling added to a message of the user. What is in fenced code,
 * within a line, or in unclosed tags is the person's own, and so is a whole text of more than 250,000 characters.
 */
export function readPromptText(text: string): PromptText {
  if (text.length > maxLength) return { said: text, added: '' };
  if (wholeTextStarts.test(text) || wholeTexts.some((whole) => whole.test(text))) return { said: '', added: text };
  const request = editorContext.test(text) ? editorRequest.exec(text) : null;
  if (!request) return new PromptReader(text).read();
  const start = request.index + request[0].length;
  const { said, added } = new PromptReader(withoutBlankEdges(text.slice(start))).read();
  return { said, added: joined([text.slice(0, start), added]) };
}

/** Whether a message was sent through the API, as Lineside sends messages. */
export function isFromApi({ userMessageSource: source }: Message): boolean {
  return source === 'api' || source === 'sessions_api';
}

/** What a message of the user contains. */
interface PromptContent {
  /** The content, with only what the person wrote in its texts. The message's own array if no text differs. */
  readonly spoken: readonly ContentBlock[];
  /** What the agent's tooling added to its texts; empty if there is nothing. */
  readonly added: string;
}

/**
 * Separates the content of a message as {@link readPromptText} does, with a pause for `inSlices` after each block.
 * Everything is spoken if the message isn't from the user, or was sent through the API. A message whose role isn't
 * known counts as one of the user.
 */
export function* readPromptContent(message: Message, knownRole?: Role): PausableWork<PromptContent> {
  const { content, role = knownRole } = message;
  if (isFromApi(message) || (role !== 'user' && role !== undefined)) return { spoken: content, added: '' };
  const added: string[] = [];
  const spoken: ContentBlock[] = [];
  for (const block of content) {
    if (block.type === 'text') {
      const text = readPromptText(block.text);
      added.push(text.added);
      spoken.push(text.said === block.text ? block : { ...block, text: text.said });
    } else spoken.push(block);
    yield;
  }
  const isEverything = spoken.every((block, index) => block === content[index]);
  return { spoken: isEverything ? content : spoken, added: joined(added) };
}

/** What the header of a message says about its text. */
interface PromptMarks {
  readonly role: Role | undefined;
  readonly hasAddedText?: boolean;
  readonly expansion?: string | undefined;
}

/** Separates the content as its header says. Without `hasAddedText`, all of it is spoken. Has pauses for `inSlices`. */
export function* promptContentOf(message: Message, header: PromptMarks | undefined): PausableWork<PromptContent> {
  const { content } = message;
  if (header?.hasAddedText !== true) return { spoken: content, added: '' };
  if (header.expansion !== 'found') return yield* readPromptContent(message, header.role);
  return { spoken: [], added: joined(content.map((block) => (block.type === 'text' ? block.text : ''))) };
}

/** A part of a text, as indexes. */
interface TextPlace {
  readonly start: number;
  readonly end: number;
}

/** The only tag whose nested pairs are matched. Other tags may contain the output of a program, with unpaired tags. */
const nestedTag = 'system-reminder';

/** The closing tags of one name in a text. */
class ClosingTags {
  readonly #all: TextPlace[] = [];
  /** The index after each opening tag that begins a line, in order. Only for {@link nestedTag}. */
  readonly #opened: number[] = [];
  /** Closing tags that begin a line, by the index after their opening tag. No pair contains the line of a fence. */
  readonly #byContent = new Map<number, TextPlace>();
  #next = 0;
  #nextOpened = 0;

  constructor(text: string, tag: string) {
    for (const { 0: found, index } of text.matchAll(new RegExp(`</${tag}\\s*>`, 'gi'))) {
      this.#all.push({ start: index, end: index + found.length });
    }
    if (tag === nestedTag) this.#pair(text, tag);
  }

  #pair(text: string, tag: string): void {
    const open: number[] = [];
    const pattern = new RegExp(`^ {0,3}(?:\`{3}|~{3})|^<${tag}>|^</${tag}>|</${tag}>(?=[ \\t\\r]*$)`, 'gim');
    for (const { 0: found, index } of text.matchAll(pattern)) {
      const end = index + found.length;
      if (!found.startsWith('<')) open.length = 0;
      else if (found[1] !== '/') {
        open.push(end);
        this.#opened.push(end);
      } else {
        const contentStart = open.pop();
        const beginsLine = text.charAt(index - 1) === '\n';
        if (contentStart !== undefined && beginsLine) this.#byContent.set(contentStart, { start: index, end });
      }
    }
  }

  /**
   * Returns the closing tag for the content that begins at an index: the next one, or the matching one if the same tag
   * is opened again before the next one. The index must not decrease from one call to the next.
   */
  of(contentStart: number): TextPlace | undefined {
    while ((this.#all[this.#next]?.start ?? Infinity) < contentStart) this.#next += 1;
    while ((this.#opened[this.#nextOpened] ?? Infinity) <= contentStart) this.#nextOpened += 1;
    const next = this.#all[this.#next];
    const isNested = next !== undefined && (this.#opened[this.#nextOpened] ?? Infinity) <= next.start;
    return (isNested ? this.#byContent.get(contentStart) : undefined) ?? next;
  }

  last(contentStart: number): TextPlace | undefined {
    const last = this.#all.at(-1);
    return last && last.start >= contentStart ? last : undefined;
  }
}

class PromptReader {
  readonly #text: string;
  readonly #said: string[] = [];
  readonly #added: string[] = [];
  /** The contents of the tags of a slash command by tag name, while its tags are being read. */
  #command: Map<string, string> | undefined;
  /** The index up to which the text was read. */
  #at = 0;
  /** Whether a pair of tags ends at `#at`, so another one can follow on the same line. */
  #isAfterTags = true;
  /** How far the text was searched for starts of lines. */
  #searchedTo = 0;
  /** The start of the line at `#searchedTo`. */
  #lineStart = 0;
  /** The end of the last character before `#searchedTo` that isn't white space. */
  #blankFrom = 0;
  /** The closing tags of each name that was searched for. */
  readonly #closingTags = new Map<string, ClosingTags>();
  /** Whether the text contains a companion tag, by its name. */
  readonly #others = new Map<string, boolean>();

  constructor(text: string) {
    this.#text = text;
  }

  read(): PromptText {
    const pattern = new RegExp(places);
    for (let place = pattern.exec(this.#text); place; place = pattern.exec(this.#text)) {
      const { fence, line, instructions: heading, tag } = place.groups ?? {};
      if (fence !== undefined) pattern.lastIndex = this.#fenceEnd(fence, pattern.lastIndex);
      else if (line !== undefined) this.#take(place.index, pattern.lastIndex, { added: line });
      else {
        const end = this.#closing(place, heading === undefined ? (tag ?? '') : 'instructions', pattern.lastIndex);
        if (end !== undefined) pattern.lastIndex = end;
      }
    }
    this.#say(this.#text.length);
    this.#endCommand();
    const said = this.#added.length === 0 && this.#said.length <= 1 ? (this.#said[0] ?? '') : joined(this.#said);
    return { said, added: joined(this.#added) };
  }

  /** Reads a pair of tags. Returns the index after it; undefined if the text there is the person's own. */
  #closing(place: RegExpExecArray, name: string, contentStart: number): number | undefined {
    const tag = name.toLowerCase();
    const other = companionOf.get(tag);
    if (other !== undefined && !this.#has(other)) return undefined;
    const startsLine = this.#startsLine(place.index);
    // In the middle of a line, only tags around whole lines come from the tooling.
    const isAttached = !startsLine && this.#text[contentStart] === '\n' && !/[`"'([]/.test(this.#before(place.index));
    if (!startsLine && !isAttached) return undefined;
    const close = this.#find(tag, contentStart);
    if (!close || (isAttached && this.#before(close.start) !== '\n')) return undefined;
    const whole = this.#text.slice(place.index, close.end);
    const content = this.#text.slice(contentStart, close.start);
    if (beginnings.get(tag)?.test(content) === false) return undefined;
    if (commandTags.includes(tag)) this.#takeCommand(place.index, close.end, tag, content);
    else this.#take(place.index, close.end, (readers.get(tag) ?? isAdded)(content, whole));
    return close.end;
  }

  #has(tag: string): boolean {
    const known = this.#others.get(tag) ?? new RegExp(`</${tag}>`, 'i').test(this.#text);
    this.#others.set(tag, known);
    return known;
  }

  /** Whether only white space is between an index and its line's start, or the tags before. Indexes never decrease. */
  #startsLine(index: number): boolean {
    const piece = this.#text.slice(this.#searchedTo, index);
    const lineEnd = piece.lastIndexOf('\n');
    const filled = piece.trimEnd().length;
    if (lineEnd >= 0) this.#lineStart = this.#searchedTo + lineEnd + 1;
    if (filled > 0) this.#blankFrom = this.#searchedTo + filled;
    this.#searchedTo = index;
    const from = Math.max(this.#at, this.#lineStart);
    return (from > this.#at || this.#isAfterTags) && this.#blankFrom <= from;
  }

  #before(index: number): string {
    return this.#text.charAt(index - 1);
  }

  /** The closing tag for content that begins at an index. In a `subagent_notification`, the last one in the text. */
  #find(tag: string, contentStart: number): TextPlace | undefined {
    let tags = this.#closingTags.get(tag);
    if (!tags) {
      tags = new ClosingTags(this.#text, tag);
      this.#closingTags.set(tag, tags);
    }
    return tag === 'subagent_notification' ? tags.last(contentStart) : tags.of(contentStart);
  }

  #fenceEnd(fence: string, from: number): number {
    const sign = fence.charAt(0);
    const pattern = new RegExp(`^ {0,3}${sign}{${fence.length},}[ \\t]*$`, 'gm');
    pattern.lastIndex = from;
    return pattern.exec(this.#text) ? pattern.lastIndex : this.#text.length;
  }

  #take(start: number, end: number, { said = '', added = '' }: Partial<PromptText>): void {
    this.#say(start);
    this.#endCommand();
    this.#at = end;
    this.#isAfterTags = true;
    if (said !== '') this.#said.push(said);
    if (added !== '') this.#added.push(added);
  }

  #takeCommand(start: number, end: number, tag: string, content: string): void {
    this.#say(start);
    if (this.#command?.has(tag)) this.#endCommand();
    this.#command ??= new Map();
    this.#command.set(tag, content.trim());
    this.#at = end;
    this.#isAfterTags = true;
  }

  /** Adds a slash command as the person typed it, and what else the tooling says about it. */
  #endCommand(): void {
    if (!this.#command) return;
    const name = this.#command.get('command-name')?.replace(/^\/*/, '') ?? '';
    const about = this.#command.get('command-message') ?? '';
    const command = name === '' ? '' : `/${name}`;
    const typed = `${command} ${this.#command.get('command-args') ?? ''}`.trim();
    this.#command = undefined;
    if (typed !== '') this.#said.push(typed);
    if (about.replace(/^\//, '').replace(/ is running…$/, '') !== name) this.#added.push(about);
  }

  /** Adds the person's text up to an index. */
  #say(end: number): void {
    const text = this.#text.slice(this.#at, end);
    const startsLine = this.#at === 0 || this.#before(this.#at) === '\n';
    this.#at = end;
    if (text.trim() === '') return;
    this.#endCommand();
    // White space after a tag on the same line isn't an indentation.
    this.#said.push(startsLine ? text : text.replace(/^[ \t]+/, ''));
    this.#isAfterTags = false;
  }
}

function shellCommand(content: string): Partial<PromptText> {
  const opening = '<command>';
  const start = content.indexOf(opening);
  const end = content.indexOf('</command>', start);
  const command = start < 0 || end < 0 ? '' : content.slice(start + opening.length, end).trim();
  return command === '' ? {} : { said: `! ${command}` };
}

function joined(parts: readonly string[]): string {
  return parts
    .map(withoutBlankEdges)
    .filter((part) => part !== '')
    .join('\n\n');
}

/** A text without blank lines at its start or white space at its end. Its first line keeps its indentation. */
function withoutBlankEdges(text: string): string {
  return text.trimEnd().replace(/^(?:[^\S\n]*\n)+/, '');
}
