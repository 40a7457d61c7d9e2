import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { parseJson } from '../shared/json.ts';

/** A service to connect to on activation, for `npm start` and for tests. */
export interface DevelopmentService {
  readonly baseUrl: string;
  readonly key: string;
  /** Sessions to add to the list. */
  readonly sessionIds: readonly string[];
}

/**
 * Reads LINESIDE_DEV_URL, LINESIDE_DEV_KEY, and LINESIDE_DEV_SESSIONS (a JSON array of IDs). Returns undefined outside
 * an extension development host, and without the URL or the key.
 */
export function developmentService(
  mode: vscode.ExtensionMode,
  environment: NodeJS.ProcessEnv,
): DevelopmentService | undefined {
  if (mode !== vscode.ExtensionMode.Development) return undefined;
  const { LINESIDE_DEV_URL: baseUrl, LINESIDE_DEV_KEY: key, LINESIDE_DEV_SESSIONS: ids } = environment;
  if (baseUrl === undefined || key === undefined) return undefined;
  const sessionIds = z.catch(z.array(z.string()), []).parse(parseJson(ids ?? '[]'));
  return { baseUrl, key, sessionIds };
}
