import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import type { FileMark } from '../../../../src/state/tools/toolMarks.ts';
import { headerOf } from '../samples.ts';

type Change = FileMark['change'];

/** A changed file in the form in which a header stores it. */
export function file(path: string, change: Change = 'edited', added = 1, removed = 1, oldPath?: string) {
  return [path, change, added, removed, ...(oldPath === undefined ? [] : [oldPath])];
}

/** A call that changes files, in the form in which a header stores it. */
export function write(callId: string | null, ...files: readonly unknown[]) {
  return ['c', 0, callId, 'write', 'some files', 0, 0, files, false];
}

export function execute(callId: string | null, command: string) {
  return ['c', 0, callId, 'execute', command, 0, 0, [], false];
}

export function result(callId: string | null, failure?: string) {
  return ['r', 0, callId, failure !== undefined, failure ?? ''];
}

/** The header of an assistant message with these marks, which can be those of calls and results. */
export function withMarks(messageId: string, ...marks: readonly unknown[]): MessageHeader {
  return headerOf(messageId, { role: 'assistant', hasText: false, tools: JSON.stringify(marks) });
}

/** A call that changes files, followed by its result. */
export function written(callId: string, ...files: readonly unknown[]): MessageHeader[] {
  return [withMarks(`${callId}-call`, write(callId, ...files)), withMarks(`${callId}-result`, result(callId))];
}
