import { randomUUID } from 'node:crypto';
import { createSessionsClient } from '../../../src/api/client.ts';
import { createDirectTransport } from '../../../src/api/transport/directTransport.ts';
import { silentLog } from '../../../src/shared/log.ts';
import type { DraftComment } from '../../../src/state/store/sessionRecord.ts';
import { CommentFiles } from '../../../src/sync/drafts/commentFiles.ts';
import { paginate } from '../../../src/sync/history/pagination.ts';
import { createRecordStore } from '../../../src/sync/storage/recordStore.ts';
import { RecordStores } from '../../../src/sync/storage/recordStores.ts';
import type { BenchService } from './benchService.ts';

/**
 * Saves a draft with `count` comments on messages from the whole conversation, as another window does. `folder` is the
 * data folder of the extension.
 */
export async function saveDraftComments(
  folder: string,
  service: BenchService,
  sessionId: string,
  count: number,
): Promise<void> {
  const lines = await readFirstLines(service, sessionId);
  const comments = Array.from({ length: count }, (_, index): DraftComment => {
    const line = lines[Math.floor((index * lines.length) / count)];
    if (!line) throw new Error(`${sessionId} has no text to comment on.`);
    return { commentId: randomUUID(), ...line, offset: 0, text: `Comment ${index + 1}` };
  });
  const files = new CommentFiles(new RecordStores(createRecordStore(folder, silentLog)));
  const key = { origin: service.baseUrl, sessionId };
  for (const [order, comment] of comments.entries()) await files.write({ ...comment, key, order });
}

/** The IDs of the messages that begin with a text, each with the first line of that text that contains no Markdown. */
async function readFirstLines(
  { baseUrl, token }: BenchService,
  sessionId: string,
): Promise<Pick<DraftComment, 'messageId' | 'quote'>[]> {
  const api = createSessionsClient({ baseUrl, key: () => token, transport: createDirectTransport(baseUrl) });
  const lines: Pick<DraftComment, 'messageId' | 'quote'>[] = [];
  try {
    for await (const { page } of paginate(api, sessionId, {})) {
      for (const { id, content } of page.messages) {
        const [first] = content;
        const quote = first?.type === 'text' ? (/^[\w ,.:]+$/m.exec(first.text)?.[0].trim() ?? '') : '';
        if (quote !== '') lines.push({ messageId: id, quote });
      }
    }
  } finally {
    api.dispose();
  }
  return lines;
}
