import * as vscode from 'vscode';
import { insertAtCursor, openInNewFile } from '../../host/editors/insertCode.ts';
import { findInWorkspace, openFilePlace } from '../../host/files/workspacePaths.ts';
import { showError } from '../../host/prompts/notify.ts';
import { reasonOf } from '../../shared/log.ts';
import type { PageAction } from '../../shared/protocol/pageMessages.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import type { MessagePart } from '../../state/conversation/messageParts.ts';
import { messageDetails } from '../../state/presentation/messageDetails.ts';
import { sentFacts } from '../../state/store/outboxEntry.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { ConversationPage, PageRequest } from '../../views/conversation/conversationPage.ts';
import type { SentFiles } from '../../sync/outbox/sentFiles.ts';
import type { ComposerController } from '../composer/composer.ts';
import { findPrompt } from '../composer/promptHistory.ts';
import { pickSnippet } from '../composer/suggestions.ts';
import type { MessageFiles } from '../conversation/messageFiles.ts';
import type { Services } from '../context.ts';
import { UserFacingError } from '../errors.ts';
import { copyDetails, retry } from '../notices/support.ts';
import { messageIdOf } from '../sessions/links.ts';

const types = [
  'draft',
  'send',
  'attach',
  'attachBytes',
  'attachUris',
  'removeAttachment',
  'previewAttachment',
  'takeSuggestion',
  'wantPrompt',
  'compose',
] as const;
/** What a composer asks for about the session it writes to. */
export type ComposerRequest = Extract<PageRequest, { type: (typeof types)[number] }>;

export function isComposerRequest(request: PageRequest): request is ComposerRequest {
  return types.some((type) => type === request.type);
}

/** Carries out what is done in a composer. Rejects with what is to be told there. */
export async function handleComposer(
  services: Services,
  key: SessionKey,
  request: ComposerRequest,
  page: ConversationPage,
): Promise<void> {
  const { store, drafts, attachmentPreview } = services;
  const { composing } = services.composer;
  switch (request.type) {
    case 'draft':
      drafts.setText(key, request, page);
      page.tookDraft(request.revision);
      return;
    case 'send':
      await send(composing, key, request, page);
      return;
    case 'attach':
      await composing.attach(key, request.what);
      return;
    case 'attachBytes':
      await composing.attachBytes(key, request.attachmentId, request.name, new Uint8Array(request.bytes));
      return;
    case 'attachUris':
      await composing.attachUris(key, request.uris);
      return;
    case 'removeAttachment':
      drafts.removeAttachment(key, request.attachmentId);
      return;
    case 'previewAttachment':
      await attachmentPreview.show(request.attachmentId);
      return;
    case 'takeSuggestion':
      await takeSuggestion(services, key, request, page);
      return;
    case 'wantPrompt':
      await tellPrompt(store, key, request, page);
      return;
    case 'compose':
      await compose(services, key, request.action, page);
  }
}

async function send(
  composing: ComposerController,
  key: SessionKey,
  message: Extract<ComposerRequest, { type: 'send' }>,
  page: ConversationPage,
): Promise<void> {
  await composing.send(key, message, page);
  page.tookDraft(message.revision);
  // What came from elsewhere meanwhile was older to the page than its empty field.
  page.redrawComposer('draft');
}

async function tellPrompt(
  store: Store,
  key: SessionKey,
  { step, from }: Extract<ComposerRequest, { type: 'wantPrompt' }>,
  page: ConversationPage,
): Promise<void> {
  const prompt = await findPrompt(store, key, step, from);
  page.tell({ type: 'prompt', step, ...(prompt ? { prompt } : {}) });
}

async function takeSuggestion(
  { composer: { composing, suggestions } }: Services,
  key: SessionKey,
  { kind, suggestionId }: Extract<ComposerRequest, { type: 'takeSuggestion' }>,
  page: ConversationPage,
): Promise<void> {
  if (kind === 'file') {
    const uri = await suggestions.fileOf(suggestionId);
    if (uri) await composing.attachFile(key, uri);
    return;
  }
  const text = suggestions.snippetOf(suggestionId);
  if (text !== undefined) page.tell({ type: 'insertText', text });
}

