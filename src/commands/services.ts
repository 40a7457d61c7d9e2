import type { SettingSources } from '../host/settings.ts';
import type { ApiKeyStore } from '../host/storage/apiKeyStore.ts';
import type { TemplateApprovals } from '../host/storage/templateApprovals.ts';
import type { EditorLog } from '../host/editorLog.ts';
import type { Lazy } from '../shared/lazy.ts';
import type { Translate } from '../shared/text.ts';
import type { Store } from '../state/store/store.ts';
import type { Cache } from '../sync/cache/cache.ts';
import type { MessageCache } from '../sync/cache/messageCache.ts';
import type { Connections } from '../sync/connection/connections.ts';
import type { Drafts } from '../sync/drafts/drafts.ts';
import type { Outbox } from '../sync/outbox/outbox.ts';
import type { SentFiles } from '../sync/outbox/sentFiles.ts';
import type { NotificationClaims } from '../sync/sessionList/notificationClaims.ts';
import type { SourceRuns } from '../sync/sessionList/sourceRuns.ts';
import type { SessionList } from '../sync/sessionList/sessionList.ts';
import type { SessionReader } from '../sync/sessionReader.ts';
import type { SettingsWriter } from '../sync/settingsWriter.ts';
import type { Blobs } from '../sync/storage/blobs.ts';
import type { UsageSamples } from '../sync/usageSamples.ts';
import type { ActiveConversation } from '../views/activeConversation.ts';
import type { ConversationFilters } from '../views/conversation/conversationFilters.ts';
import type { CatchUpDocuments } from '../views/documents/catchUpDocuments.ts';
import type { ConversationDocuments } from '../views/documents/conversationDocuments.ts';
import type { Navigation } from '../views/navigation.ts';
import type { TreeOptionsStore } from '../views/treeOptionsStore.ts';

/** The embedded demo service of this window. */
export interface Demo {
  readonly baseUrl: string;
  readonly token: string;
  readonly sessionIds: readonly string[];
}

/** Starts and stops everything that reads and writes the data folder. */
export interface AppLifecycle {
  /** Reads the data folder and connects, once. Rejects if that fails; the next call then tries again. */
  ensureStarted(): Promise<void>;
  /** Like {@link ensureStarted}, but shows a failure with Retry. Resolves to whether the window has started. */
  start(): Promise<boolean>;
  /**
   * Like {@link ensureStarted}, but resolves as soon as the list has the session, if an ID is given. `service` is its
   * origin; by default, that of the current service.
   */
  ensureListed(sessionId: string | undefined, service?: string): Promise<void>;
  /**
   * Starts if a small file shows that the last window left messages in the outbox or sessions in the list, and
   * refreshes the sessions that were running then. In a development run, starts in any case, and shows the first
   * session.
   */
  resumeIfNeeded(navigation: Navigation): Promise<void>;
  /** Writes unsaved data to disk and stops. Nothing accesses the data folder afterward. */
  shutdown(): Promise<void>;
  /** Shuts down and deletes the data folder and the synced session list. The window must be reloaded afterward. */
  deleteData(): Promise<void>;
}

/** The services that everything else in a window is built on. One instance per window. */
export interface Services {
  /** Translates a user-visible string. */
  readonly t: Translate;
  /** The "Lineside" output channel. API keys never reach it (R37). */
  readonly log: EditorLog;
  /** The settings and API keys that background work depends on, and an event for their changes. */
  readonly settings: SettingSources;
  /** The state of the sessions in the list and of transient ones, for reading and for change events. */
  readonly store: Store;
  /** Loads sessions and messages into the store. */
  readonly sessions: SessionReader;
  /** The known services, their connections, and a client for each connected one. */
  readonly connections: Connections;
  /** The sessions that the user added, with pins, names, and read marks. */
  readonly sessionList: SessionList;
  /** Unsent text, comments, and attachments, one draft per session. */
  readonly drafts: Drafts;
  /** Outgoing messages. */
  readonly outbox: Outbox;
  /** The content of attachments on disk. */
  readonly blobs: Blobs;
  /** The attachments of sent messages, by message. */
  readonly sentFiles: SentFiles;
  /** API keys by service, in VS Code's secret storage. */
  readonly keys: ApiKeyStore;
  /** Cached conversations, which the user can clear. */
  readonly cache: Cache;
  /** Cached message bodies, searchable by text. */
  readonly messages: MessageCache;
  /** The token usage recorded for each session. */
  readonly usage: UsageSamples;
  /** Changes session settings on the service. */
  readonly settingsWriter: SettingsWriter;
  /** Ensures that only one of several windows shows a notification. */
  readonly notifications: NotificationClaims;
  /** Ensures that only one of several windows runs the command that lists sessions. */
  readonly sourceRuns: SourceRuns;
  /** The templates that the user approved before their first use. */
  readonly templateApprovals: TemplateApprovals;
  /** How the Sessions view groups, sorts, and filters sessions. */
  readonly treeOptions: TreeOptionsStore;
  /** The conversation that a command acts on if its argument names none. */
  readonly activeConversation: ActiveConversation;
  /** Which messages each conversation shows. */
  readonly filters: ConversationFilters;
  /** What happened in sessions since the user last viewed them, as documents. */
  readonly catchUp: CatchUpDocuments;
  /** Conversations as read-only Markdown documents. */
  readonly documents: ConversationDocuments;
  /** The demo service; started on first use. */
  readonly demo: Lazy<Demo>;
  /** Start and shutdown of the window's background work. */
  readonly lifecycle: AppLifecycle;
}
