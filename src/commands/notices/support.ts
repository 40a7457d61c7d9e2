import * as vscode from 'vscode';
import { describeFailure } from '../../state/presentation/failure.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Services } from '../context.ts';
import type { CommandTable } from '../register.ts';
import { problemDetails } from '../errors.ts';

/** What helps where something went wrong; the welcome views and the page offer both. */
export function supportCommands(services: Services): CommandTable {
  return {
    retry: () => retry(services),
    copyDetails: () => copyDetails(services, services.store.current),
  };
}

/** Tries again what failed: the key, and every session. */
export async function retry({ store, connections, sessions }: Services): Promise<void> {
  await connections.reread(true);
  await Promise.all(store.records.map((record) => sessions.refresh(record.listEntry.key)));
}

/** Puts what is known of the last failure on the clipboard; `key` is the session it is asked for from. */
export async function copyDetails(services: Services, key: SessionKey | undefined): Promise<void> {
  const { store, keys, t } = services;
  const { connection } = store;
  const own = key && store.record(key);
  const failed = [own, ...store.records].find((record) => record?.failure ?? record?.history.failure);
  const refused = connection.kind === 'keyRefused' ? connection.failure : undefined;
  const problem = refused ?? failed?.failure ?? failed?.history.failure;
  const sentence = problem ? describeFailure(problem, t) : t('No failure is known.');
  const details = problemDetails(problem, sentence, keys.seen);
  await vscode.env.clipboard.writeText(details);
}
