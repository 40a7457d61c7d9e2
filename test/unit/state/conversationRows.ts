import { unfiltered } from '../../../src/state/conversation/filter.ts';
import type { ConversationRow, RowsView } from '../../../src/state/conversation/row.ts';
import { showConversation } from '../../../src/state/conversation/rows.ts';
import type { SessionRecord } from '../../../src/state/store/sessionRecord.ts';

const unfilteredView: RowsView = { filter: unfiltered, openedIds: new Set(), openRuns: new Set(), collapseUntil: 0 };

/** The rows of a conversation, by default of all messages. */
export function conversationRows(record: SessionRecord, view = unfilteredView): readonly ConversationRow[] {
  return showConversation(record, view).rows;
}
