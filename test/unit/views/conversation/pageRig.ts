import type * as vscode from 'vscode';
import { translator } from '../../../../src/shared/translate.ts';
import { Emitter } from '../../../../src/shared/lifecycle.ts';
import { type Log, silentLog } from '../../../../src/shared/log.ts';
import type { HostMessage } from '../../../../src/shared/protocol/hostMessages.ts';
import type { PageMessage } from '../../../../src/shared/protocol/pageMessages.ts';
import type { PageConversation, PageFonts } from '../../../../src/shared/protocol/pageModel.ts';
import type { PageRow, RowPatch } from '../../../../src/shared/protocol/rowTypes.ts';
import type { Message } from '../../../../src/api/resources/message.ts';
import { type ConversationFilter, unfiltered } from '../../../../src/state/conversation/filter.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import type { NewestMessages } from '../../../../src/state/store/sessionRecord.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { untilNothingIsDue } from '../../../fakes/until.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import {
  ConversationPage,
  type PageRequestPort,
  pageHandlers,
} from '../../../../src/views/conversation/conversationPage.ts';
import { translatePageStrings } from '../../../../src/views/conversation/translatePageStrings.ts';
import { key, ready, sessionOf } from '../../state/samples.ts';
import { unpackStubs } from '../../../../src/webview/rows/rowTable.ts';

/** A post whose delivery the editor hasn't confirmed yet. */
interface HeldPost {
  readonly message: HostMessage;
  settle(outcome: boolean | Error): void;
}

/** A webview that the test controls: it records posts, and delivers them on request. */
export class FakeWebview {
  readonly posts: HostMessage[] = [];
  readonly held: HeldPost[] = [];
  /** Delivers posts immediately if true; otherwise they wait in `held`. */
  delivers = true;
  /** The editor's result for a post, which is false if the page is hidden or gone. */
  outcome: boolean | Error = true;
  /** The highest number of posts that were in `held` at the same time. */
  mostAtOnce = 0;
  #listener: ((message: unknown) => void) | undefined;

  /** The webview as the VS Code API exposes it. */
  get api(): vscode.Webview {
    return {
      onDidReceiveMessage: (listener: (message: unknown) => void) => {
        this.#listener = listener;
        return { dispose: () => (this.#listener = undefined) };
      },
      postMessage: (message: HostMessage) => this.#take(message),
    } as unknown as vscode.Webview;
  }

  /** Posts a message from the page to the host. */
  say(message: unknown): void {
    this.#listener?.(message);
  }

  /** Delivers the held posts. */
  deliver(outcome: boolean | Error = true): void {
    for (const post of this.held.splice(0)) post.settle(outcome);
  }

  #take(message: HostMessage): Promise<boolean> {
    this.posts.push(message);
    return new Promise((resolve, reject) => {
      const settle = (outcome: boolean | Error) => {
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      };
      if (this.delivers) setImmediate(() => settle(this.outcome));
      else this.held.push({ message, settle });
      this.mostAtOnce = Math.max(this.mostAtOnce, this.held.length);
    });
  }
}

const english = translator('en');

export function messageOf(id: string, place: number, part: Partial<Message> = {}): Message {
  return {
    id,
    role: 'user',
    createdAt: 1_000 + place,
    updatedAt: 1_000 + place,
    content: [{ type: 'text', text: `text of ${id}` }],
    ...part,
  };
}

export const messagesOf = (count: number, from = 0): Message[] =>
  Array.from({ length: count }, (_, place) => messageOf(`m${from + place}`, from + place));

/** A page with a real store and a fake webview. */
export class PageRig {
  readonly webview = new FakeWebview();
  readonly store: Store;
  readonly page: ConversationPage;
  /** Requests from the page to the extension. */
  readonly requests: PageMessage[] = [];
  readonly warnings: string[] = [];
  /** What the cache has of the session; undefined if the store has all of it. */
  newest: NewestMessages | undefined;
  /** Puts all cached messages into the store. */
  restore: (of: SessionKey) => Promise<void> = () => Promise.resolve();
  /** The number of times that all cached messages were requested. */
  restoreCount = 0;
  /** What the status bar shows about reloads of the page. */
  readonly reloads: string[] = [];
  /** If set, body reads wait for this promise. */
  gate: Promise<void> | undefined;
  composerFailure: ReturnType<PageRequestPort['composerFailure']>;
  /** Fires when paths in the messages of a session, or of all sessions if undefined, may lead to other files. */
  readonly fileChanges = new Emitter<SessionKey | undefined>();
  fonts: PageFonts = {};
  isWhenIdle = false;
  readonly setupChanges = new Emitter<void>();
  reading: ConversationFilter = unfiltered;
  readonly readingChanges = new Emitter<SessionKey>();

