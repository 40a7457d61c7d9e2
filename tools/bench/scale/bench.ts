import { benchConversations, type BenchOptions } from '../editorBench.ts';
import type { Goal } from '../tables/goals.ts';
import { startScaleService } from './service.ts';

const goals: readonly Goal[] = [
  {
    name: 'open a message of 10 MB / floor',
    of: (at) => at('open', 'message of 10 MB') / at('open', 'floor'),
    must: 2,
  },
  { name: 'longest task, message of 10 MB', of: (at) => at('longestTask', 'message of 10 MB'), must: 50, unit: ' ms' },
];

/** Measures conversations that end with a very large message, in a real VS Code instance. Resolves to the tables. */
export function benchScale(options: Pick<BenchOptions, 'versions' | 'runs' | 'noteLoad'>): Promise<string> {
  return benchConversations(options, startScaleService, goals);
}
