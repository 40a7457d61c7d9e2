import { pick, seededRandom } from '../agent/random.ts';
import { userMessageSources } from '../resources.ts';
import { Transcript } from './transcript.ts';

/** The turns of the long session: many completed ones, or a single running one. */
export type HistoryShape = 'turns' | 'one-turn';

/** The options of the seeded sessions. */
export interface SeedOptions {
  /** The current time in Unix ms. All seeded timestamps are earlier. */
  readonly nowMs: number;
  readonly seed: number;
  /** The number of messages in the long session. */
  readonly historyMessages: number;
  /** Default: `turns`. */
  readonly historyShape?: HistoryShape;
}

const modules = ['cart', 'checkout', 'customer', 'discount', 'invoice', 'payment', 'shipping', 'stock', 'tax'] as const;
const wishes = [
  'give every error a type of its own',
  'take the clock out of the constructor and pass it in',
  'split the long function at its comment lines',
  'replace the class by functions',
  'remove the options nobody sets',
] as const;
const remarks = [
  'Nothing outside the folder had to change.',
  'One caller relied on the old order; I adapted it and left a test behind.',
  'The types alone showed two cases nobody had handled.',
  'It is forty lines shorter now, and reads from top to bottom.',
] as const;

const messagesPerTurn = 5;
const lastMessageAgeMs = 4 * 60 * 60_000;
const longestSecondsApart = 74;

/**
 * A long conversation with `historyMessages` messages, the last of which is at least four hours old. Each turn has a
 * prompt, a thought, a tool call, its result, and an answer. With the shape `one-turn`, there is a single turn of many
 * tool calls, and there can be one message fewer. The same seed produces the same text.
 */
export function historyTranscript({ nowMs, seed, historyMessages, historyShape }: SeedOptions): Transcript {
  const durationMs = historyMessages * longestSecondsApart * 1000;
  const transcript = new Transcript('history', nowMs - lastMessageAgeMs - durationMs);
  if (historyShape === 'one-turn') return writeLongTurn(transcript, historyMessages);
  const random = seededRandom(seed, 'history');
  for (let written = 0; written < historyMessages; written += messagesPerTurn) {
    writeTurn(transcript, written / messagesPerTurn, historyMessages - written, random);
  }
  return transcript;
}

const callsPerRemark = 10;

/** Writes a turn that isn't finished: tool calls with their results, and a remark in place of every tenth call. */
function writeLongTurn(transcript: Transcript, count: number): Transcript {
  if (count > 0) transcript.user('Turn 1: go through all modules, one after the other.');
  for (let call = 0; transcript.messages.length + 1 < count; call += 1) {
    const name = modules[call % modules.length] ?? 'cart';
    const path = `src/orders/${name}.ts`;
    if (call % callsPerRemark === 0) transcript.assistant(`Part ${call / callsPerRemark + 1}: the **${name}** module.`);
    else if (call % 3 === 0)
      transcript.tool('edit_file', { path, oldText: 'total(', newText: `${name}Total(` }, 'Done.');
    else if (call % 3 === 1) transcript.tool('read_file', { path }, sourceOf(name, call % 90));
    else transcript.tool('run_command', { command: `npm test -- ${name}` }, 'All tests pass.', call % 50 === 2);
  }
  return transcript;
}

/** Writes the first `count` messages of a turn, at most 5. */
function writeTurn(transcript: Transcript, turn: number, count: number, random: () => number): void {
  const name = pick(modules, random);
  const wish = pick(wishes, random);
  const path = `src/orders/${name}.ts`;
  const userMessageSource = userMessageSources[turn % userMessageSources.length] ?? 'web';
  transcript.user(`Turn ${turn + 1}: in \`${path}\`, ${wish}.`, { userMessageSource });
  if (count > 1) transcript.assistant(thought(name));
  if (count > 3) transcript.tool('read_file', { path }, sourceOf(name, Math.floor(random() * 90)));
  else if (count > 2) transcript.assistant(`I read \`${path}\` first.`);
  if (count > 4) transcript.assistant(answerOf(name, turn, random), { openaiPhase: 'final_answer' });
}

function thought(name: string) {
  const thinking = `The ${name} module has two callers. I check both before I touch it, and keep what they see as it is.`;
  const signature = 'ErUBCkYIBBgCIkDm9xQ2';
  return [{ type: 'thinking', thinking, signature, signatureProvider: 'anthropic' }] as const;
}

function sourceOf(name: string, percent: number): string {
  return `export class ${name}Error extends Error {}

/** What the ${name} of an order comes to, in cents. */
export function ${name}Total(lines: readonly OrderLine[], rate = 0.${String(percent).padStart(2, '0')}): number {
  let total = 0;
  for (const line of lines) {
    if (line.quantity < 0) throw new ${name}Error(\`negative quantity in line \${line.id}\`);
    total += Math.round(line.priceCents * line.quantity * (1 + rate));
  }
  return total;
}`;
}

function answerOf(name: string, turn: number, random: () => number): string {
  const opening = `The **${name}** module is done. ${pick(remarks, random)}`;
  switch (turn % 4) {
    case 0:
      return `${opening}\n\n\`\`\`ts\nexport type ${name}Result =\n  | { readonly kind: 'ok'; readonly totalCents: number }\n  | { readonly kind: 'refused'; readonly reason: string };\n\`\`\``;
    case 1:
      return `${opening}\n\n| file | before | after |\n| --- | ---: | ---: |\n| ${name}.ts | ${120 + (turn % 80)} | ${70 + (turn % 40)} |\n| ${name}.test.ts | 44 | ${60 + (turn % 20)} |`;
    case 2:
      return `${opening}\n\n1. moved the rounding into one place\n2. named the *three* cases\n3. wrote down why the rate is a parameter\n\nThe next one would be \`${pick(modules, random)}\`.`;
    default:
      return `${opening}\n\n> All ${200 + turn} tests pass.\n\n\`\`\`diff\n-  const total = ${name}(order, new Date());\n+  const total = ${name}(order, clock());\n\`\`\``;
  }
}
