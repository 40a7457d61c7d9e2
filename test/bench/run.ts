/**
 * `npm run bench`: measures the conversation in a real VS Code instance with the packaged extension and the demo
 * service, and compares it with a baseline (floor): an extension whose webview is almost empty. `--browser` measures
 * only the page in a plain browser, which takes about a minute.
 *
 *   npm run bench -- [--browser] [--messages 100,1000,10000,100000] [--runs 3] [--write]
 *   npm run bench -- --calls 100,1000,5000     one running turn with this many tool calls
 *   npm run bench -- --energy [--seconds 60]   what windows use while nobody touches them
 *
 * Prints a table of medians; `--write` also writes it to docs/performance.md. Compare only columns of the same run:
 * times of different runs or machines aren't comparable.
 */
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { benchBrowser } from './browserBench.ts';
import { benchEditor } from './editorBench.ts';
import { benchEnergy } from './energy/bench.ts';
import { writeBetweenMarkers } from './report.ts';

const { values } = parseArgs({
  options: {
    browser: { type: 'boolean', default: false },
    messages: { type: 'string', default: '100,1000,10000,100000' },
    calls: { type: 'string' },
    energy: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
    runs: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
});
// A call and its result are two messages.
const counts = values.calls?.split(',').map((calls) => 2 * Number(calls)) ?? values.messages.split(',').map(Number);
const history = values.calls === undefined ? 'turns' : 'one-turn';
const runs = Number(values.runs);
const loads: number[] = [];
const noteLoad = () => loads.push(loadavg()[0] ?? 0);
noteLoad();
const table = values.energy
  ? await benchEnergy({ runs, seconds: Number(values.seconds), noteLoad })
  : await (values.browser ? benchBrowser : benchEditor)({ counts, runs, noteLoad, history });
noteLoad();
const load = [Math.min(...loads), Math.max(...loads)].map((value) => value.toFixed(1)).join(' to ');
const circumstances = `Median of ${runs}; ${availableParallelism()} cores, load average ${load}.`;
console.log(`\n${circumstances}\n\n${table}`);
const place = values.calls !== undefined ? 'calls' : values.energy ? 'energy' : values.browser ? 'browser' : 'editor';
if (values.write) await writeBetweenMarkers(place, `${circumstances}\n\n${table}`);
