import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import type { Message } from '../../api/resources/message.ts';
import { copied } from '../../shared/text/copied.ts';
import { startPoint } from '../../shared/text/cutPoint.ts';
import { linesOf } from '../../shared/text/lines.ts';
import { splitSentences } from '../../shared/text.ts';
import { lineWithoutMarks } from '../markdown/plainText.ts';

/** The maximum length of a question in UTF-16 code units. */
const questionLength = 200;
/**
 * The maximum length, in UTF-16 code units, of the end of a text that is searched for a question. A message can be
 * several megabytes long.
 */
const endLength = 1_600;
/** The maximum length in UTF-16 code units of a text that can end in a question. */
const maxFencedLength = 250_000;
const trailingEmphasis = /(?<![*_\s])[*_\s]+$/;
/**
 * The question mark at the end of a text. In Greek, it is a semicolon, which counts only after two Greek words, so that
 * a semicolon after a variable in code doesn't count.
 */
const questionMark = /(?:[?？؟⁇⁈]|(?<=\p{Script=Greek}[\s,]{1,4}\p{Script=Greek}{2,40})[;\u037e])$/u;
/**
 * What can follow the question mark if the question is to the person, such as a bracket, an exclamation mark, an emoji,
 * or a line break.
 */
const afterQuestion = /(?<=[?？؟])(?:[)\]）!！…\u200b]|\ufe0f|\p{Extended_Pictographic}|<br ?\/?>| ){1,6}$/u;
/** Choices that follow a question on the same line, as in a terminal: `[y/N]`. */
const shortChoices =
  /(?<=[?？؟])[*_ ]{0,4}[([（](?:y(?:es)?|n(?:o)?)[/|](?:y(?:es)?|n(?:o)?)[)\]）]:?(?=[*_\s]{0,9}$)/i;

/**
 * The question that a message of the agent ends in, at most 200 characters; undefined if it ends otherwise. A question
 * to the person may be followed by its choices as a list, and by one sentence. Other questions, which an agent often
 * answers itself, must be at the end.
 */
export function questionOf({ role, content }: Message): string | undefined {
  // Content that we don't know may be anything, so a text before it isn't the end of the message.
  const ends: readonly ContentBlock['type'][] = ['text', 'tool_use', 'tool_result', 'unknown'];
  const last = content.findLast(({ type }) => ends.includes(type));
  if (role === 'user' || role === 'tool' || last?.type !== 'text') return undefined;
  const lines = linesOf(endOf(last.text, endLength).trimEnd());
  const question = lastSentence(lines.at(-1) ?? '') ?? questionBefore(lines);
  return question === undefined || endsInCode(last.text) ? undefined : copied(endOf(question, questionLength));
}

/** The end of a text, at most `most` UTF-16 code units. */
function endOf(text: string, most: number): string {
  return text.slice(startPoint(text, text.length - most));
}

/** The start of a sentence in which the agent announces what it will look for, or asks itself a question. */
const ownSearch =
  /^(?:(?:now|but|first|next|so|then|and|ok|okay|hmm|wait|actually)[,.]? )*(?:let me (?!know)|let's (?:check|see|look|verify)|i'll |i (?:will|need to|want to|have to|should) |we need to |the (?:\w+ ){0,3}question (?:is|becomes|then)\b)|^(?:now|hmm)[,.]? (?:where|why) (?:is|are|was|were|does|do|did)\b/i;
/** A question that is quoted from code, from the output of a program, or from someone else. */
const reported =
  /^(?:\/\/|<!--|(?:to-?do|fixme)\b[^:\s]{0,10}:|(?:error|warning)\b[^:\s]{0,10}: did you mean\b)|\b(?:asks|asked|says|said|prompts|prompted|prints|printed|shows|reads)(?: (?:me|us|you|the user|again|now))?: /i;
/** A heading that asks how or why is the title of the text below it. */
const title = /^ {0,3}#{1,6}\s+[*_]{0,3}(?:how|why)\b/i;
const openTask = /^\s{0,9}[-*+] \[ \]\s/;

/**
 * The last sentence of a line if it is a question to the person; undefined otherwise. A question in code, in a
 * quotation, or as an open task isn't one. A question that is a title, ends in a URL, begins like {@link ownSearch}, or
 * is followed by something on its line must have words that ask for a decision.
 */