async function compose(
  { composer: { composing, composeEditors }, t }: Services,
  key: SessionKey,
  action: Extract<ComposerRequest, { type: 'compose' }>['action'],
  page: ConversationPage,
): Promise<void> {
  switch (action) {
    case 'composeInEditor':
      await composeEditors.open(key);
      return;
    case 'chooseComputer':
      await composing.chooseComputer(key);
      page.focusComposer();
      return;
    case 'forgetComputer':
      composing.setComputer(key, undefined);
      return;
    case 'insertSnippet': {
      const text = await pickSnippet(t);
      page.focusComposer();
      if (text !== undefined) page.tell({ type: 'insertText', text });
    }
  }
}

/** What a page asks for about the content of a message. */
export type ContentRequest = Extract<PageRequest, { type: (typeof contentRequests)[number] }>;

const contentRequests = [
  'insertCode',
  'newFile',
  'openPicture',
  'saveFile',
  'wantDetails',
  'findPaths',
  'openPath',
] as const;

/** Whether a request is about the content of a message. */
export function isContentRequest(request: PageRequest): request is ContentRequest {
  return contentRequests.some((type) => type === request.type);
}

/** Carries out what a page asks for about the content of a message. */
export class ContentRequests {
  readonly #store: Store;
  readonly #sentFiles: SentFiles;
  readonly #files: MessageFiles;
  readonly #t: Translate;

  constructor({ store, sentFiles, messageFiles, t }: Services) {
    this.#store = store;
    this.#sentFiles = sentFiles;
    this.#files = messageFiles;
    this.#t = t;
  }

  async handle(request: ContentRequest, page: ConversationPage): Promise<void> {
    switch (request.type) {
      case 'insertCode':
        await this.#insertCode(request.text);
        return;
      case 'newFile':
        await openInNewFile(request.text, request.language);
        return;
      case 'openPicture':
      case 'saveFile':
        if (page.key) await this.#useFile(page.key, request);
        return;
      case 'wantDetails':
        if (page.key) await this.#tellDetails(page.key, request.key, page);
        return;
      case 'findPaths':
        page.tell({ type: 'paths', asked: request.paths, found: await filesAmong(request.paths) });
        return;
      case 'openPath':
        await this.#openPath(request.path);
    }
  }

