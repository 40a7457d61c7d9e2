import * as z from 'zod/mini';
import type { NamedCall } from './namedCall.ts';
import { readPatch } from './patchText.ts';
import { pathSchema } from './pathSchema.ts';
import { readSearchBlocks } from './searchBlocks.ts';
import type { FileChange, ToolCall } from './toolCall.ts';
import { readUnifiedDiff } from './unifiedDiff.ts';

/**
 * The maximum length of a patch in UTF-16 code units and in lines, above what a model writes. Longer ones aren't read.
 */
const maxPatchLength = 200_000;
const maxPatchLines = 30_000;

const patchText = z
  .string()
  .check(
    z.refine((text) => text.length <= maxPatchLength && text.split('\n', maxPatchLines + 1).length <= maxPatchLines),
  );

/**
 * Recognizes a patch as an argument or as the whole input: from `*** Begin Patch` on (Codex, droid, opencode, Copilot,
 * Cline), a unified diff, or blocks to search and replace (Cline, Roo Code).
 */
export function patch({ fields, text }: NamedCall): ToolCall | undefined {
  const given = text ?? fields.patch;
  const data = given === undefined ? undefined : patchText.safeParse(given).data;
  if (data === undefined) return undefined;
  const path = pathSchema.safeParse(fields.path).data;
  return written(
    readPatch(data) ?? (path === undefined ? undefined : readSearchBlocks(data, path)) ?? readUnifiedDiff(data, path),
  );
}

/** Recognizes a command that applies a patch: Codex and its successors run `apply_patch` with a here-document. */
export function patchCommand(command: string): WriteCall | undefined {
  const { data } = patchText.safeParse(command);
  return data !== undefined && /(^|[\s;&|])apply_?patch\s/.test(data.slice(0, 2_000))
    ? written(readPatch(data))
    : undefined;
}

type WriteCall = Extract<ToolCall, { kind: 'write' }>;

function written(changes: readonly FileChange[] | undefined): WriteCall | undefined {
  return changes === undefined || changes.length === 0 ? undefined : { kind: 'write', changes };
}
