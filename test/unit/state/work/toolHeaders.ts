import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { toolMarksOf } from '../../../../src/state/tools/toolMarks.ts';
import { headerOf } from '../samples.ts';

/** The header of a message with a call as an agent makes it. Its ID is also that of the call. */
export function toolHeader(messageId: string, [name, input]: readonly [string, unknown]): MessageHeader {
  const tools = toolMarksOf([{ type: 'tool_use', toolUseId: messageId, name, input }]) ?? '';
  return headerOf(messageId, { role: 'assistant', hasText: false, toolCount: 1, tools });
}

/** The header of a message with the result of a call. */
export function resultMarks(messageId: string, callId: string, text: string, isError = false): MessageHeader {
  const content = [{ type: 'text', text }] as const;
  const tools = toolMarksOf([{ type: 'tool_result', toolUseId: callId, isError, content }]) ?? '';
  return headerOf(messageId, { role: 'tool', hasText: false, toolCount: 1, errorCount: isError ? 1 : 0, tools });
}
