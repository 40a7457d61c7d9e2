/**
 * Messages from the host to the page. They are typed but not parsed, because the extension is their only sender. They
 * arrive in the order in which they were sent.
 */
import type {
  UnavailableAttachments,
  PageComposer,
  PageConversation,
  PageDraft,
  PageFind,
  PageHeader,
  PageOlder,
  PageScreen,
  PageSetup,
  PageSuggestion,
} from './pageModel.ts';
import type { PageFact, PageRow, RowPatch } from './rowTypes.ts';
import type { PromptStep } from './vocabulary.ts';

/** The fields of each message, by its `type`. */
interface HostMessages {
  readonly setup: PageSetup;
  readonly screen: { readonly screen: PageScreen };
  readonly conversation: { readonly conversation: PageConversation };
  /** Stubs of the rows directly before the ones the page has: `SeedColumns` as JSON. */
  readonly earlier: { readonly seeds: string };
  /** Bodies of rows that are in the list. */
  readonly rows: { readonly rows: readonly PageRow[] };
  /** `isReread` is true for a change of the filter, which adds no new messages. */
  readonly patch: { readonly patches: readonly RowPatch[]; readonly isReread?: boolean };
  readonly header: { readonly header: PageHeader };
  readonly older: { readonly older: PageOlder };
  readonly composer: { readonly composer: PageComposer };
  /** The draft was changed outside this page. */
  readonly draft: { readonly draft: PageDraft };
  /** A message was rejected. Its text is restored in the composer, before anything typed since. */
  readonly sendRefused: { readonly text: string; readonly reason: string };
  /** The answer to `findPaths`. */
  readonly paths: { readonly asked: readonly string[]; readonly found: readonly string[] };
  /** The answer to `wantDetails`. */
  readonly details: { readonly key: string; readonly facts: readonly PageFact[] };
  readonly found: { readonly find: PageFind };
  readonly openFind: object;
  /** Scrolls to the next prompt, or with -1 to the previous one. */
  readonly goToPrompt: { readonly by: 1 | -1 };
  /** Quotes the message of this row, or its selected part. */
  readonly quote: { readonly key: string };
  readonly reveal: { readonly key: string };
  readonly focusComposer: object;
  /** Marks the end of the messages sent before `ready`. A page that received none of them sends `ready` again. */
  readonly sentAhead: object;
  /** Checks whether the page responds. It answers `alive`. */
  readonly ask: object;
  /** A polite announcement for screen readers. */
  readonly announce: { readonly text: string };
  /** The answer to `suggest`. `note` explains an empty list. */
  readonly suggestions: {
    readonly requestId: number;
    readonly suggestions: readonly PageSuggestion[];
    readonly note: string;
  };
  /** The answer to `getUnavailableAttachments`. */
  readonly unavailableAttachments: { readonly unavailableAttachments: UnavailableAttachments };
  /** Inserts text at the caret. */
  readonly insertText: { readonly text: string };
  /** The answer to `wantPrompt`. `prompt` is absent if there is none in that direction. */
  readonly prompt: {
    readonly step: PromptStep;
    readonly prompt?: { readonly promptId: string; readonly text: string };
  };
  /** A custom key binding was pressed. */
  readonly composerKey: { readonly press: 'send' | 'newline' };
}

export type HostMessageType = keyof HostMessages;
export type HostMessageOf<K extends HostMessageType> = { readonly type: K } & HostMessages[K];
export type HostMessage = { [K in HostMessageType]: HostMessageOf<K> }[HostMessageType];

/** One handler for each message. A missing handler doesn't compile. */
export type HostMessageHandlers = { readonly [K in HostMessageType]: (message: HostMessageOf<K>) => void };
