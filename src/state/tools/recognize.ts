import { execution } from './executions.ts';
import { followUp } from './followUps.ts';
import { fetching, listing, reading, search, skill } from './lookups.ts';
import { NamedCall } from './namedCall.ts';
import { patch } from './patches.ts';
import { agent, approval, question } from './questions.ts';
import { plan, task } from './todoLists.ts';
import type { ToolCall } from './toolCall.ts';
import {
  changesNothing,
  deletion,
  edit,
  editOfOpenFile,
  editorCommandCall,
  editorEdit,
  editWithoutText,
  relocation,
  severalEdits,
  wholeWrite,
} from './writes.ts';

/**
 * The shapes of calls that write, the most specific first. Each function returns undefined for a call that has another
 * shape.
 */
const writeShapes = [
  patch,
  relocation,
  editorCommandCall,
  editorEdit,
  severalEdits,
  edit,
  editOfOpenFile,
  deletion,
  wholeWrite,
  editWithoutText,
] as const;
/** The shapes of the other calls, the most specific first. */
const otherShapes = [
  ...[followUp, task, skill, approval, question, agent, plan, execution, fetching, search, listing, reading],
] as const;

/**
 * Recognizes a tool call by the shape of its arguments, then by its name; docs/tools.md lists the shapes and their
 * public sources. A call that fits no shape is `other`. Never throws, whatever `input` is.
 */
export function recognizeCall(name: string, input: unknown): ToolCall {
  const call = new NamedCall(name, input);
  const shapes = changesNothing(call) ? otherShapes : [...writeShapes, ...otherShapes];
  for (const shape of shapes) {
    const recognized = shape(call);
    if (recognized) return recognized;
  }
  return { kind: 'other' };
}
