import * as vscode from 'vscode';
import { describeProblem } from '../../state/presentation/failure.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { Translate } from '../../shared/text.ts';
import type { Connections } from '../../sync/connection/connections.ts';
import type { CommandTable } from '../register.ts';
import { problemDetails } from '../errors.ts';

export interface SupportParts {
  readonly store: Store;
  readonly connections: Connections;
  readonly refresh: (key: SessionKey) => Promise<void>;
  readonly secrets: () => readonly string[];
  readonly t: Translate;
}

/** What helps where something went wrong; the welcome views and the page offer both. */
export function supportCommands(parts: SupportParts): CommandTable {
  return {
    retry: () => retry(parts),
    copyDetails: () => copyDetails(parts, parts.store.current),
  };
}

/** Tries again what failed: the key, and every session. */
export async function retry({ store, connections, refresh }: SupportParts): Promise<void> {
  await connections.refresh(true);
  await Promise.all(store.records.map((record) => refresh(record.listEntry.key)));
}

/** Puts what is known of the last failure on the clipboard; `key` is the session it is asked for from. */
export async function copyDetails(parts: SupportParts, key: SessionKey | undefined): Promise<void> {
  const { store, secrets, t } = parts;
  const { connection } = store;
  const own = key && store.record(key);
  const failed = [own, ...store.records].find((record) => record?.problem ?? record?.history.problem);
  const refused = connection.kind === 'keyRefused' ? connection.problem : undefined;
  const problem = refused ?? failed?.problem ?? failed?.history.problem;
  const sentence = problem ? describeProblem(problem, t) : t('No failure is known.');
  const details = problemDetails(problem, sentence, secrets());
  await vscode.env.clipboard.writeText(details);
}
