import * as vscode from 'vscode';
import { showCommandError } from '../commands/commandErrors.ts';
import type { AppLifecycle } from '../commands/services.ts';
import type { DevelopmentService } from '../host/developmentService.ts';
import { showError } from '../host/prompts/notify.ts';
import type { ApiKeyStore } from '../host/storage/apiKeyStore.ts';
import type { KeyRevocations } from '../host/storage/keyRevocations.ts';
import { Lazy } from '../shared/lazy.ts';
import { type Log, reasonOf } from '../shared/log.ts';
import { Disposables } from '../shared/lifecycle.ts';
import type { Translate } from '../shared/text.ts';
import { serviceOf } from '../state/store/connection.ts';
import type { Store } from '../state/store/store.ts';
import type { SyncedMemory } from '../sync/sessionList/syncedSessionList.ts';
import type { UnreadableFile } from '../sync/storage/recordFormat.ts';
import { removeAllRecords } from '../sync/storage/removalMarks.ts';
import type { SyncEngine } from '../sync/syncEngine.ts';
import type { Navigation } from '../views/navigation.ts';

/** What a window needs to start, to stop, and to delete the user's data. */
interface WindowLifecycleOptions {
  readonly sync: SyncEngine;
  readonly store: Store;
  readonly revocations: KeyRevocations;
  /** The service that replaces the configured ones in a development run; undefined if there is none. */
  readonly developmentService: DevelopmentService | undefined;
  /** The folder that contains all records. They are deleted when the user deletes their data. */
  readonly dataFolder: string;
  /** The copy of the session list that Settings Sync syncs to other machines. */
  readonly syncedMemory: SyncedMemory;
  readonly keys: ApiKeyStore;
  readonly log: Log;
  readonly t: Translate;
}

/** Starts the sync engine when something needs it, and stops it before the window closes. */
export class WindowLifecycle implements AppLifecycle {
  readonly #options: WindowLifecycleOptions;
  readonly #start = new Lazy(() => this.#startSync());
  #isFailureShown = false;

  constructor(options: WindowLifecycleOptions) {
    this.#options = options;
  }

  ensureStarted(): Promise<void> {
    return this.#start.get();
  }

  async start(): Promise<boolean> {
    try {
      await this.ensureStarted();
      return true;
    } catch (error) {
      this.#report(error);
      return false;
    }
  }

  async ensureListed(sessionId = '', service?: string): Promise<void> {
    const { store } = this.#options;
    const own = new Disposables();
    const listed = new Promise<void>((resolve) => {
      const check = () => {
        const origin = service ?? serviceOf(store.connection)?.origin;
        if (origin !== undefined && store.record({ origin, sessionId })) resolve();
      };
      own.add(store.onDidChange(({ type }) => type === 'sessionList' && check()));
      check();
    });
    await Promise.race([listed, this.ensureStarted()]).finally(() => own.dispose());
  }

  async resumeIfNeeded(navigation: Navigation): Promise<void> {
    const { sync, developmentService } = this.#options;
    if (developmentService) {
      await this.ensureStarted();
      await showDevelopmentService(developmentService, navigation);
    }
    const running = await sync.runningAtStart();
    if (!running || !(await this.start())) return;
    for (const key of running) void sync.refresh(key);
  }

  shutdown(): Promise<void> {
    return this.#options.sync.stopWriting();
  }

  async deleteData(): Promise<void> {
    const { syncedMemory, dataFolder } = this.#options;
    await this.shutdown();
    await syncedMemory.write(undefined);
    await removeAllRecords(dataFolder);
  }

  /** Shows why Lineside couldn't start, unless the reason is already shown. */
  #report(error: unknown): void {
    const { log } = this.#options;
    if (this.#isFailureShown) return;
    this.#isFailureShown = true;
    log.error(`start failed: ${reasonOf(error)}`);
    let isRetried = false;
    void showCommandError(error, this.#options, () => (isRetried = true))
      .catch((failure: unknown) => log.error(reasonOf(failure)))
      .finally(() => {
        this.#isFailureShown = false;
        if (isRetried) void this.start();
      });
  }

  async #startSync(): Promise<void> {
    const { sync, revocations, developmentService, t } = this.#options;
    await revocations.open();
    await sync.start(developmentService, (files) => showUnreadable(files, t));
  }
}

/** Reports the files that couldn't be read, and what happened to them. */
function showUnreadable(files: readonly UnreadableFile[], t: Translate): void {
  const names = (cause: UnreadableFile['cause']) =>
    files.flatMap((file) => (file.cause === cause ? [file.keptAs] : [])).join(', ');
  const damaged = names('damaged');
  const newer = names('newer');
  if (damaged !== '') {
    void showError(
      t(
        "Lineside couldn't read some of its saved files. It restored what it could and set the files aside: {0}",
        damaged,
      ),
    );
  }
  if (newer !== '') {
    void showError(
      t(
        "A newer version of Lineside saved some files that this version can't read. They're unchanged. To use them, update Lineside. Files: {0}",
        newer,
      ),
    );
  }
}

/** Opens the Sessions view and the conversation of the first session. */
async function showDevelopmentService(
  { baseUrl, sessionIds }: DevelopmentService,
  navigation: Navigation,
): Promise<void> {
  const { origin } = new URL(baseUrl);
  const [sessionId] = sessionIds;
  await vscode.commands.executeCommand('lineside.sessions.focus');
  if (sessionId !== undefined) await navigation.openConversation({ origin, sessionId });
}
