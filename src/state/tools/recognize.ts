import { execution } from './commands.ts';
import { fetching, listing, reading, search } from './lookups.ts';
import { NamedCall } from './namedCall.ts';
import { patch } from './patches.ts';
import { plan } from './todoLists.ts';
import { agent, approval, question } from './questions.ts';
import type { ToolCall } from './toolCall.ts';
import {
  changesNothing,
  deletion,
  edit,
  editorCommandCall,
  editWithoutText,
  relocation,
  severalEdits,
  wholeWrite,
} from './writes.ts';

/** The shapes of calls that write, the most specific first. */
const writeShapes = [
  patch,
  relocation,
  editorCommandCall,
  severalEdits,
  edit,
  deletion,
  wholeWrite,
  editWithoutText,
] as const;
/** The shapes of the other calls, the most specific first. */
const otherShapes = [approval, question, agent, plan, execution, fetching, search, listing, reading] as const;

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
