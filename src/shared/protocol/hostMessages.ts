/**
 * Messages from the host to the page. They are typed but not validated, because only the extension sends them. They
 * arrive in the order in which they were sent.
 */
import type {
  PageBookmark,
  PageComments,
  PageComposer,
  PageConversation,
  PageDraft,
  PageFind,
  PageHeader,
  PageOlder,
  PagePatch,
  PageScreen,
  PageSession,
  PageSetup,
} from './pageModel.ts';
import type { PageAnswers, PageQuestionType } from './pageMessages.ts';
import type { PageRow, PageTarget } from './rowTypes.ts';
import type { JumpTarget } from './vocabulary.ts';

/** The fields of each message, keyed by its `type`. */
interface HostMessages {
  /** The answer to the question with this ID; undefined if the host has none. `HostChannel.ask` receives it. */
  readonly answer: { readonly askId: number; readonly answer: PageAnswers[PageQuestionType] | undefined };
  readonly setup: PageSetup;
  /** A screen, and the session that it is about, if there is one. */
  readonly screen: { readonly screen: PageScreen; readonly session?: PageSession };
  readonly conversation: { readonly conversation: PageConversation };
  /**
   * The stubs of the rows directly before those that the page already has: `RowStubColumns` as JSON. `leftCount` is the
   * number of rows before these, whose stubs follow.
   */
  readonly earlier: { readonly rowStubs: string; readonly leftCount: number };
  /** The bodies of rows that are already in the list as stubs. */
  readonly rows: { readonly rows: readonly PageRow[] };
  readonly patch: PagePatch;
  readonly header: { readonly header: PageHeader };
  readonly older: { readonly older: PageOlder };
  readonly composer: { readonly composer: PageComposer };
  /** The draft, when it was changed outside this page, and after each `send`. */
  readonly draft: { readonly draft: PageDraft };
  readonly comments: { readonly comments: PageComments };
  /** In the order of the messages. Those of messages that aren't loaded come first. */
  readonly bookmarks: { readonly bookmarks: readonly PageBookmark[] };
  /** A message wasn't queued. Its text is restored in the composer, before any text entered since then. */
  readonly sendRejected: PageSession & { readonly text: string; readonly reason: string };
  /**
   * A message is being moved to the start of the draft. The page adds its text itself, because it ignores the host's
   * draft while the user types.
   */
  readonly textReturned: PageSession & { readonly text: string };
  readonly found: { readonly find: PageFind };
  /** Files of the workspace were created, renamed, or deleted, or paths lead to other files than before. */
  readonly filesChanged: object;
  readonly openFind: object;
  /** Goes to the next target of this kind, or with -1 to the previous one. */
  readonly goTo: { readonly target: JumpTarget; readonly by: 1 | -1 };
  /** Quotes this row's message, or the selected part of it, in the composer. */
  readonly quote: { readonly key: string };
  /**
   * Adds a comment on this row's message, or on the selected part of it. Without a key, the message is the one with the
   * selection or, if nothing is selected, with the focus.
   */
  readonly comment: { readonly key?: string };
  /** Adds or removes the bookmark of the selected or focused message. */
  readonly toggleBookmark: object;
  readonly reveal: PageTarget;
  /** Focuses this row as soon as it is drawn. */
  readonly focusRow: { readonly key: string };
  /**
   * Moves the caret into the composer. Without `takesFocus`, the page waits until VS Code focuses it, because the user
   * may be typing elsewhere in the window by now.
   */
  readonly focusComposer: { readonly takesFocus: boolean };
  /**
   * Marks the end of the messages sent before `ready`. If the page didn't receive its state with them, it sends `ready`
   * again.
   */
  readonly preloadDone: object;
  /** Checks whether the page responds. It responds with `pong`. */
  readonly ping: object;
  /** Makes the page send what was typed and isn't saved yet, and then `saved`. */
  readonly save: object;
  /** An announcement for screen readers, with the politeness level `polite`. */
  readonly announce: { readonly text: string };
  /** Inserts text at the caret. */
  readonly insertText: PageSession & { readonly text: string };
  /** The user pressed a custom keyboard shortcut, or ran a command that sends the message in the composer. */
  readonly composerKey: { readonly press: 'send' | 'newline' | 'sendLater' };
}

export type HostMessageType = keyof HostMessages;
export type HostMessageOf<K extends HostMessageType> = { readonly type: K } & HostMessages[K];
export type HostMessage = { [K in HostMessageType]: HostMessageOf<K> }[HostMessageType];

/** One handler for each message type. A missing handler causes a compile error. */
export type HostMessageHandlers = { readonly [K in HostMessageType]: (message: HostMessageOf<K>) => void };
