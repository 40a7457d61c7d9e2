import type * as vscode from 'vscode';
import type * as z from 'zod/mini';

/** What a tool knows about one call besides its input. */
export interface ToolCall {
  /** The token budget of the result, and a function that counts tokens; undefined if the caller sets no limit. */
  readonly limits: vscode.LanguageModelToolTokenizationOptions | undefined;
  readonly token: vscode.CancellationToken;
}

/** A tool. Resolves to its result for the model, and rejects with a sentence for the model. */
export type Tool = (input: unknown, call: ToolCall) => Promise<string>;

/** A tool whose input is parsed first. Rejects input that doesn't match, and names the fields that are wrong. */
export function checked<Schema extends z.ZodMiniType>(
  schema: Schema,
  run: (input: z.infer<Schema>, call: ToolCall) => Promise<string>,
): Tool {
  return (input, call) => {
    const read = schema.safeParse(input);
    if (read.success) return run(read.data, call);
    const failures = read.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`);
    return Promise.reject(new Error(`The input of the tool is invalid. ${failures.join('; ')}`));
  };
}
