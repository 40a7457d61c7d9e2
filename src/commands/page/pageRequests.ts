import * as vscode from 'vscode';
import { type Log, reasonOf } from '../../shared/log.ts';
import type { PageAction } from '../../shared/protocol/pageMessages.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SentFiles } from '../../sync/outbox/sentFiles.ts';
import type { ConversationPage, PageRequest } from '../../views/conversation/conversationPage.ts';
import type { Readings } from '../../views/conversation/filters.ts';
import { attachHindrances } from '../attachments/attachHindrances.ts';
import type { ComposerFocus } from '../composer/composerFocus.ts';
import { type ComposerRequestParts, handleComposer, isComposerRequest } from './composerRequests.ts';
import type { MessageActions } from '../conversation/messageActions.ts';
import { type ContentRequest, ContentRequests, isContentRequest } from './contentRequests.ts';
import type { MessageFiles } from '../conversation/messageFiles.ts';
import { messageIdOf } from '../sessions/sessionLinks.ts';

export interface PageRequestParts extends ComposerRequestParts {
  readonly composerFocus: ComposerFocus;
  readonly sentFiles: SentFiles;
  readonly files: MessageFiles;
  readonly readings: Readings;
  readonly messageActions: MessageActions;
  readonly loadOlder: (key: SessionKey) => Promise<void>;
  readonly stopLoading: (key: SessionKey) => void;
  /** Shows one message as a document. */
  readonly openMessage: (key: SessionKey, messageId: string) => Promise<void>;
  readonly refresh: (key: SessionKey) => Promise<void>;
  readonly retry: () => Promise<void>;
  readonly copyDetails: (key: SessionKey | undefined) => Thenable<void>;
  readonly log: Log;
}

/** Carries out what a conversation page asks for. What the page may ask for is the protocol's closed list (R5). */
export class PageRequests {
  readonly #parts: PageRequestParts;
  readonly #content: ContentRequests;

  constructor(parts: PageRequestParts) {
    this.#parts = parts;
    this.#content = new ContentRequests(parts);
  }

  /** Never rejects: what fails is told where it was asked for. */
  async handle(request: PageRequest, page: ConversationPage): Promise<void> {
    try {
      await this.#handle(request, page);
    } catch (error) {
      this.#parts.log.error(`the page asked for ${request.type}, which failed: ${reasonOf(error)}`);
      if (page.key) this.#parts.composing.takeProblem(page.key, error);
      page.redrawComposer();
    }
  }

  async #handle(request: PageRequest, page: ConversationPage): Promise<void> {
    const { log } = this.#parts;
    if (isContentRequest(request)) return this.#content.handle(request, page);
    switch (request.type) {
      case 'act':
        await this.#act(request.action, page);
        return;
      case 'openLink':
        await openLink(request.href);
        return;
      case 'copy':
        await vscode.env.clipboard.writeText(request.text);
        return;
      case 'failed':
        log.warn(`the page failed: ${reasonOf(request.reason)}`);
        return;
      case 'composerFocus':
        this.#parts.composerFocus.take(page, request.isFocused);
        return;
      case 'suggest':
        await this.#suggest(request, page);
        return;
      case 'wantHindrances':
        page.tell({ type: 'hindrances', hindrances: await attachHindrances(this.#parts.t) });
        return;
      default:
        if (page.key) await this.#handleIn(meantKey(page.key, request), request, page);
    }
  }

  async #handleIn(
    key: SessionKey,
    request: Exclude<
      PageRequest,
      ContentRequest | { type: 'act' | 'openLink' | 'copy' | 'failed' | 'composerFocus' | 'suggest' | 'wantHindrances' }
    >,
    page: ConversationPage,
  ): Promise<void> {
    const { store, composing } = this.#parts;
    if (isComposerRequest(request)) {
      if (composing.forgetProblem(key)) page.redrawComposer();
      await handleComposer(this.#parts, key, request, page);
      return;
    }
    switch (request.type) {
      case 'focused':
        store.setCurrent(key);
        return;
      case 'setReading':
      case 'messageAction':
      case 'loadRest':
      case 'loadOlder':
      case 'cancelLoading':
        await this.#read(key, request, page);
        return;
      case 'showAll':
        await this.#parts.openMessage(key, messageIdOf(store, key, request.key));
        return;
      case 'delivery':
        await composing.deliver(key, request.entryId, request.action);
    }
  }

  async #suggest(
    { requestId, kind, query }: Extract<PageRequest, { type: 'suggest' }>,
    page: ConversationPage,
  ): Promise<void> {
    const suggested = await this.#parts.suggestions.suggest(kind, query);
    page.tell({ type: 'suggestions', requestId, ...suggested });
  }

  /** What somebody who reads asks for. */
  async #read(
    key: SessionKey,
    request: Extract<
      PageRequest,
      { type: 'setReading' | 'messageAction' | 'loadRest' | 'loadOlder' | 'cancelLoading' }
    >,
    page: ConversationPage,
  ): Promise<void> {
    const { loadOlder, stopLoading } = this.#parts;
    if (request.type === 'loadRest') await this.#loadRest(key);
    else if (request.type === 'loadOlder') await loadOlder(key);
    else if (request.type === 'cancelLoading') stopLoading(key);
    else if (request.type === 'messageAction') await this.#actOn(key, request, page);
    else this.#parts.readings.set(key, { lens: request.lens, hiddenRoles: request.hiddenRoles });
  }

  async #actOn(
    key: SessionKey,
    { action, key: rowKey, text }: Extract<PageRequest, { type: 'messageAction' }>,
    page: ConversationPage,
  ): Promise<void> {
    const { messageActions, t } = this.#parts;
    await messageActions.run(key, action, rowKey, text);
    if (action === 'quote') page.focusComposer();
    else page.tell({ type: 'announce', text: t('Copied') });
  }

  /** Reads page after page, as long as each brings something and none fails. */
  async #loadRest(key: SessionKey): Promise<void> {
    const { store, loadOlder } = this.#parts;
    for (let count = -1; ;) {
      const record = store.record(key);
      if (record?.history.extent !== 'partial' || record.headers.length === count || record.history.problem) return;
      count = record.headers.length;
      await loadOlder(key);
    }
  }

  async #act(action: PageAction, page: ConversationPage): Promise<void> {
    const { refresh, retry, copyDetails } = this.#parts;
    switch (action) {
      case 'retry':
        await retry();
        return;
      case 'refresh':
        if (page.key) await refresh(page.key);
        return;
      case 'copyDetails':
        await copyDetails(page.key);
        return;
      case 'switchService':
        // The page belongs to a session, so the service is known.
        await vscode.commands.executeCommand('sessionDeck.switchService', {
          service: page.key?.origin,
          webviewSection: 'screen',
        });
        return;
      case 'connect':
      case 'setApiKey':
      case 'tryDemo':
      case 'addSession':
      case 'pickSession':
      case 'showLog':
        await vscode.commands.executeCommand(`sessionDeck.${action}`);
    }
  }
}

/** The session a request is about: the one the page showed when it was posted, which may not be the one it shows now. */
function meantKey({ origin, sessionId }: SessionKey, request: PageRequest): SessionKey {
  return { origin, sessionId: 'sessionId' in request ? (request.sessionId ?? sessionId) : sessionId };
}

const openedSchemes = new Set(['http:', 'https:', 'mailto:']);

/** Opens a link of a message outside, after the person confirmed it in VS Code's own dialog (R3, R5). */
async function openLink(href: string): Promise<void> {
  if (!URL.canParse(href)) return;
  const url = new URL(href);
  if (openedSchemes.has(url.protocol)) await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
}
