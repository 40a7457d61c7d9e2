import type { Disposable } from '../../shared/lifecycle.ts';
import type { Log } from '../../shared/log.ts';
import type { PageSetup } from '../../shared/protocol/pageModel.ts';
import type { Translate } from '../../shared/text.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { SessionSubscriber } from '../ports.ts';
import type { ConversationFilters } from './conversationFilters.ts';

/** The services that pages need from the rest of the extension. All pages of a window share one instance. */
export interface PageContext {
  readonly store: Store;
  readonly filters: Pick<ConversationFilters, 'get' | 'onDidChange'>;
  readonly composer: ComposerPort;
  readonly t: Translate;
  readonly log: Log;
  /** The current strings and settings of the page. */
  setup(): PageSetup;
  /** Calls `listener` whenever the result of {@link setup} may have changed. */
  onDidChangeSetup(listener: () => void): Disposable;
  /** Reads the saved messages of a session, so that the first state of a page includes them. */
  readonly sessions: Pick<SessionSubscriber, 'readNewest' | 'restoreFromCache'>;
  /** Whether the window has the focus. Browsers suspend pages of windows in the background. */
  isFocused(): boolean;
  /** Shows in the status bar that a page was reloaded. */
  showReloaded(text: string): void;
}

/** The composer as pages need it. Implemented in commands/page. */
export interface ComposerPort {
  /** The entries of the Attach menu. */
  readonly attachmentMenu: PageSetup['attachmentMenu'];
  /**
   * The failure that a session's composer shows, for example why an attachment was rejected; undefined if there is
   * none. `rejectionId` is the ID of the newest rejected attachment that it explains.
   */
  composerFailure(key: SessionKey): { readonly text: string; readonly rejectionId?: number | undefined } | undefined;
  /** Whether messages wait until the agent is idle. */
  isWhenIdle(): boolean;
}
