import * as vscode from 'vscode';
import type { DevelopmentService } from '../host/developmentService.ts';
import type { KeyRevocations } from '../host/storage/keyRevocations.ts';
import { showError } from '../host/prompts/notify.ts';
import type { Translate } from '../shared/text.ts';
import type { SyncEngine } from '../sync/syncEngine.ts';

/** How a window begins to read what is kept. */
export interface Start {
  /** Reads everything, once: somebody looks. */
  readonly wake: () => Promise<void>;
  /** Wakes where the last window left something to watch; reads one small file to know. */
  readonly startIfDue: () => Promise<void>;
}

/** `door` is the service of a development run, which stands in for the configured one. */
export function createStartup(
  sync: SyncEngine,
  epochs: KeyRevocations,
  door: DevelopmentService | undefined,
  t: Translate,
): Start {
  const start = async () => {
    await epochs.open();
    await sync.start(door, (files) => {
      const names = files.map((file) => file.name).join(', ');
      void showError(t('Some files of Lineside could not be read and were set aside: {0}', names));
    });
  };
  let starting: Promise<void> | undefined;
  // What kept it from starting may be over: the next one who looks tries again.
  const wake = () =>
    (starting ??= start().catch((error: unknown) => {
      starting = undefined;
      throw error;
    }));
  const startIfDue = async () => {
    if (door) {
      await wake();
      await showService(door);
    }
    const running = await sync.runningAtStart();
    if (!running) return;
    await wake();
    for (const key of running) void sync.refresh(key);
  };
  return { wake, startIfDue };
}

/** A development run begins with what there is to see: the tree, and the conversation of the first session. */
async function showService({ sessionIds }: DevelopmentService): Promise<void> {
  const [sessionId] = sessionIds;
  await vscode.commands.executeCommand('lineside.sessions.focus');
  if (sessionId !== undefined) await vscode.commands.executeCommand('lineside.openConversation', { sessionId });
}
