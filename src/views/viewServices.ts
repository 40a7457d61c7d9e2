import type { Event } from '../shared/lifecycle.ts';
import type { Log } from '../shared/log.ts';
import type { Translate } from '../shared/text.ts';
import type { SessionKey } from '../state/store/sessionKey.ts';
import type { SessionRecord } from '../state/store/sessionRecord.ts';
import type { Store } from '../state/store/store.ts';
import type { AgentChanges } from '../state/work/changes.ts';
import type { SessionPresence } from '../state/work/presence.ts';
import type { ActiveConversation } from './activeConversation.ts';
import type { ConversationFilters } from './conversation/conversationFilters.ts';
import type { SessionSubscriber } from './ports.ts';
import type { TreeOptionsStore } from './treeOptionsStore.ts';
import type { UsageSample } from '../state/store/usage.ts';

/** Port to the recorded token usage, oldest first. */
interface UsageHistory {
  read(key: SessionKey): Promise<readonly UsageSample[]>;
  readonly onDidChange: Event<SessionKey>;
}

/** Port to the session list, for child sessions that are shown without being in the list. */
interface TransientSessions {
  /** Lets child sessions be refreshed and shown below their parent without adding them to the list. */
  showTransientSessions(parent: SessionKey, childIds: readonly string[]): void;
}

/** Port to the files that the agent changed. */
interface ChangeSource {
  /** Reads the changed files in all loaded messages of a session, with pauses. */
  readSessionChanges(record: SessionRecord): Promise<AgentChanges>;
}

/** Port to the presence of the agent's changes in the workspace. */
interface PresenceSource {
  /**
   * The result of the last comparison of a session's changed files. If something may have changed since, starts another
   * comparison. Starts none shortly after the last comparison: {@link onDidChange} then fires when the caller should
   * ask again.
   */
  known(key: SessionKey): SessionPresence;
  /**
   * Like {@link known}, but starts no comparison: if something may have changed since the last one, nothing is known.
   */
  current(key: SessionKey): SessionPresence;
  /** Fires when the presence has changed or may have: with a session, or with undefined for all sessions. */
  readonly onDidChange: Event<SessionKey | undefined>;
}

/** Port to the window's lifecycle. */
interface Starter {
  /** Reads the data folder and connects, once. After a failure, the next call tries again. */
  ensureStarted(): Promise<void>;
  /** Like {@link ensureStarted}, but shows a failure with Retry. Resolves to whether the window has started. */
  start(): Promise<boolean>;
}

/** The services that views use. `PageServices` in `commands/context.ts` includes them. */
export interface ViewServices {
  readonly t: Translate;
  readonly log: Log;
  readonly store: Store;
  readonly sessions: SessionSubscriber;
  readonly sessionList: TransientSessions;
  readonly usage: UsageHistory;
  readonly treeOptions: TreeOptionsStore;
  readonly filters: ConversationFilters;
  readonly activeConversation: ActiveConversation;
  readonly changeFiles: ChangeSource;
  readonly presence: PresenceSource;
  readonly lifecycle: Starter;
}
