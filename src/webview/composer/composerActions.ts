import { defined } from '../../shared/defined.ts';
import type { AttachmentKind, ComposerAction, SendTime, SuggestionKind } from '../../shared/protocol/vocabulary.ts';
import type { HostChannel } from '../hostChannel.ts';
import type { TakenText, ToldDraft } from './textField.ts';

/** What the person does in the composer. */
export interface ComposerHooks {
  /** `when` is a choice for this one message. */
  readonly send: (taken: TakenText, when?: SendTime) => void;
  readonly draft: (draft: ToldDraft) => void;
  readonly attach: (what: AttachmentKind) => void;
  readonly wantHindrances: () => void;
  readonly attachBytes: (attachmentId: string, name: string, bytes: ArrayBuffer) => void;
  readonly attachUris: (uris: readonly string[]) => void;
  readonly previewAttachment: (attachmentId: string) => void;
  readonly removeAttachment: (attachmentId: string) => void;
  readonly suggest: (requestId: number, kind: SuggestionKind, query: string) => void;
  readonly takeSuggestion: (kind: SuggestionKind, suggestionId: string) => void;
  readonly wantPrompt: (step: 'older' | 'newer', from?: string) => void;
  readonly compose: (action: ComposerAction) => void;
  readonly focused: (isFocused: boolean) => void;
  readonly announce: (text: string) => void;
}

/** The hooks that tell the host; `session` names the conversation that is shown. */
export function composerHooks(
  { post }: HostChannel,
  session: () => { readonly sessionId?: string },
  announce: (text: string) => void,
  sent: () => void,
): ComposerHooks {
  return {
    send: (taken, when) => {
      post({ type: 'send', ...session(), ...taken, ...defined({ when }) });
      sent();
    },
    draft: (draft) => post({ type: 'draft', ...session(), ...draft }),
    attach: (what) => post({ type: 'attach', ...session(), what }),
    wantHindrances: () => post({ type: 'wantHindrances' }),
    attachBytes: (attachmentId, name, bytes) =>
      post({ type: 'attachBytes', ...session(), attachmentId, name: name.slice(0, 255), bytes }),
    attachUris: (uris) => post({ type: 'attachUris', ...session(), uris: [...uris] }),
    previewAttachment: (attachmentId) => post({ type: 'previewAttachment', ...session(), attachmentId }),
    removeAttachment: (attachmentId) => post({ type: 'removeAttachment', ...session(), attachmentId }),
    suggest: (requestId, kind, query) => post({ type: 'suggest', requestId, kind, query }),
    takeSuggestion: (kind, suggestionId) => post({ type: 'takeSuggestion', ...session(), kind, suggestionId }),
    wantPrompt: (step, from) => post({ type: 'wantPrompt', ...session(), step, ...defined({ from }) }),
    compose: (action) => post({ type: 'compose', ...session(), action }),
    focused: (isFocused) => post({ type: 'composerFocus', isFocused }),
    announce,
  };
}
