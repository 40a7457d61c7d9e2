import { insertAtCursor, openInNewFile } from '../../host/editors/insertCode.ts';
import { showError } from '../../host/prompts/notify.ts';
import { findInWorkspace, openFilePlace } from '../../host/files/workspacePaths.ts';
import { messageDetails } from '../../state/presentation/messageDetails.ts';
import type { MessagePart } from '../../state/conversation/messageParts.ts';
import { sentFacts } from '../../state/store/sentFile.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import type { SentFiles } from '../../sync/outbox/sentFiles.ts';
import type { ConversationPage, PageRequest } from '../../views/conversation/conversationPage.ts';
import type { MessageFiles } from '../conversation/messageFiles.ts';
import { ToldError } from '../errors.ts';

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

export interface ContentRequestParts {
  readonly store: Store;
  readonly sentFiles: SentFiles;
  readonly files: MessageFiles;
  readonly t: Translate;
}

/** Carries out what a page asks for about the content of a message. */
export class ContentRequests {
  readonly #store: Store;
  readonly #sentFiles: SentFiles;
  readonly #files: MessageFiles;
  readonly #t: Translate;

  constructor({ store, sentFiles, files, t }: ContentRequestParts) {
    this.#store = store;
    this.#sentFiles = sentFiles;
    this.#files = files;
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
      await showError(error instanceof ToldError ? error.message : this.#t('The file could not be written.'));
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