  constructor(count = 0) {
    const bodies = memoryBodies();
    this.store = new Store({
      ...bodies,
      read: async (sessionKey, ids) => {
        await this.gate;
        return bodies.read(sessionKey, ids);
      },
    });
    this.store.setConnection(ready);
    this.store.addSession({ key, addedAt: 1 });
    this.store.takeSession(key, sessionOf({ messageCount: count }), 1_000, 1);
    if (count > 0) this.store.takeMessages(key, messagesOf(count));
    this.store.setHistory(key, { completeness: 'complete', isLoading: false });
    const warn = (line: string) => void this.warnings.push(line);
    const log: Log = { ...silentLog, warn, error: warn };
    const requests: PageRequestPort = {
      handle: (message, page) => this.#handle(message, page),
      attachmentMenu: [],
      composerFailure: () => this.composerFailure,
      onDidChangeFiles: this.fileChanges.event,
      isWhenIdle: () => this.isWhenIdle,
    };
    this.page = new ConversationPage(
      this.webview.api,
      {
        store: this.store,
        filters: { get: () => this.reading, onDidChange: this.readingChanges.event },
        composer: requests,
        setup: () => ({
          words: translatePageStrings(english),
          locale: 'en',
          language: 'en',
          sendKey: 'enter',
          mentionsHelp: true,
          fonts: this.fonts,
          appearance: { times: 'inline' },
          pasteAsFileLength: 10_000,
          maxPageBytes: 50_000_000,
          maxAttachmentMB: 10,
          attachmentMenu: [],
        }),
        onDidChangeSetup: this.setupChanges.event,
        sessions: {
          readNewest: () => Promise.resolve(this.newest),
          restoreFromCache: (of) => {
            this.restoreCount += 1;
            return this.restore(of);
          },
        },
        isFocused: () => true,
        showReloaded: (text) => void this.reloads.push(text),
        t: english,
        log,
      },
      requests,
    );
  }

  /** Runs the handlers of the page itself, and records all other messages. */
  #handle(message: PageMessage, page: ConversationPage): Promise<void> {
    if (message.type in pageHandlers) {
      const handlers = pageHandlers as Partial<Record<string, (message: PageMessage, page: ConversationPage) => void>>;
      handlers[message.type]?.(message, page);
    } else this.requests.push(message);
    return Promise.resolve();
  }

  say(message: PageMessage): void {
    this.webview.say(message);
  }

  /** Waits until no more messages are posted. */
  settle(): Promise<void> {
    return untilNothingIsDue();
  }

  /** Loads the page, shows the session, and waits until no more messages are posted. */
  async open(sessionKey: SessionKey | undefined = key): Promise<void> {
    this.page.show(sessionKey);
    this.say({ type: 'ready' });
    await this.settle();
  }

  /** Returns the messages posted since the last call. */
  take(): HostMessage[] {
    return this.webview.posts.splice(0);
  }

  types(): string[] {
    return this.take().map(({ type }) => type);
  }
}

/** The state that a page derives from its messages. Throws if a message doesn't fit the current state. */
export class PageModel {
  conversation: PageConversation | undefined;
  screen = false;
  hasWords = false;
  keys: string[] = [];
  earlierCount = 0;
  /** Whether the host has only the newest messages, so that it can't send earlier rows before anything else. */
  isPreview = false;
  readonly bodies = new Map<string, PageRow>();

  take(message: HostMessage): void {
    switch (message.type) {
      case 'setup':
        this.hasWords = true;
        this.conversation = undefined;
        return;
      case 'screen':
        this.#needWords();
        this.screen = true;
        this.conversation = undefined;
        return;
      case 'conversation':
        this.#needWords();
        this.screen = false;
        this.conversation = message.conversation;
        this.keys = [...unpackStubs(message.conversation.rowStubs).keys];
        this.earlierCount = message.conversation.earlierCount;
        this.bodies.clear();
        this.#takeBodies(message.conversation.rows);
        return;
      case 'earlier':
        this.keys.unshift(...unpackStubs(message.rowStubs).keys);
        this.earlierCount = message.leftCount;
        return;
      case 'rows':
        this.#needAllRows();
        this.#takeBodies(message.rows);
        return;
      case 'patch':
        this.#needAllRows();
        for (const patch of message.patches) this.#patch(patch);
        return;
      case 'header':
      case 'older':
      case 'composer':
      case 'draft':
      case 'comments':
        if (!this.conversation) throw new Error(`${message.type} without a conversation`);
        this.conversation = { ...this.conversation, ...message };
        return;
      case 'reveal':
        if (!this.keys.includes(message.key)) throw new Error('a row that is not there is revealed');
        return;
      default:
    }
  }

  #needWords(): void {
    if (!this.hasWords) throw new Error('the words have to come first');
  }

  #needAllRows(): void {
    if (this.earlierCount !== 0 && !this.isPreview) throw new Error(`${this.earlierCount} rows have to come first`);
  }

  #takeBodies(rows: readonly PageRow[]): void {
    for (const row of rows) {
      if (!this.keys.includes(row.key)) throw new Error(`a body for ${row.key}, which is not in the list`);
      this.bodies.set(row.key, row);
    }
  }

  #patch(patch: RowPatch): void {
    if (patch.op === 'remove') {
      this.keys = this.keys.filter((rowKey) => !patch.keys.includes(rowKey));
      for (const removed of patch.keys) this.bodies.delete(removed);
    } else if (patch.op === 'insert') {
      this.keys.splice(patch.index, 0, ...patch.rowStubs.map((stub) => stub.key));
      this.#takeBodies(patch.rows);
    } else this.#takeBodies([patch.row]);
  }
}