  async #insertCode(text: string): Promise<void> {
    const t = this.#t;
    const failure = await insertAtCursor(text);
    if (failure === 'noEditor') {
      await showError(
        t('There is no editor to insert the code into. Open a file and put the cursor where it should go.'),
      );
    }
    if (failure === 'refused') {
      await showError(t('The editor did not take the code, so nothing was inserted. The file may be read-only.'));
    }
  }

  async #useFile(key: SessionKey, request: Extract<ContentRequest, MessagePart>): Promise<void> {
    const part = { messageId: request.messageId, path: request.path };
    try {
      await (request.type === 'openPicture' ? this.#files.show(key, part) : this.#files.save(key, part));
    } catch (error) {
      await showError(error instanceof UserFacingError ? error.message : this.#t('The file could not be written.'));
    }
  }

  async #openPath(path: string): Promise<void> {
    const place = await findInWorkspace(path);
    if (place) await openFilePlace(place);
    else await showError(this.#t('{0} is not in this workspace any more.', plainLine(path)));
  }

  /** A message that left from here has its entry's key; one that has not arrived yet has no details but that. */
  async #tellDetails(key: SessionKey, rowKey: string, page: ConversationPage): Promise<void> {
    const claims = this.#store.record(key)?.entryIdByMessageId ?? [];
    const [messageId = rowKey] = [...claims].find(([, entryId]) => entryId === rowKey) ?? [];
    const [message] = await this.#store.readBodies(key, [messageId]);
    const facts = message
      ? messageDetails(message, this.#store.header(key, messageId), this.#t)
      : [{ label: this.#t('Local ID, not on the service yet'), value: rowKey, isId: true }];
    const sent = sentFacts(await this.#sentFiles.read(key, messageId), this.#t);
    page.tell({ type: 'details', key: rowKey, facts: [...facts, ...sent] });
  }
}

async function filesAmong(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(async (path) => ((await findInWorkspace(path)) ? [path] : [])));
  return found.flat();
}

/** Carries out what a conversation page asks for. What the page may ask for is the protocol's closed list (R5). */
export class PageRequests {
  readonly #services: Services;
  readonly #content: ContentRequests;

  constructor(services: Services) {
    this.#services = services;
    this.#content = new ContentRequests(services);
  }

  /** Never rejects: what fails is told where it was asked for. */
  async handle(request: PageRequest, page: ConversationPage): Promise<void> {
    try {
      await this.#handle(request, page);
    } catch (error) {
      this.#services.log.error(`the page asked for ${request.type}, which failed: ${reasonOf(error)}`);
      if (page.key) this.#services.composer.composing.takeProblem(page.key, error);
      page.redrawComposer();
    }
  }

  async #handle(request: PageRequest, page: ConversationPage): Promise<void> {
    const { log } = this.#services;
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
        this.#services.composer.composerFocus.take(page, request.isFocused);
        return;
      case 'suggest':
        await this.#suggest(request, page);
        return;
      case 'wantHindrances':
        page.tell({ type: 'hindrances', hindrances: await this.#services.composer.composing.unavailableAttachments() });
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
    const { store } = this.#services;
    const { composing } = this.#services.composer;
    if (isComposerRequest(request)) {
      if (composing.forgetProblem(key)) page.redrawComposer();
      await handleComposer(this.#services, key, request, page);
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
        await this.#services.documents.openMessage(key, messageIdOf(store, key, request.key));
        return;
      case 'delivery':
        await composing.deliver(key, request.entryId, request.action);
    }
  }

  async #suggest(
    { requestId, kind, query }: Extract<PageRequest, { type: 'suggest' }>,
    page: ConversationPage,
  ): Promise<void> {
    const suggested = await this.#services.composer.suggestions.suggest(kind, query);
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
    const { sessions, filters } = this.#services;
    if (request.type === 'loadRest') await this.#loadRest(key);
    else if (request.type === 'loadOlder') await sessions.loadOlder(key);
    else if (request.type === 'cancelLoading') sessions.stopLoading(key);
    else if (request.type === 'messageAction') await this.#actOn(key, request, page);
    else filters.set(key, { lens: request.lens, hiddenRoles: request.hiddenRoles });
  }

  async #actOn(
    key: SessionKey,
    { action, key: rowKey, text }: Extract<PageRequest, { type: 'messageAction' }>,
    page: ConversationPage,
  ): Promise<void> {
    const { messageActions, t } = this.#services;
    await messageActions.run(key, action, rowKey, text);
    if (action === 'quote') page.focusComposer();
    else page.tell({ type: 'announce', text: t('Copied') });
  }

  /** Reads page after page, as long as each brings something and none fails. */
  async #loadRest(key: SessionKey): Promise<void> {
    const { store, sessions } = this.#services;
    for (let count = -1; ;) {
      const record = store.record(key);
      if (record?.history.completeness !== 'partial' || record.headers.length === count || record.history.failure)
        return;
      count = record.headers.length;
      await sessions.loadOlder(key);
    }
  }

  async #act(action: PageAction, page: ConversationPage): Promise<void> {
    switch (action) {
      case 'retry':
        await retry(this.#services);
        return;
      case 'refresh':
        if (page.key) await this.#services.sessions.refresh(page.key);
        return;
      case 'copyDetails':
        await copyDetails(this.#services, page.key);
        return;
      case 'switchService':
        // The page belongs to a session, so the service is known.
        await vscode.commands.executeCommand('lineside.switchService', {
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
        await vscode.commands.executeCommand(`lineside.${action}`);
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
