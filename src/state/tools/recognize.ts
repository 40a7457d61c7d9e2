import type { ToolCall } from './toolCall.ts';

/** Recognizes a tool call by the shape of its arguments, then by its name. Never throws, whatever `input` is. */
export function recognizeCall(name: string, input: unknown): ToolCall {
  const command = typeof input === 'object' && input !== null && 'command' in input ? input.command : undefined;
  return /bash|execute|shell/i.test(name) && typeof command === 'string'
    ? { kind: 'execute', command }
    : { kind: 'other' };
}
