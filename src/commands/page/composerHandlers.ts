import { defined } from '../../shared/defined.ts';
import type { PageMessageHandlers } from '../../shared/protocol/pageMessages.ts';
import type { ComposerAction } from '../../shared/protocol/vocabulary.ts';
import type { Translate } from '../../shared/text.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { Drafts } from '../../sync/drafts/drafts.ts';
import type { ConversationPage } from '../../views/conversation/conversationPage.ts';
import type { AttachmentPreview } from '../attachments/preview.ts';
import { unavailableAttachments } from '../attachments/sources.ts';
import type { ComposeEditors } from '../composer/composeEditors.ts';
import type { ComposerController } from '../composer/composer.ts';
import type { ComposerFocus } from '../composer/composerCommands.ts';
import { promptBeside } from '../composer/promptHistory.ts';
import { pickSnippet, type Suggestions } from '../composer/suggestions.ts';
import { meantSession } from './meantSession.ts';

export interface ComposerContext {
  readonly store: Store;
  readonly drafts: Drafts;
  readonly composing: ComposerController;
  readonly composerFocus: ComposerFocus;
  readonly composeEditors: ComposeEditors;
  readonly suggestions: Suggestions;
  readonly preview: AttachmentPreview;
  readonly t: Translate;
}

/** Handlers of the messages that a composer sends. A handler that rejects shows its error in the composer. */
export function composerHandlers(context: ComposerContext) {
  const { store, drafts, composing, suggestions } = context;
  return {
    ...attachmentHandlers(context),
    draft(message, page) {
      const key = begin(context, message, page);
      if (!key) return;
      drafts.setText(key, message, page);
      page.acknowledgeDraft(message.revision);
    },
    async send(message, page) {
      const key = begin(context, message, page);
      if (!key) return;
      await composing.send(key, message, page);
      page.acknowledgeDraft(message.revision);
      // A draft changed elsewhere meanwhile was older than the field, which the page emptied.
      page.refreshComposer('draft');
    },
    async suggest({ requestId, kind, query }, page) {
      page.post({ type: 'suggestions', requestId, ...(await suggestions.suggest(kind, query)) });
    },
    async takeSuggestion(message, page) {
      const key = begin(context, message, page);
      if (!key) return;
      if (message.kind === 'file') {
        const uri = await suggestions.fileOf(message.suggestionId);
        if (uri) await composing.attachFile(key, uri);
        return;
      }
      const text = suggestions.snippetOf(message.suggestionId);
      if (text !== undefined) page.post({ type: 'insertText', text });
    },
    async wantPrompt(message, page) {
      const key = begin(context, message, page);
      if (!key) return;
      const { step } = message;
      const prompt = await promptBeside(store, key, step, message.from);
      page.post({ type: 'prompt', step, ...defined({ prompt }) });
    },
    async compose(message, page) {
      const key = begin(context, message, page);
      if (key) await compose(context, key, message.action, page);
    },
    composerFocus({ isFocused }, page) {
      context.composerFocus.take(page, isFocused);
    },
  } satisfies Partial<PageMessageHandlers<ConversationPage>>;
}

/** Handlers of the messages about attachments. */
function attachmentHandlers(context: ComposerContext) {
  const { drafts, composing, t } = context;
  return {
    async attach(message, page) {
      const key = begin(context, message, page);
      if (key) await composing.attach(key, message.what);
    },
    async attachBytes(message, page) {
      const key = begin(context, message, page);
      if (key) await composing.attachBytes(key, message.attachmentId, message.name, new Uint8Array(message.bytes));
    },
    async attachUris(message, page) {
      const key = begin(context, message, page);
      if (key) await composing.attachUris(key, message.uris);
    },
    removeAttachment(message, page) {
      const key = begin(context, message, page);
      if (key) drafts.removeAttachment(key, message.attachmentId);
    },
    async previewAttachment(message, page) {
      if (begin(context, message, page)) await context.preview.show(message.attachmentId);
    },
    async wantHindrances(_message, page) {
      page.post({ type: 'hindrances', hindrances: await unavailableAttachments(t) });
    },
  } satisfies Partial<PageMessageHandlers<ConversationPage>>;
}

/** The session that a message is about. Clears the problem of the previous action. */
function begin(
  { composing }: ComposerContext,
  message: { readonly sessionId?: string | undefined },
  page: ConversationPage,
): SessionKey | undefined {
  const key = meantSession(page, message);
  if (key && composing.forgetProblem(key)) page.refreshComposer();
  return key;
}

async function compose(
  { composing, composeEditors, t }: ComposerContext,
  key: SessionKey,
  action: ComposerAction,
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
      if (text !== undefined) page.post({ type: 'insertText', text });
    }
  }
}
