import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { Drafts } from '../../sync/drafts/drafts.ts';
import type { ConversationPage, PageRequest } from '../../views/conversation/conversationPage.ts';
import type { AttachmentPreview } from '../attachments/preview.ts';
import type { ComposeEditors } from '../composer/composeEditors.ts';
import type { Composing } from '../composer/composer.ts';
import { promptBeside } from '../composer/promptHistory.ts';
import { pickSnippet } from '../composer/snippets.ts';
import type { Suggestions } from '../composer/suggestions.ts';
import type { Translate } from '../../shared/text.ts';

export interface ComposerRequestParts {
  readonly store: Store;
  readonly drafts: Drafts;
  readonly composing: Composing;
  readonly composeEditors: ComposeEditors;
  readonly suggestions: Suggestions;
  readonly preview: AttachmentPreview;
  readonly t: Translate;
}

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
  parts: ComposerRequestParts,
  key: SessionKey,
  request: ComposerRequest,
  page: ConversationPage,
): Promise<void> {
  const { store, drafts, composing } = parts;
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
      await parts.preview.show(request.attachmentId);
      return;
    case 'takeSuggestion':
      await takeSuggestion(parts, key, request, page);
      return;
    case 'wantPrompt':
      await tellPrompt(store, key, request, page);
      return;
    case 'compose':
      await compose(parts, key, request.action, page);
  }
}

async function send(
  composing: Composing,
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
  const prompt = await promptBeside(store, key, step, from);
  page.tell({ type: 'prompt', step, ...(prompt ? { prompt } : {}) });
}

async function takeSuggestion(
  { composing, suggestions }: ComposerRequestParts,
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
  { composing, composeEditors, t }: ComposerRequestParts,
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