function lastSentence(line: string): string | undefined {
  const end = line.slice(-questionLength * 4).replace(shortChoices, '');
  const written = end.replace(trailingEmphasis, '');
  const text = written.replace(afterQuestion, '').replace(trailingEmphasis, '');
  if (!questionMark.test(text) || /^\s*>/.test(text) || openTask.test(text)) return undefined;
  const shown = lineWithoutMarks(end).replace(trailingEmphasis, '').replace(afterQuestion, '');
  // The closing bracket was removed above.
  const sentence = (splitSentences(shown).at(-1) ?? shown).replace(/^[(（[](?=[^)）\]]*$)/, '');
  if (reported.test(sentence)) return undefined;
  const isDoubtful = text !== written || title.test(line) || endsInUrl(text) || ownSearch.test(sentence);
  return isDoubtful && !isAsked(sentence) ? undefined : sentence;
}

const maxChoices = 8;
const listItem = /^\s{0,6}(?:[-*+•]|\(?(?:\d{1,2}|[a-hA-H])[.):])\s+\S/;
const namedChoice = /^\s{0,6}\*{0,2}(?:Option|Choice|Plan|Approach) (?:\d|[A-H])\b/;
/** How a sentence after a question begins if it answers the question. */
const answer =
  /^[*_]{0,3}(?!yes,? (?:or )?no\b)(?:(?:(?:yes|yep|no|nope|sure|probably|maybe|perhaps|likely|of course|absolutely|definitely|ja|nein|oui|non|sí)(?: (?:yes|not?))?|not (?:yet|really|necessarily))(?=[*_]{0,3}(?:[.,;:!]| ?[–—]| - |\s*$))|let's (?!decide|discuss|talk)|(?:i|we) think (?:so|not)\b|let me (?!know|hear|have)|(?:it|this|that|they) (?:is|are|was|does|do|did|doesn't|isn't|wasn't)(?: not)?\.$|はい|いいえ|是的)/iu;
/** The start of a sentence that tells the reader how to do what the question is about. */
const instruction = /^(?:run|try|open) /i;
/** Words with which the agent offers something, or asks about its own work. */
const offer = /\b(?:I|me|we|us)\b/i;
/** How a sentence continues after a question that is only quoted in it. */
const continuation = /^(?:is|are|was|were|means|appears?|shows?)\b/;

/**
 * The question to the person that is followed by choices, by one sentence, or by both; undefined if there is none. The
 * choices are a list of two to eight items.
 */
function questionBefore(lines: readonly string[]): string | undefined {
  const written = lines.filter((line) => line.trim() !== '');
  const last = written.at(-1) ?? '';
  // If the last line is a fence, the lines before it are code.
  if (fence.test(last)) return undefined;
  const isListLast = listItem.test(last) || (namedChoice.test(last) && namedChoice.test(written.at(-2) ?? ''));
  const [question = '', explanation] = isListLast ? [] : splitSentences(lineWithoutMarks(last)).slice(-2);
  if (explanation !== undefined && isAsked(question, explanation)) {
    return isExplanation(explanation, question) && !reported.test(question) ? question : undefined;
  }
  if (!isListLast && (!isShort(last) || splitSentences(last.trim()).length > 1)) return undefined;
  if (!isListLast && answer.test(last.trim())) return undefined;
  const above = isListLast ? written : written.slice(0, -1);
  const listStart = above.findLastIndex((line) => !listItem.test(line) && !namedChoice.test(line)) + 1;
  const choices = above.slice(listStart);
  if (choices.length === 1 || choices.length > maxChoices || choices.some((line) => !isShort(line))) return undefined;
  const asked = lastSentence(above[listStart - 1] ?? '');
  if (asked === undefined) return undefined;
  const isChoice = choices.length > 0 && choosing.test(asked);
  return isChoice || isAsked(asked, isListLast ? '' : last) ? asked : undefined;
}

/** Words that ask for a decision only if choices follow. */
const choosing =
  /^(?:which (?:one|option|approach|way|of (?:these|them|the))\b|(?:how|what|where|when|which|who) (?:\w+ )?should (?!you\b))|(?:どちら|どれ).{0,60}か[?？]$/i;

/** Whether a sentence after a question on the same line leaves the question unanswered. */
function isExplanation(sentence: string, question: string): boolean {
  if (!isShort(sentence) || answer.test(sentence) || continuation.test(sentence)) return false;
  return !instruction.test(sentence) || offer.test(question);
}

function isShort(text: string): boolean {
  return text.length <= questionLength;
}

