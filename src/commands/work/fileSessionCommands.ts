import { pickRow } from '../../host/prompts/picker.ts';
import { activeUri } from '../../host/editors/openEditors.ts';
import { baseName, WorkspaceFile } from '../../host/files/workspacePaths.ts';
import { withCancel } from '../../host/prompts/progress.ts';
import { isolatedLine, type Translate } from '../../shared/text.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { type FileEdits, fileEdits } from '../../state/work/fileEdits.ts';
import type { CommandContext } from '../context.ts';
import { byDay } from '../conversation/dayItems.ts';
import { NothingToDoError } from '../commandErrors.ts';
import type { CommandArguments, CommandHandlers } from '../commandArguments.ts';
import { searchedSessions } from './searchedSessions.ts';
import { openSession } from '../sessions/openSession.ts';

/** A session that changed the file. Doesn't refer to its record, which would keep all headers in memory. */
interface Match {
  readonly key: SessionKey;
  readonly title: string;
  readonly edits: FileEdits;
  /** The time of the last change, in Unix ms. */
  readonly createdAt: number;
}

/** The command that lists the sessions in which the agent changed a file. */
export function fileSessionCommands(context: CommandContext) {
  return { showFileSessions: (argument) => showSessions(context, argument) } satisfies Partial<CommandHandlers>;
}

/**
 * Lets the user select a session that changed the file, and opens it at the last change.
 * @throws NothingToDoError if there is no file in the workspace, or no session that changed it.
 */
async function showSessions(
  context: CommandContext,
  { uri = activeUri() }: CommandArguments['showFileSessions'],
): Promise<void> {
  const { t } = context;
  if (!uri) throw new NothingToDoError(t('Open a file in an editor first.'));
  const name = isolatedLine(baseName(uri), 120);
  const file = WorkspaceFile.of(uri);
  if (!file) throw new NothingToDoError(t('"{0}" isn\'t a file in this workspace.', name));
  const matches = await findMatches(context, file);
  if (!matches) return;
  if (matches.length === 0) {
    throw new NothingToDoError(t('No changes to "{0}" found in the conversations loaded on this machine.', name));
  }
  const items = byDay(matches, t, ({ key, title, edits }) => ({
    label: title,
    // Next to a long title, a description would be cut off.
    detail: describeEdits(edits, t),
    target: { key, messageId: edits.last.messageId, step: edits.lastIndex },
  }));
  const picked = await pickRow(items, { placeHolder: t('Select a session') });
  if (!picked || !('target' in picked)) return;
  const { key, messageId, step } = picked.target;
  await openSession(context, key, messageId, step);
}

/** The sessions that changed the file, the last one first; undefined if the user canceled. */
function findMatches(context: CommandContext, file: WorkspaceFile): Promise<readonly Match[] | undefined> {
  return withCancel(context.t('Searching...'), async (signal, report) => {
    const matches: Match[] = [];
    for await (const { record, headers, matcher } of searchedSessions(context, file, signal, report)) {
      const edits = fileEdits(headers, matcher);
      const { key } = record.listEntry;
      if (edits) matches.push({ key, title: sessionTitle(record), edits, createdAt: edits.last.createdAt });
    }
    return signal.aborted ? undefined : matches.sort((a, b) => b.createdAt - a.createdAt);
  });
}

function describeEdits({ count, isConfirmed, last }: FileEdits, t: Translate): string {
  const number = t({ one: '1 edit', other: '{0} edits' }, count);
  const parts = [number, isConfirmed ? '' : t('not confirmed'), t.formats.time(last.createdAt)];
  return parts.filter((part) => part !== '').join(' · ');
}
