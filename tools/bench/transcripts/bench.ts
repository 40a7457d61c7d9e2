/**
 * `npm run bench:transcripts -- <folder>`: reads the sessions of agents in a folder, converts them to messages, and
 * prints what Lineside reads in them, for each agent. `--write` writes the tables to docs/tools.md, and `--details`
 * lists the failures that Lineside doesn't show, and the successes that it takes for failures, each with the start of
 * its result.
 *
 * Each subfolder is a source. `sources.json` in the folder describes them: a list of objects with `folder`, `name`,
 * `commit`, `date`, and `isFixture`, for sessions that were written as tests. Sessions stay outside the repository, and
 * the tables contain no text of them.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import * as z from 'zod/mini';
import { parseJson } from '../../../src/shared/json.ts';
import { markdownTable } from '../tables/figures.ts';
import { writeBetweenMarkers } from '../tables/report.ts';
import { readTranscript } from './formats.ts';
import { AgentFigures, measure } from './measure.ts';

const sourcesSchema = z.array(
  z.object({
    folder: z.string(),
    name: z.string(),
    commit: z.string(),
    date: z.string(),
    isFixture: z.optional(z.boolean()),
  }),
);
type Source = z.output<typeof sourcesSchema>[number];

const maxFileBytes = 100_000_000;
const [folder, ...options] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder with the transcripts.');

const sources = readSources(folder);
const figures = new Map<string, AgentFigures>();
const sessionsBySource = new Map<string, number>();
const unread: string[] = [];
for (const path of filesIn(folder)) {
  const source = sources.find((each) => relative(folder, path).split(sep)[0] === each.folder);
  const transcript = readTranscript(readFileSync(path, 'utf8'));
  if (!transcript) {
    unread.push(relative(folder, path));
    continue;
  }
  const name = `${transcript.agent}${source?.isFixture === true ? ' (fixtures)' : ''}`;
  const known = figures.get(name) ?? new AgentFigures();
  figures.set(name, known);
  measure(transcript, known);
  sessionsBySource.set(source?.folder ?? '', (sessionsBySource.get(source?.folder ?? '') ?? 0) + 1);
}

const agents = [...figures].sort(([, one], [, other]) => other.sessions - one.sessions);
const columns: readonly (readonly [string, (figures: AgentFigures) => number | string])[] = [
  ['sessions', ({ sessions }) => sessions],
  ['calls', ({ calls }) => calls],
  ['recognized', ({ calls, recognized }) => (calls === 0 ? '–' : `${((100 * recognized) / calls).toFixed(1)} %`)],
  ['rejected', ({ rejected }) => rejected],
  ['failures', ({ knownFailures }) => knownFailures],
  ['by flag', ({ byFlag }) => byFlag],
  ['by text', ({ byText }) => byText],
  ['missed', ({ missed }) => total(missed)],
  ['wrong', ({ wrong }) => total(wrong)],
  ['prompts', ({ prompts }) => prompts],
  ['of tooling', ({ tooling }) => tooling],
  ['not folded', ({ unfolded }) => unfolded],
  ['folded wrongly', ({ misfolded }) => misfolded],
  ['questions', ({ questions }) => questions],
  ['formulas', ({ formulas }) => formulas],
  ['web links', ({ webLinks }) => webLinks],
  ['file links', ({ fileLinks }) => fileLinks],
  ['other links', ({ otherLinks }) => otherLinks],
  ['paths', ({ paths }) => paths],
];
const table = markdownTable(
  ['agent', ...columns.map(([title]) => title)],
  agents.map(([agent, each]) => [agent, ...columns.map(([, of]) => of(each).toLocaleString('en'))]),
);
const others = agents
  .filter(([, each]) => each.others.size > 0)
  .map(([agent, each]) => `- ${agent}: ${listed(each.others).join(', ')}`);
const sourceTable = markdownTable(
  ['source', 'commit', 'date', 'sessions'],
  sources.map((each) => [
    `${each.name}${each.isFixture === true ? ' (fixtures)' : ''}`,
    each.commit.slice(0, 12),
    each.date,
    String(sessionsBySource.get(each.folder) ?? 0),
  ]),
);
const report = [table, `Not recognized:\n\n${others.join('\n')}`, sourceTable].join('\n\n');
console.log(report);
if (unread.length > 0)
  console.log(`\nOther formats: ${unread.length} files, for example ${unread.slice(0, 3).join(', ')}`);
if (options.includes('--details')) {
  for (const [agent, { missed, wrong }] of agents) {
    console.log([`\n${agent}`, ...listed(missed, 'missed: '), ...listed(wrong, 'wrong: ')].join('\n'));
  }
}
if (options.includes('--write')) await writeBetweenMarkers('transcripts', report);

function readSources(path: string): readonly Source[] {
  try {
    return sourcesSchema.parse(parseJson(readFileSync(join(path, 'sources.json'), 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function filesIn(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.jsonl?$/.test(name) && name !== 'sources.json')
    .map((name) => join(path, name))
    .filter((file) => statSync(file).size < maxFileBytes)
    .sort();
}

/** The names with their counts, the most frequent first. */
function listed(counts: ReadonlyMap<string, number>, prefix = ''): readonly string[] {
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.map(([name, each]) => `${prefix}${name} (${each})`);
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, each) => sum + each, 0);
}
