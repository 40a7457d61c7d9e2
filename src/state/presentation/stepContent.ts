import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import type { Message } from '../../api/resources/message.ts';
import type { PageStepContent } from '../../shared/protocol/pageMessages.ts';
import type { PageBlock } from '../../shared/protocol/rowTypes.ts';
import { Pace, type PausableWork } from '../../shared/slices.ts';
import { LineList } from '../../shared/text/lines.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { cutBlocks } from '../conversation/truncate.ts';
import { noPairs, type ToolUse } from '../conversation/toolPairs.ts';
import { maxComparedLength, textsLength } from '../tools/changedLines.ts';
import { ComparisonBudget, type DiffLine, diffLines } from '../tools/lineDiff.ts';
import { recognizeCall } from '../tools/recognize.ts';
import { openChange } from '../tools/toolMarks.ts';
import type { FileChange } from '../tools/toolCall.ts';
import {
  describeArguments,
  describeContent,
  describeResult,
  isEncrypted,
  reasoningTexts,
  shownResult,
} from './blocks.ts';
import { describeItems } from './describePlan.ts';

/** The number of unchanged lines shown before and after a change. */
const contextLines = 3;
/** Placeholder for unchanged lines that aren't shown. */
const gap = '⋯';

/**
 * Describes the arguments and the result of a step.
 * @param message the message of the step's call, thought, or unpaired result.
 * @param index the position of the call or the result in the message; -1 for a thought.
 * @param answer the message with the result of the call, and the position of the result.
 * @returns work with pauses for `inSlices`. A change whose texts are too long to be compared is shown as arguments.
 */
export function* describeStepContent(
  message: Message,
  index: number,
  answer: { readonly message: Message; readonly index: number } | undefined,
  t: Translate,
): PausableWork<PageStepContent> {
  const block = message.content[index];
  const own = yield* block?.type === 'tool_use' ? describeInput(block, t) : describeOther(message, index, t);
  const result = answer?.message.content[answer.index];
  const isResult = answer && result?.type === 'tool_result';
  const resultBlocks = isResult
    ? shownResult(yield* describeResult(result, answer.message.id, [answer.index], t), t)
    : [];
  const { blocks, cut } = cutBlocks([...own, ...resultBlocks], t);
  if (cut === undefined) return { blocks, hasOutput: resultBlocks.some(isWorthDocument) };
  // The output has a document of its own.
  const hasOutput = resultBlocks.some(({ type }) => type !== 'note');
  const isOwnCut = !hasOutput || cutBlocks(own, t).cut !== undefined;
  return { blocks, cut: { text: cut, ...(isOwnCut ? { messageId: message.id } : {}) }, hasOutput };
}

/** Output of up to this many characters and lines doesn't need a document of its own. */
const shortLength = 400;
const shortLineCount = 10;

/** Whether a block is easier to read in an editor. */
function isWorthDocument(block: PageBlock): boolean {
  if (block.type !== 'code') return block.type !== 'note';
  return block.text.length > shortLength || block.text.split('\n', shortLineCount + 1).length > shortLineCount;
}

/** A thought, or a result without its call. */
function* describeOther(message: Message, index: number, t: Translate): PausableWork<readonly PageBlock[]> {
  const block = message.content[index];
  if (block?.type === 'tool_result') return shownResult(yield* describeResult(block, message.id, [index], t), t);
  const isThinking = ({ type }: ContentBlock) => type === 'thinking' || type === 'redacted_thinking';
  const blocks = reasoningTexts(message).map((text): PageBlock => ({ type: 'markdown', text }));
  for (const thought of message.content.filter(isThinking)) {
    if (thought.type === 'thinking' && !isEncrypted(thought)) blocks.push({ type: 'markdown', text: thought.thinking });
    else for (const shown of yield* describeContent({ ...message, content: [thought] }, noPairs, t)) blocks.push(shown);
  }
  return blocks;
}

function* describeInput({ name, input }: ToolUse, t: Translate): PausableWork<PageBlock[]> {
  const call = recognizeCall(name, input);
  if (call.kind === 'execute') return [{ type: 'code', text: call.command, language: 'shellscript' }];
  if (call.kind === 'question' && call.text !== '') return [{ type: 'markdown', text: call.text }];
  if (call.kind === 'plan' && call.items.length > 0)
    return [{ type: 'checklist', items: describeItems(call.items, t) }];
  const changes = call.kind === 'openEdit' ? [openChange(call.piece, '')] : call.kind === 'write' ? call.changes : [];
  if (changes.length === 0 || !isComparable(changes)) {
    return [yield* describeArguments(input)];
  }
  const blocks: PageBlock[] = [];
  for (const change of changes) {
    for (const block of yield* describeChange(change, changes.length > 1, t)) blocks.push(block);
    yield;
  }
  return blocks.length > 0 ? blocks : [yield* describeArguments(input)];
}

/** Whether the call contains the texts of all changed files, and they aren't too long to be compared. */
function isComparable(changes: readonly FileChange[]): boolean {
  const hasText = ({ change, pieces }: FileChange) => pieces.length > 0 || change === 'deleted' || change === 'renamed';
  return changes.every(hasText) && textsLength(changes.flatMap(({ pieces }) => pieces)) <= maxComparedLength;
}

/** A change as a diff of the replaced pieces. The call doesn't include the line numbers. */
function* describeChange(change: FileChange, isNamed: boolean, t: Translate): PausableWork<PageBlock[]> {
  const budget = new ComparisonBudget();
  const texts: string[] = [];
  for (const { oldText, newText } of change.pieces) {
    const text = yield* diffText(diffLines(oldText, newText, budget));
    // A piece without a change only says where the next one is.
    if (text !== '') texts.push(text);
    yield;
  }
  const notes = isNamed ? [{ type: 'note', text: nameOf(change, t) } as const] : [];
  return texts.length === 0 ? notes : [...notes, { type: 'code', text: texts.join(`\n${gap}\n`), language: 'diff' }];
}

/** The line above the diff of a file, or instead of it. */
function nameOf({ change, path, newPath }: FileChange, t: Translate): string {
  if (newPath !== undefined) return t('{0} → {1}', plainLine(path), plainLine(newPath));
  return change === 'deleted' ? t('Deleted {0}', plainLine(path)) : plainLine(path);
}

const signs = { same: ' ', removed: '-', added: '+' } as const;

/** The removed and added lines, with some unchanged lines around each change. */
function* diffText(lines: Iterable<DiffLine>): PausableWork<string> {
  const pace = new Pace();
  const texts = new LineList();
  /** The last unchanged lines, if they aren't shown yet. */
  let before: string[] = [];
  let isGap = false;
  let contextLeft = 0;
  for (const { kind, line } of lines) {
    if (pace.isOver(line.length)) yield;
    const shown = signs[kind] + line;
    if (kind !== 'same') {
      if (isGap && texts.length > 0) texts.push(gap);
      for (const unchanged of before) texts.push(unchanged);
      texts.push(shown);
      [before, isGap, contextLeft] = [[], false, contextLines];
    } else if (contextLeft > 0) {
      texts.push(shown);
      contextLeft -= 1;
    } else {
      before.push(shown);
      if (before.length > contextLines) {
        before.shift();
        isGap = true;
      }
    }
  }
  return yield* texts.joined();
}
