import type { ComposerHostMessage } from '../../shared/protocol/composerProtocol.ts';
import type { HostMessage } from '../../shared/protocol/pageMessages.ts';

const composerMessages = new Set<string>(['suggestions', 'prompt', 'insertText', 'composerKey', 'hindrances']);

/** Whether the composer alone knows what a message of the host means. */
export function isForComposer(message: HostMessage): message is ComposerHostMessage {
  return composerMessages.has(message.type);
}
