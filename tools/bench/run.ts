/**
 * `npm run bench`: measures the conversation in a real VS Code instance with the packaged extension and the demo
 * service, and compares it with a baseline (floor): an extension whose webview is almost empty. `--browser` measures
 * only the page in a plain browser, which takes about a minute.
 *
 *   npm run bench -- [--browser] [--messages 100,1000,10000,100000] [--runs 5] [--write]
 *   npm run bench -- --history                 adds a line to the table of history, and writes nothing else
 *   npm run bench -- --against <commit>        also measures another commit in the same run, and compares
 *   npm run bench -- --comments 200            the longest conversation once more, with comments in its draft
 *   npm run bench -- --calls 100,1000,5000     one running turn with this many tool calls
 *   npm run bench -- --energy [--seconds 60]   the resources that windows use while left alone
 *   npm run bench -- --fresh [--load 1]        the first opening in a window with a new browser profile, and with this
 *                                              number of processes that keep a processor busy
 *   npm run bench -- --http                    conversations that are not in the cache, from 100 to 100,000 messages
 *   npm run bench -- --scale                   conversations that end with a very large message
 *   npm run bench -- --lists [--sessions 100,1000,10000]   lists of sessions, and the search in all of them
 *
 * Prints a table of medians; `--write` also writes it to its page in docs. Compare only columns of the same run:
 * times of different runs or machines aren't comparable.
 */
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { packCommit, packWorkingTree } from './against/versions.ts';
import { benchBrowser } from './browserBench.ts';
import { benchEditor } from './editorBench.ts';
import { benchEnergy } from './energy/bench.ts';
import { benchFresh } from './fresh/bench.ts';
import { benchHttp } from './http/bench.ts';
import { addToHistory } from './tables/history.ts';
import { benchLists } from './scale/lists.ts';
import { benchScale } from './scale/bench.ts';
import { writeBetweenMarkers } from './tables/report.ts';
import { useRunFolder } from './runFolder.ts';

const { values } = parseArgs({
  options: {
    browser: { type: 'boolean', default: false },
    messages: { type: 'string', default: '100,1000,10000,100000' },
    calls: { type: 'string' },
    comments: { type: 'string', default: '0' },
    energy: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    load: { type: 'string', default: '0' },
    http: { type: 'boolean', default: false },
    scale: { type: 'boolean', default: false },
    lists: { type: 'boolean', default: false },
    sessions: { type: 'string', default: '100,1000,10000' },
    seconds: { type: 'string', default: '60' },
    runs: { type: 'string', default: '5' },
    history: { type: 'boolean', default: false },
    against: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
// A call and its result are two messages.
const counts = values.calls?.split(',').map((calls) => 2 * Number(calls)) ?? values.messages.split(',').map(Number);
const history = values.calls === undefined ? 'turns' : 'one-turn';
const runs = Number(values.runs);
/** The options that choose a benchmark. Each is also the name of the place in docs where `--write` puts its table. */
const modes = ['energy', 'fresh', 'http', 'scale', 'lists', 'browser'] as const;
const bench = values.calls !== undefined ? 'calls' : (modes.find((mode) => values[mode]) ?? 'editor');
if (values.against !== undefined) refuseIfImpossible(bench);
useRunFolder();
const loads: number[] = [];
const noteLoad = () => loads.push(loadavg()[0] ?? 0);
noteLoad();
// Package the commit first, because that can fail.
const against = values.against === undefined ? [] : [await packCommit(values.against)];
const versions = bench === 'browser' ? [] : [await packWorkingTree(), ...against];
const table = await tableOf(bench);
noteLoad();
const load = [Math.min(...loads), Math.max(...loads)].map((value) => value.toFixed(1)).join(' to ');
const circumstances = `Median of ${runs}; ${availableParallelism()} cores, load average ${load}.`;
console.log(`\n${circumstances}\n\n${table}`);
if (values.write) await writeBetweenMarkers(bench, `${circumstances}\n\n${table}`);

/** If two versions can't be compared, prints the reason and ends the process. */
function refuseIfImpossible(name: typeof bench): void {
  const reason =
    name === 'browser'
      ? '--browser drives the page with the messages of this version, which another version may not know.'
      : values.write
        ? '--write writes the figures of one version.'
        : undefined;
  if (reason === undefined) return;
  console.error(`${reason} Omit --against.`);
  process.exit(1);
}

function tableOf(name: typeof bench): Promise<string> {
  switch (name) {
    case 'energy':
      return benchEnergy({ versions, runs, seconds: Number(values.seconds), noteLoad });
    case 'fresh':
      return benchFresh({ versions, counts, runs, noteLoad, busyCount: Number(values.load) });
    case 'http':
      return benchHttp({ versions, runs, noteLoad });
    case 'scale':
      return benchScale({ versions, runs, noteLoad });
    case 'lists':
      return benchLists({ versions, runs, noteLoad, counts: values.sessions.split(',').map(Number) });
    case 'browser':
      return benchBrowser({ counts, runs, noteLoad });
    case 'calls':
    case 'editor':
      return measureEditor();
  }
}

async function measureEditor(): Promise<string> {
  const { tables, history: lines } = await benchEditor({
    versions,
    counts,
    runs,
    noteLoad,
    history,
    commentCount: Number(values.comments),
  });
  if (bench === 'editor' && (values.write || values.history)) await addToHistory(lines);
  return tables;
}
