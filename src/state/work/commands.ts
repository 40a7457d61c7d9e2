import type { MessageHeader } from '../store/messageHeader.ts';
import { MarkReader, pairCalls, type PairedCall } from './calls.ts';

/**
 * The commands that the agent ran in these messages, in order. A command that continued to run has the outcome of the
 * last call that continued it, not counting rejected calls and calls without a result.
 */
export function commandsIn(headers: readonly MessageHeader[]): readonly PairedCall[] {
  const { calls } = pairCalls(headers, new MarkReader());
  const later = new Map<string, PairedCall>();
  for (const call of calls) {
    if (call.origin && call.outcome !== 'unanswered' && call.outcome !== 'rejected')
      later.set(placeOf(call.origin), call);
  }
  return calls
    .filter(({ mark }) => mark.kind === 'execute' && mark.followUp === undefined)
    .map((call) => {
      const last = later.get(placeOf(call));
      return last ? { ...call, outcome: last.outcome, failure: last.failure } : call;
    });
}

function placeOf({ header, mark }: PairedCall): string {
  return `${mark.index} ${header.messageId}`;
}
