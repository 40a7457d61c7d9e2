import type { WorkspaceFile } from '../../host/files/workspacePaths.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import type { Services } from '../services.ts';
import type { AgentFiles } from './agentFiles.ts';

interface SearchServices extends Pick<Services, 'store' | 'messages' | 't'> {
  readonly agentFiles: Pick<AgentFiles, 'savePaths' | 'matcher'>;
}

/** A session in which a file is searched for. */
interface SearchedSession {
  readonly record: SessionRecord;
  readonly headers: readonly MessageHeader[];
  /** Recognizes the paths by which the agent of the session can refer to the file. */
  readonly matcher: Pick<WorkspaceFile, 'matches'>;
}

/**
 * The sessions on this machine, for a search for a file. One is read at a time. Before the first one, the paths of all
 * sessions are saved, because they are evidence for each other: otherwise, a second search could find more. Ends early
 * if the user cancels.
 */
export async function* searchedSessions(
  { store, messages, agentFiles, t }: SearchServices,
  file: WorkspaceFile,
  signal: AbortSignal,
  report: (text: string) => void,
): AsyncGenerator<SearchedSession> {
  const { records } = store;
  const headersOf = async (record: SessionRecord) =>
    record.history.completeness === 'unread' ? messages.headers(record.listEntry.key) : record.headers;
  for (const [index, record] of records.entries()) {
    if (signal.aborted) return;
    report(t('{0} of {1}', index, 2 * records.length));
    await agentFiles.savePaths(record.listEntry.key, await headersOf(record));
  }
  for (const [index, record] of records.entries()) {
    if (signal.aborted) return;
    report(t('{0} of {1}', records.length + index, 2 * records.length));
    const headers = await headersOf(record);
    yield { record, headers, matcher: await agentFiles.matcher(record.listEntry.key, headers, file) };
  }
}