/**
 * Whether a sentence asks the person something, in one of the languages in which agents mostly answer. `after` is the
 * next sentence.
 */
function isAsked(sentence: string, after = ''): boolean {
  if (!questionMark.test(sentence)) return false;
  if (waiting.test(after)) return true;
  if (general.test(sentence) && !personal.test(after)) return false;
  return asking.some((words) => words.test(sentence));
}

/**
 * Questions about how or why something is done, and those that begin with "did you know". They ask the person only if
 * the next sentence contains one of the words in {@link personal}, or begins like {@link waiting}.
 */
const general =
  /^(?:so |but |and )?(?:(?:how (?:do|can|could|should)|why (?:do|can|could|would|should)) (?:you|one) (?!(?:want|like|prefer|feel|think|see)\b)|(?:how could|why (?:can|could|would|should)) (?:i|we)\b|did you know\b)/i;
const personal = /\b(?:I|me|please)\b/i;
/** The start of a sentence that says that the agent is waiting for an answer. */
const waiting =
  /^(?:(?:please )?(?:let me know(?! (?:if|when|once|whether)\b)|tell me\b|choose\b|pick\b|advise\b)|(?:i'll|i will) wait\b|(?:i'm )?(?:waiting|awaiting)\b)/i;

/** Words with which an agent asks for a decision. A question without them may be one that it answers itself. */
const asking: readonly RegExp[] = [
  /\b(?:shall|should|may|can|could) (?:I|we)\b/i,
  /\b(?:do|would|will|could|can|are|did|have) you\b/i,
  /\b(?:you|you'd) (?:like|want|prefer|rather)\b/i,
  /\b(?:want|like|need|prefer) (?:me|us) to\b/i,
  /(?:^|, )(?:is|does|would|do|sounds?|looks?) (?:this|that|it|these|they)? ?(?:ok|okay|fine|good|right|work|sound|look|acceptable)\b/i,
  /\b(?:ok|okay|ready|good|fine) (?:to|with|for)\b/i,
  /^(?:proceed|continue|go ahead|go on|approve|confirm)\b/i,
  /\b(?:your|any) (?:preference|choice|thoughts|objections)\b/i,
  /(?<!\p{L})soll(?:en|te|ten)? (?:ich|wir)(?!\p{L})/iu,
  /(?<!\p{L})(?:möchtest|willst|kannst|hättest|würdest|bevorzugst|magst) du(?!\p{L})/iu,
  /(?<!\p{L})(?:[Mm]öchten|[Ww]ollen|[Kk]önnen|[Ww]ürden|[Bb]evorzugen|[Hh]ätten) Sie(?!\p{L})/u,
  /(?<!\p{L})(?:dois-je|puis-je|voulez-vous|souhaitez-vous|préférez-vous|veux-tu|préfères-tu)(?!\p{L})/iu,
  /¿(?:debo|puedo|quieres|quiere|desea|prefieres|prefiere|te parece)(?!\p{L})/iu,
  /(?:까요|할래요|원하시나요)[?？]$/u,
  /(?<!\p{L})(?:θέλετε|θέλεις|προτιμάτε|προτιμάς|να συνεχίσω)(?!\p{L})/iu,
  /(?<!\p{L})(?:devo|posso|vuoi|vuole|preferisci|quer|prefere|хотите|хочешь|продолжить|wil je|moet ik|zal ik)(?!\p{L})/iu,
  /(?:ますか|でしょうか|いいですか|よろしいですか|ませんか)[?？]$/u,
  /(?:要不要|需要我|是否|可以吗|好吗|你(?:想|希望|要)|您(?:想|希望|要)|哪(?:个|一个|种))/u,
];

/**
 * Whether the last word of a text contains the start of a URL, or the text ends in a reference such as
 * `see example.com/page`.
 */
function endsInUrl(text: string): boolean {
  return /\/\/|\bwww\./.test(text.split(/\s/).at(-1) ?? '') || /\bsee [\w-]{1,60}\.[\w.-]{1,60}\/\S*$/i.test(text);
}

const fence = /^\s*(?:```|~~~)/;

/**
 * Whether a text ends in a fenced code block that isn't closed. A text that is longer than {@link maxFencedLength}
 * isn't read, and counts as one that does.
 */
function endsInCode(text: string): boolean {
  if (text.length > maxFencedLength) return true;
  return linesOf(text).filter((line) => fence.test(line)).length % 2 === 1;
}
