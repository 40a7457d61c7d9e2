import type { ContentBlock } from '../../api/resources/contentBlock.ts';

/** Whether the result of a tool call reports a failure. A failed call never counts as done. */
export function isFailedResult({ isError }: Extract<ContentBlock, { type: 'tool_result' }>): boolean {
  return isError;
}
