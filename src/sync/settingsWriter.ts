import * as z from 'zod/mini';
import { isApiError } from '../api/errors.ts';
import type { Session, SessionSettings, SessionSettingsPatch } from '../api/resources/session.ts';
import type { SessionsApi } from '../api/sessionsApi.ts';
import { type Log, reasonOf } from '../shared/log.ts';
import {
  compareSettings,
  isUnset,
  namesOf,
  pickSettings,
  settingNames,
  type SettingsComparison,
} from '../state/sessions/settings.ts';
import type { SessionKey } from '../state/store/sessionKey.ts';
import type { Store } from '../state/store/store.ts';
import { originRecordName } from './storage/recordNames.ts';
import type { RecordFormat } from './storage/recordStore.ts';
import type { RecordStores } from './storage/recordStores.ts';

/** What a service does with settings that an update does not name: it keeps them, or drops them (spec 4.2 is silent). */
type SettingsRule = 'merged' | 'replaced';

const subfolder = 'settingsRules';
const schema = z.object({ origin: z.string(), rule: z.enum(['merged', 'replaced']) });
const format: RecordFormat<z.output<typeof schema>> = { version: 1, schema };

/** What each service was seen to do with settings that an update did not name; on disk, but for the demo's. */
export class SettingsRules {
  readonly #known = new Map<string, SettingsRule>();
  readonly #records: RecordStores;
  readonly #log: Log;

  constructor(records: RecordStores, log: Log) {
    this.#records = records;
    this.#log = log;
  }

  /** The rule of a service as seen last, by this window or an earlier one. Never rejects. */
  async read(origin: string): Promise<SettingsRule | undefined> {
    const known = this.#known.get(origin);
    if (known) return known;
    try {
      const read = await this.#records.of(origin).read(originRecordName(subfolder, origin), format);
      if (read.kind !== 'record' || read.record.origin !== origin) return undefined;
      this.#known.set(origin, read.record.rule);
      return read.record.rule;
    } catch (error) {
      this.#log.debug(`the settings rule could not be read: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** Remembers what a service did. Never rejects: a rule that is not on disk is learned again. */
  async learn(origin: string, rule: SettingsRule): Promise<void> {
    if (this.#known.get(origin) === rule) return;
    this.#known.set(origin, rule);
    this.#log.info(`${origin}: settings an update does not name are ${rule === 'merged' ? 'kept' : 'dropped'}`);
    try {
      await this.#records.of(origin).write(originRecordName(subfolder, origin), format, { origin, rule });
    } catch (error) {
      this.#log.debug(`the settings rule could not be kept: ${reasonOf(error)}`);
    }
  }
}

/**
 * What became of a change of settings:
 * - `unchanged`: the session has no use for it any more, nothing was sent;
 * - `answered`: the service answered with the settings as they are now;
 * - `reread`: no answer said them, and the settings are those read afterwards (R26); `error` is why, where one was the reason;
 * - `unknown`: neither came.
 */
export type SettingsOutcome =
  | { readonly kind: 'unchanged' }
  | (SettingsComparison & { readonly kind: 'answered' })
  | (SettingsComparison & { readonly kind: 'reread'; readonly error: unknown })
  | { readonly kind: 'unknown'; readonly change: SessionSettingsPatch; readonly error: unknown };

/** Makes a change from the settings as they are now; undefined where there is nothing to change any more. */
export type SettingsChange = (settings: SessionSettings) => SessionSettingsPatch | undefined;

interface SettingsWriterOptions {
  readonly store: Store;
  readonly rules: SettingsRules;
  readonly log: Log;
}

/**
 * The one way settings of a session are changed (spec 4.2, which does not say whether an update merges or replaces).
 * Reads, sends only what was changed, compares the answer with what was read, and learns the service's rule from it. To
 * a service that was seen to replace, the settings just read go along, so that nothing is lost from then on.
 */
export class SettingsWriter {
  readonly #options: SettingsWriterOptions;

  constructor(options: SettingsWriterOptions) {
    this.#options = options;
  }

  /** Rejects with the ApiError where surely nothing was changed: the reading failed, or the service refused. */
  async write(api: SessionsApi, key: SessionKey, makeChange: SettingsChange): Promise<SettingsOutcome> {
    const before = settingsOf(await this.#read(api, key));
    const change = makeChange(before);
    if (!change || namesOf(change).length === 0) return { kind: 'unchanged' };
    const rule = await this.#options.rules.read(key.origin);
    const sent = rule === 'replaced' ? { ...pickSettings(before, settingNames), ...change } : change;
    let answer: Session;
    try {
      answer = await api.updateSession(key.sessionId, sent);
    } catch (error) {
      if (isSurelyUnchanged(error)) throw error;
      return this.#reread(api, key, before, change, error);
    }
    const after = answer.sessionSettings;
    // An answer without settings says nothing of them.
    if (!after) return this.#reread(api, key, before, change, undefined);
    await this.#learn(key.origin, before, sent, after);
    return { kind: 'answered', ...compareSettings(before, change, after) };
  }

  #read(api: SessionsApi, key: SessionKey): Promise<Session> {
    const computerId = this.#options.store.record(key)?.listEntry.computerId;
    return api.getSession(key.sessionId, { computerId });
  }

  async #reread(
    api: SessionsApi,
    key: SessionKey,
    before: SessionSettings,
    change: SessionSettingsPatch,
    error: unknown,
  ): Promise<SettingsOutcome> {
    this.#options.log.info(`what became of a change of settings is read: ${reasonOf(error)}`);
    try {
      const after = settingsOf(await this.#read(api, key));
      return { kind: 'reread', error, ...compareSettings(before, change, after) };
    } catch {
      return { kind: 'unknown', change, error };
    }
  }

  /** What was set and not named tells the rule, where there was any. */
  async #learn(
    origin: string,
    before: SessionSettings,
    sent: SessionSettingsPatch,
    after: SessionSettings,
  ): Promise<void> {
    const unnamed = settingNames.filter((name) => sent[name] === undefined && !isUnset(before[name]));
    if (unnamed.length === 0) return;
    const areKept = unnamed.every((name) => !isUnset(after[name]));
    await this.#options.rules.learn(origin, areKept ? 'merged' : 'replaced');
  }
}

function settingsOf(session: Session): SessionSettings {
  return session.sessionSettings ?? {};
}

/** Nothing was sent, or the service said that it refuses. */
function isSurelyUnchanged(error: unknown): boolean {
  if (!isApiError(error)) return true;
  if (error.sent === 'no' || error.kind === 'redirect') return true;
  return error.kind === 'status' && error.status !== undefined && error.status < 500 && error.status !== 408;
}
