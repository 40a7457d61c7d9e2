/**
 * `npm run bench:tools`: measures the processor time for recognizing the tool calls of 10,000 messages, the bytes that
 * they add to the headers, and the processor time for very large calls. Writes the table to docs/tools.md.
 */
import type { ContentBlock } from '../../src/api/resources/contentBlock.ts';
import { toolMarksOf } from '../../src/state/tools/toolMarks.ts';
import { agentCalls } from '../../test/unit/state/tools/agentCalls.ts';
import { markdownTable } from './tables/figures.ts';
import { writeBetweenMarkers } from './tables/report.ts';

const messageCount = 10_000;
const lines = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join('\n');
const words = 'const price = basket.total(currency); // with tax';

/** Half of the messages have a call, half its result, as in real sessions. */
const messages = Array.from({ length: messageCount }, (_, at): readonly ContentBlock[] => {
  const toolUseId = `toolu_${String(at >> 1).padStart(20, '0')}`;
  const { name, input } = agentCalls[(at >> 1) % agentCalls.length] ?? { name: '', input: {} };
  if (at % 2 === 0) return [{ type: 'tool_use', toolUseId, name, input }];
  return [
    {
      type: 'tool_result',
      toolUseId,
      isError: at % 20 === 1,
      content: [{ type: 'text', text: lines(40, () => words) }],
    },
  ];
});

const use = (name: string, input: unknown): readonly ContentBlock[] => [
  { type: 'tool_use', toolUseId: 'a', name, input },
];
const edit = (oldText: string, newText: string) =>
  use('Edit', { file_path: 'a', old_string: oldText, new_string: newText });
const before = (count: number) => lines(count, (at) => `${at} ${words}`);
const after = (count: number, every: number) => lines(count, (at) => `${at % every === 0 ? 'new ' : ''}${at} ${words}`);
const large: readonly (readonly [string, readonly ContentBlock[]])[] = [
  ['edit of 20,000 lines, one line changed', edit(before(20_000), after(20_000, 20_000))],
  ['edit of 20,000 lines, every line changed', edit(before(20_000), after(20_000, 1))],
  ['edit of 5,000 lines, every tenth line changed', edit(before(5_000), after(5_000, 10))],
  ['edit of 5,000 lines, every line changed', edit(before(5_000), after(5_000, 1))],
  ['write of 10 MB', use('Write', { file_path: 'a', content: lines(200_000, () => words) })],
  [
    'patch of 0.9 MB',
    use('apply_patch', `*** Begin Patch\n*** Add File: a\n${lines(17_000, () => `+${words}`)}\n*** End Patch`),
  ],
  [
    '2,000 edits',
    use('MultiEdit', {
      file_path: 'a',
      edits: Array.from({ length: 2_000 }, () => ({ old_string: 'a', new_string: 'b' })),
    }),
  ],
  [
    'arguments of 1.9 MB as JSON text',
    use('Write', JSON.stringify({ file_path: 'a', content: lines(37_000, () => words) })),
  ],
];

/** The median processor time of a few runs, in milliseconds. The first run compiles, so it isn't measured. */
function processorTime(run: () => void): number {
  run();
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    run();
    return process.cpuUsage(before).user / 1_000;
  });
  return times.sort((one, other) => one - other)[2] ?? 0;
}

const ms = (time: number) => `${time.toFixed(1)} ms`;
const time = processorTime(() => {
  for (const content of messages) toolMarksOf(content);
});
const bytes = messages.map((content) => toolMarksOf(content)?.length ?? 0).sort((one, other) => one - other);
const total = bytes.reduce((sum, each) => sum + each, 0);
const rows = [
  [`${messageCount.toLocaleString('en')} messages`, ms(time)],
  ['bytes of a header, mean', String(Math.round(total / messageCount))],
  ['bytes of a header, 99th percentile', String(bytes[Math.floor(messageCount * 0.99)])],
  ...large.map(([name, content]) => [name, ms(processorTime(() => toolMarksOf(content)))]),
];
const table = markdownTable(['', 'processor time or size'], rows);
console.log(table);
await writeBetweenMarkers('cost', table);
