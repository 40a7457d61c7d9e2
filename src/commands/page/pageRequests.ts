import { readSettings } from '../../host/settings.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import type {
  PageAnswers,
  PageMessage,
  PageMessageHandlers,
  PageMessageType,
  PageMessages,
  PageQuestionType,
} from '../../shared/protocol/pageMessages.ts';
import { type SessionKey, namedSession } from '../../state/store/sessionKey.ts';
import {
  type ConversationPage,
  pageHandlers,
  type PageRequestPort,
} from '../../views/conversation/conversationPage.ts';
import type { ComposerController } from '../composer/composerController.ts';
import type { PageServices } from '../context.ts';
import { composerHandlers } from './composerHandlers.ts';
import { contentHandlers } from './contentHandlers.ts';
import { conversationHandlers } from './conversationHandlers.ts';
import { windowHandlers } from './windowHandlers.ts';

/**
 * All handlers for page messages. To add a message, add its schema to `pageNotices` or `pageQuestions`, and its handler
 * to one of these objects.
 */
function pageMessageHandlers(services: PageServices): PageMessageHandlers<ConversationPage> {
  return {
    ...pageHandlers,
    ...windowHandlers(services),
    ...conversationHandlers(services),
    ...contentHandlers(services),
    ...composerHandlers(services),
  };
}

/** Handles the requests of pages. The protocol is a closed list of requests (R5). */
export class PageRequests implements PageRequestPort {
  readonly #controller: ComposerController;
  readonly #handlers: PageMessageHandlers<ConversationPage>;
  readonly #log: Log;
  readonly #agentFiles: PageServices['agentFiles'];

  constructor(services: PageServices) {
    this.#controller = services.composer.controller;
    this.#handlers = pageMessageHandlers(services);
    this.#log = services.log;
    this.#agentFiles = services.agentFiles;
  }

  async handle(message: PageMessage, page: ConversationPage): Promise<void> {
    let answer: PageAnswers[PageQuestionType] | undefined;
    // By the time a request fails, the page may show another session.
    const key = namedSession(message) ?? page.key;
    try {
      answer = (await this.#run(message.type, message, page)) ?? undefined;
    } catch (error) {
      this.#log.error(`page request "${message.type}" failed: ${reasonOf(error)}`);
      if (key) this.#controller.failures.take(key, error);
      page.refreshComposer();
    }
    if ('askId' in message) page.post({ type: 'answer', askId: message.askId, answer });
  }

  get onDidChangeFiles(): PageRequestPort['onDidChangeFiles'] {
    return this.#agentFiles.onDidChange;
  }

  get attachmentMenu(): PageRequestPort['attachmentMenu'] {
    return this.#controller.attachmentMenu;
  }

  composerFailure(key: SessionKey): ReturnType<PageRequestPort['composerFailure']> {
    return this.#controller.failures.of(key);
  }

  isWhenIdle(): boolean {
    return readSettings().whileRunning === 'whenIdle';
  }

  #run<K extends PageMessageType>(type: K, message: PageMessages[K], page: ConversationPage) {
    return this.#handlers[type](message, page);
  }
}
