import type * as vscode from 'vscode';
import * as z from 'zod/mini';

const keySchema = z.object({ origin: z.string(), sessionId: z.string() });
const entryName = 'current';

/** The session that was current in this workspace, or undefined. */
export function readCurrent(memento: vscode.Memento): z.output<typeof keySchema> | undefined {
  const kept = keySchema.safeParse(memento.get(entryName));
  return kept.success ? kept.data : undefined;
}

/** Remembers the current session for this workspace. */
export async function writeCurrent(memento: vscode.Memento, key: z.output<typeof keySchema>): Promise<void> {
  await memento.update(entryName, { origin: key.origin, sessionId: key.sessionId });
}
