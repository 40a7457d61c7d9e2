import { type Log, reasonOf } from '../../shared/log.ts';
import type { SendTime } from '../../shared/protocol/vocabulary.ts';
import type {
  PageMessage,
  PageMessageHandlers,
  PageMessages,
  PageMessageType,
} from '../../shared/protocol/pageMessages.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { type ConversationPage, pageHandlers } from '../../views/conversation/conversationPage.ts';
import type { PageRequestPort } from '../../views/conversation/pageContext.ts';
import type { ComposerController } from '../composer/composer.ts';
import { type ComposerContext, composerHandlers } from './composerHandlers.ts';
import { type ContentContext, contentHandlers } from './contentHandlers.ts';
import { type ConversationContext, conversationHandlers } from './conversationHandlers.ts';
import { type WindowContext, windowHandlers } from './windowHandlers.ts';

/** What the handlers of page messages work with. */
export interface PageRequestContext extends ComposerContext, ContentContext, ConversationContext, WindowContext {
  /** When messages are sent while the agent is running, by the setting. */
  readonly whileRunning: () => SendTime;
}

/** All handlers of page messages. To add a message, add its schema to the table and its handler to one of these maps. */
function pageMessageHandlers(context: PageRequestContext): PageMessageHandlers<ConversationPage> {
  return {
    ...pageHandlers,
    ...windowHandlers(context),
    ...conversationHandlers(context),
    ...contentHandlers(context),
    ...composerHandlers(context),
  };
}

/** Carries out what pages ask for. The protocol is a closed list of requests (R5). */
export class PageRequests implements PageRequestPort {
  readonly #composing: ComposerController;
  readonly #whileRunning: () => SendTime;
  readonly #handlers: PageMessageHandlers<ConversationPage>;
  readonly #log: Log;

  constructor(context: PageRequestContext) {
    this.#composing = context.composing;
    this.#whileRunning = context.whileRunning;
    this.#handlers = pageMessageHandlers(context);
    this.#log = context.log;
  }

  async handle(message: PageMessage, page: ConversationPage): Promise<void> {
    try {
      await this.#run(message.type, message, page);
    } catch (error) {
      this.#log.error(`page request "${message.type}" failed: ${reasonOf(error)}`);
      if (page.key) this.#composing.takeProblem(page.key, error);
      page.refreshComposer();
    }
  }

  composerProblem(key: SessionKey): string | undefined {
    return this.#composing.problem(key);
  }

  isWhenIdle(): boolean {
    return this.#whileRunning() === 'whenIdle';
  }

  async #run<K extends PageMessageType>(type: K, message: PageMessages[K], page: ConversationPage): Promise<void> {
    await this.#handlers[type](message, page);
  }
}
