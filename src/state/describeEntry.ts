import type { PageBlock, PageDelivery, PageRow } from '../pageContent.ts';
import { describeProblem } from './describeProblem.ts';
import { roleLabel } from './describeMessage.ts';
import type { OutboxEntry, StoredAttachment } from './outboxEntry.ts';
import { type Translate, byteSize, plainLine } from './words.ts';

/** A message on its way out as the page draws it, with how far it is and what can be done about it. */
export function describeEntry(entry: OutboxEntry, t: Translate): PageRow {
  return {
    key: entry.entryId,
    role: 'user',
    roleLabel: roleLabel('user', t),
    createdAt: entry.createdAt,
    isError: false,
    badges: [],
    blocks: [{ type: 'markdown', text: entry.text }, ...entry.attachments.map(attachmentBlock)],
    delivery: describeDelivery(entry, t),
  };
}

function attachmentBlock(attachment: StoredAttachment): PageBlock {
  const detail = `${plainLine(attachment.mediaType, 80)}, ${byteSize(attachment.sizeBytes)}`;
  return { type: 'file', name: plainLine(attachment.name, 120), detail };
}

function describeDelivery(entry: OutboxEntry, t: Translate): PageDelivery {
  const { entryId, state } = entry;
  switch (state) {
    case 'queued':
      return { entryId, state, label: t('Waiting to be sent'), ...reason(entry, t), actions: ['edit', 'cancel'] };
    case 'sending': {
      const progress = entry.progress === undefined ? {} : { progress: entry.progress };
      return { entryId, state, label: t('Sending...'), ...progress, actions: ['cancel'] };
    }
    case 'accepted':
      return { entryId, state, label: t('Sent'), actions: [] };
    case 'unknown':
      if (entry.isSearching) return { entryId, state, label: t('Checking whether it arrived...'), actions: [] };
      return {
        entryId,
        state,
        label: t('May not have been sent'),
        detail: `${entry.problem ? describeProblem(entry.problem, t) : t('The connection broke while sending.')} ${t(
          'The message is kept here. Send it again only if you do not see it in the conversation.',
        )}`,
        actions: ['sendAgain', 'edit', 'discard'],
      };
    case 'notSent':
      return {
        entryId,
        state,
        label: t('Not sent'),
        detail: `${entry.problem ? describeProblem(entry.problem, t) : ''} ${t('The message is kept here.')}`.trim(),
        actions: ['sendAgain', 'edit', 'discard'],
      };
  }
}

function reason(entry: OutboxEntry, t: Translate): { detail?: string } {
  return entry.problem === undefined ? {} : { detail: describeProblem(entry.problem, t) };
}
