import type { MessageHeader } from '../store/messageHeader.ts';
import { MarkReader, pairCalls, type PairedCalls } from './calls.ts';

/** A failed step or an error message of a session. Each text is a single line. */
export interface AgentError {
  /**
   * The message with the failed call, the error message, or the message with a failed result whose call isn't known.
   */
  readonly header: MessageHeader;
  /** The position of the call, or of the result, in that message; undefined for an error message. */
  readonly stepIndex: number | undefined;
  /**
   * The path, command, or tool of the failed step; the first line of the error message; or the most informative line of
   * a result whose call isn't known.
   */
  readonly label: string;
  /** For a failed step, the most informative line of its result; otherwise empty. */
  readonly detail: string;
}

/**
 * The failed steps and the error messages among these messages, in their order. Calls that the person, or a policy,
 * rejected aren't errors.
 */
export function errorsIn(headers: readonly MessageHeader[]): readonly AgentError[] {
  return errorsAmong(headers, pairCalls(headers, new MarkReader()));
}

/** Like {@link errorsIn}, for messages whose calls are paired already. */
export function errorsAmong(headers: readonly MessageHeader[], { calls, strays }: PairedCalls): readonly AgentError[] {
  const steps = calls.filter(({ outcome }) => outcome === 'failed');
  const places = new Map(headers.map((header, index) => [header, index]));
  const placeOf = ({ header }: AgentError) => places.get(header) ?? 0;
  return [
    ...steps.map(({ header, mark, failure }) => ({
      header,
      stepIndex: mark.index,
      label: mark.label,
      detail: failure,
    })),
    ...strays
      .filter(({ mark }) => mark.isFailed && mark.form !== 'rejection')
      .map(({ header, mark }) => ({ header, stepIndex: mark.index, label: mark.label, detail: '' })),
    ...headers
      .filter(({ isError, errorCount }) => isError && errorCount === 0)
      .map((header) => ({ header, stepIndex: undefined, label: header.firstLine, detail: '' })),
  ].sort((a, b) => placeOf(a) - placeOf(b));
}
