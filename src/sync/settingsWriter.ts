import { isApiError } from '../api/errors.ts';
import type { Session, SessionSettings, SessionSettingsPatch } from '../api/resources/session.ts';
import type { SessionsApi } from '../api/sessionsApi.ts';
import { defined } from '../shared/defined.ts';
import { type Log, reasonOf } from '../shared/log.ts';
import {
  compareSettings,
  isUnset,
  namesOf,
  pickSettings,
  settingNames,
  type SettingsComparison,
} from '../state/sessions/sessionSettings.ts';
import { keyText, type SessionKey } from '../state/store/sessionKey.ts';
import type { Store } from '../state/store/store.ts';
import { longestCopyLagMs } from './connection/olderCopies.ts';
import { type Clock, remainingMs } from './storage/clock.ts';
import { LearnedRules } from './storage/learnedRules.ts';
import type { RecordStores } from './storage/recordStores.ts';

/**
 * How a service treats settings that an update omits (spec 10.4): it keeps them (`merged`) or drops them (`replaced`).
 */
type SettingsRules = LearnedRules<'merged' | 'replaced'>;

/** The observed rule of each service for omitted settings. */
export function settingsRules(records: RecordStores, log: Log): SettingsRules {
  return new LearnedRules('settingsRules', ['merged', 'replaced'], records, log);
}

/**
 * The outcome of a settings change:
 * - `unchanged`: there was nothing left to change, and nothing was sent;
 * - `answered`: the service returned the new settings;
 * - `reread`: the response had no settings, or the request failed with `error`; the settings were read again (R26);
 * - `unknown`: the settings could not be read again either, or the service doesn't return them.
 */
export type SettingsOutcome =
  | { readonly kind: 'unchanged' }
  | (SettingsComparison & { readonly kind: 'answered' })
  | (SettingsComparison & { readonly kind: 'reread'; readonly error: unknown })
  | { readonly kind: 'unknown'; readonly change: SessionSettingsPatch; readonly error: unknown };

/** Creates a change from the current settings; undefined if there is nothing left to change. */
export type SettingsChange = (settings: SessionSettings) => SessionSettingsPatch | undefined;

/**
 * The only place that changes a session's settings (spec 4.2), because the API doesn't say whether an update merges or
 * replaces (spec 10.4). It reads the settings, sends only the changed ones, and learns the service's rule by comparing
 * the response with what it read. If a service is known to replace settings, the unchanged ones are sent along so that
 * they aren't lost.
 */
export class SettingsWriter {
  readonly #store: Store;
  readonly #rules: SettingsRules;
  readonly #log: Log;
  readonly #clock: Clock;
  /** The response to the last change of each session, by `keyText`, and when it arrived, in Unix ms. */
  readonly #results = new Map<string, { readonly state: Session; readonly at: number }>();

  constructor(store: Store, rules: SettingsRules, clock: Clock, log: Log) {
    this.#store = store;
    this.#rules = rules;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Reads the settings of a session. If the response comes from an older copy (R39) or has no settings, what this window
   * knows is used instead. Rejects with the ApiError.
   */
  async read(api: SessionsApi, key: SessionKey, signal?: AbortSignal): Promise<SessionSettings> {
    const { listEntry, session } = this.#store.record(key) ?? {};
    const response = await api.getSession(key.sessionId, { computerId: listEntry?.computerId, signal });
    const known = [session, this.#recentResult(key)].filter((state) => state !== undefined);
    const newest = known.reduce((best, state) => (saysMore(state, best) ? state : best), response);
    return newest.sessionSettings ?? {};
  }

  /**
   * Changes the settings of a session. Rejects with the ApiError if the settings definitely did not change: reading
   * failed, the change was not sent, or the service rejected it.
   */
  async write(api: SessionsApi, key: SessionKey, makeChange: SettingsChange): Promise<SettingsOutcome> {
    const before = await this.read(api, key);
    const change = makeChange(before);
    if (!change || namesOf(change).length === 0) return { kind: 'unchanged' };
    const rule = await this.#rules.read(key.origin);
    // Unreadable settings can't be restored after they are lost, so all settings are also sent if the rule is unknown.
    const sendsAll = rule === 'replaced' || (rule === undefined && before.unreadable !== undefined);
    const sent = sendsAll ? { ...pickSettings(before, settingNames), ...change } : change;
    const unreadable = sendsAll ? before.unreadable : defined({ items: before.unreadable?.items });
    let response: Session;
    try {
      response = await api.updateSession(key.sessionId, sent, { unreadable });
    } catch (error) {
      if (isSurelyUnchanged(error)) throw error;
      return this.#reread(api, key, before, change, error);
    }
    const after = response.sessionSettings;
    // A response without settings doesn't show the outcome.
    if (!after) return this.#reread(api, key, before, change, undefined);
    this.#results.set(keyText(key), { state: response, at: this.#clock.now() });
    await this.#learn(key.origin, before, sent, after);
    return { kind: 'answered', ...compareSettings(before, change, after) };
  }

  /** The response to the last change, as long as an older copy of the session can be read. */
  #recentResult(key: SessionKey): Session | undefined {
    const result = this.#results.get(keyText(key));
    return result && remainingMs(result.at + longestCopyLagMs, longestCopyLagMs, this.#clock.now()) > 0
      ? result.state
      : undefined;
  }

  async #reread(
    api: SessionsApi,
    key: SessionKey,
    before: SessionSettings,
    change: SessionSettingsPatch,
    error: unknown,
  ): Promise<SettingsOutcome> {
    this.#log.info(`what became of a change of settings is read: ${reasonOf(error)}`);
    try {
      const computerId = this.#store.record(key)?.listEntry.computerId;
      const { sessionSettings: after } = await api.getSession(key.sessionId, { computerId });
      if (!after) return { kind: 'unknown', change, error };
      return { kind: 'reread', error, ...compareSettings(before, change, after) };
    } catch {
      return { kind: 'unknown', change, error };
    }
  }

  /** Derives the rule from settings that had a value and were omitted, if there were any. */
  async #learn(
    origin: string,
    before: SessionSettings,
    sent: SessionSettingsPatch,
    after: SessionSettings,
  ): Promise<void> {
    const unnamed = settingNames.filter((name) => sent[name] === undefined && !isUnset(before[name]));
    if (unnamed.length === 0) return;
    const areKept = unnamed.every((name) => !isUnset(after[name]));
    await this.#rules.learn(origin, areKept ? 'merged' : 'replaced');
  }
}

/** Whether a state of a session is newer than another one, or is the only one of the two that has settings. */
function saysMore(state: Session, other: Session): boolean {
  if (state.sessionSettings === undefined) return false;
  return other.sessionSettings === undefined || state.updatedAt > other.updatedAt;
}

/** Whether the request was not sent, or was rejected. */
function isSurelyUnchanged(error: unknown): boolean {
  if (!isApiError(error)) return true;
  if (error.sent === 'no' || error.kind === 'redirect') return true;
  return error.kind === 'status' && error.status !== undefined && error.status < 500 && error.status !== 408;
}
