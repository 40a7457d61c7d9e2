import { describePlan } from './describePlan.ts';
import { defined } from '../../shared/defined.ts';
import type {
  PageAttachment,
  PageBookmark,
  PageButton,
  PageComment,
  PageComposer,
  PageHeader,
  PageOlder,
  PageScreen,
  PageStatus,
} from '../../shared/protocol/pageModel.ts';
import { isArchived } from '../store/sessionFacts.ts';
import { placeBookmarks } from '../conversation/bookmarks.ts';
import { placeComments } from '../conversation/comments.ts';
import { type Connection, serviceOf } from '../store/connection.ts';
import { isNetworkFailure } from '../store/failure.ts';
import { describeFailure, describeServiceUrlFailure, withoutCountedPause } from './describeFailure.ts';
import { describeUndecided } from './describeOutbox.ts';
import { isNotFound, isStale, statusLabel } from './describeSession.ts';
import { describeOwnService } from './describeTree.ts';
import { serviceTitle, sessionTitle } from '../store/sessionFacts.ts';
import {
  isScheduled,
  needsDecision,
  type OutboxEntry,
  outputsId,
  type StoredAttachment,
} from '../store/outboxEntry.ts';
import { isEmptyDraft, isWorking, type SessionRecord } from '../store/sessionRecord.ts';
import { type Translate, isolatedLine, plainLine } from '../../shared/text.ts';
import { textSizeBytes } from '../../shared/text/textSize.ts';

/** The header of a conversation, without what depends on its rows. */
export function describeHeader(
  record: SessionRecord,
  connection: Connection,
  t: Translate,
): Omit<PageHeader, 'filter' | 'turn'> {
  const status: PageStatus = record.session?.status ?? 'none';
  const model = record.session?.sessionSettings?.model;
  const failure = headerFailure(record, connection, t);
  return {
    title: sessionTitle(record),
    marks: headerMarks(record, connection, t),
    ...defined({ incomplete: describeMissing(record, t) }),
    sessionId: record.listEntry.key.sessionId,
    status: connection.kind === 'keyRejected' ? 'rejected' : record.failure ? 'unreachable' : status,
    statusLabel: statusLabel(status, t),
    ...(record.asOf === undefined ? {} : { asOf: shownAge(record.asOf, isStale(record, connection)) }),
    isStale: isStale(record, connection),
    ...(model === undefined || model === '' ? {} : { model: plainLine(model, 80) }),
    ...defined({ failure, plan: describePlan(record.headers, t) }),
  };
}

function headerMarks(record: SessionRecord, connection: Connection, t: Translate): PageHeader['marks'] {
  // This mark reminds users that other people see a different title for this session.
  const named = {
    label: t('Custom title'),
    hint: t('Original title: {0}', isolatedLine(serviceTitle(record))),
  };
  const archived = { label: t('Archived'), hint: t('Listed under Archived in the Sessions view') };
  const { computerId } = record.listEntry;
  const readFrom = {
    label: t('From {0}', plainLine(computerId ?? '', 40)),
    hint: t('This session is read from computer "{0}".', isolatedLine(computerId ?? '', 80)),
  };
  const service = describeOwnService(connection);
  const belongs = { label: service, hint: t('Service: {0}', plainLine(record.listEntry.key.origin, 120)) };
  return [
    ...(service === '' ? [] : [belongs]),
    ...(record.listEntry.name ? [named] : []),
    ...(isArchived(record) ? [archived] : []),
    ...(computerId === undefined ? [] : [readFrom]),
  ];
}

/** Says how many messages the service counts but doesn't list, unless the agent is still writing them. */
function describeMissing(record: SessionRecord, t: Translate): PageHeader['incomplete'] {
  const { missingCount = 0 } = record.history;
  if (missingCount === 0 || isWorking(record.session)) return undefined;
  return {
    label: t({ one: '1 message not listed yet', other: '{0} messages not listed yet' }, missingCount),
    hint: t("The service hasn't listed all of the session's messages yet. Lineside checks again until it has."),
  };
}

/**
 * Rounds the refresh time down to the minute, unless the session is stale, so that polls without changes send at most
 * one update per minute to the page.
 */
function shownAge(asOf: number, stale: boolean): number {
  return stale ? asOf : asOf - (asOf % 60_000);
}

function headerFailure(record: SessionRecord, connection: Connection, t: Translate): PageHeader['failure'] {
  const retry: PageButton[] = [
    { label: t('Retry'), action: 'retry' },
    { label: t('Copy Details'), action: 'copyDetails' },
  ];
  const key: PageButton = { label: t('Set API Key...'), action: 'setApiKey' };
  if (connection.kind === 'keyRejected') {
    const text = t(
      'Your API key was rejected. Enter a new key to continue. Your drafts and queued messages are saved.',
    );
    return { text, actions: [key, ...retry.slice(1)] };
  }
  if (connection.kind === 'noKey') return { text: t('No API key for this service.'), actions: [key] };
  const failed = record.failure ?? record.history.failure;
  if (!failed) return undefined;
  const remove: readonly PageButton[] = isNotFound(record)
    ? [{ label: t('Remove from List'), action: 'removeSession' }]
    : [];
  const kept = record.asOf === undefined ? '' : ` ${t('Showing the last known state.')}`;
  const retryAt = record.failure && record.retryAt;
  // The page counts down to `retryAt`, and loading earlier messages isn't retried automatically.
  const told = record.failure && retryAt === undefined ? failed : withoutCountedPause(failed);
  const text = `${describeFailure(told, t, record.listEntry.computerId)}${kept}`;
  return { text, actions: [...remove, ...retry], ...defined({ retryAt }) };
}

/**
 * The screen that the page shows if it has no conversation to show. `origin` is the service of the page's session, if
 * it has one.
 */
export function describeScreen(
  connection: Connection,
  sessionListSize: number,
  t: Translate,
  origin: string | undefined,
): PageScreen {
  const demo: PageButton = { label: t('Try the Demo'), action: 'tryDemo' };
  if (connection.kind === 'starting') return { title: '', text: '', buttons: [] };
  if (connection.kind === 'noService') {
    return {
      title: t('Connect to a service'),
      text: connection.failure
        ? describeServiceUrlFailure(connection.failure, t)
        : t('Connect to your service to view agent sessions and send messages.'),
      buttons: [{ label: t('Connect to Service...'), action: 'connect' }, demo],
    };
  }
  if (origin !== undefined && origin !== connection.service.origin) return foreignScreen(origin, t);
  if (connection.kind === 'noKey' || connection.kind === 'keyRejected') return keyScreen(connection, t);
  if (sessionListSize === 0) {
    return {
      title: t('Add a session'),
      text: t("Add a session by its ID or URL. Copy the ID from the session's web page or from the CLI output."),
      buttons: [{ label: t('Add Session...'), action: 'addSession' }, demo],
    };
  }
  return {
    title: t('No session open'),
    text: t('Select a session to open it.'),
    buttons: [{ label: t('Go to Session...'), action: 'pickSession' }],
  };
}

/** The screen in the side bar while an editor tab shows the conversation of the current session. */
export function describeInEditor(title: string, t: Translate): PageScreen {
  return {
    title,
    text: t('This conversation is open in an editor tab.'),
    buttons: [
      { label: t('Show Editor'), action: 'openConversationInEditor' },
      { label: t('Move to Side Bar'), action: 'moveConversationToSideBar' },
    ],
  };
}

/** The screen of a tab whose session belongs to a service that isn't connected. */
function foreignScreen(origin: string, t: Translate): PageScreen {
  return {
    title: t('Session from another service'),
    text: t(
      'This session belongs to {0}. Switch to that service to open it. Your draft is saved.',
      plainLine(origin, 120),
    ),
    buttons: [{ label: t('Switch Service...'), action: 'switchService' }],
  };
}

/** The screen for a missing or rejected API key. Setting the key is the next step even if the session list is empty. */
function keyScreen(connection: Extract<Connection, { kind: 'noKey' | 'keyRejected' }>, t: Translate): PageScreen {
  const name = plainLine(connection.service.origin);
  const set: PageButton = { label: t('Set API Key...'), action: 'setApiKey' };
  return connection.kind === 'noKey'
    ? {
        title: t('Set an API key'),
        text: t(
          'Enter an API key for {0}. Your key is stored securely by VS Code and is only sent to this service.',
          name,
        ),
        buttons: [set, { label: t('Try the Demo'), action: 'tryDemo' }],
      }
    : {
        title: t('Set a new API key'),
        text: t(
          '{0} rejected your API key. Enter a new key to continue. Your drafts and queued messages are saved.',
          name,
        ),
        buttons: [set, { label: t('Retry'), action: 'retry' }],
      };
}

/** Whether requests are possible, or will be as soon as the key is read. Until then, messages are queued. */
function isUsable({ kind }: Connection): boolean {
  return kind === 'ready' || kind === 'starting';
}

/** The row above the oldest message. It shows a loading state only if messages are being loaded or are about to be. */
export function describeOlder(record: SessionRecord, connection: Connection, t: Translate): PageOlder {
  const { completeness, isLoading, isLongWalk, isTailSkipped, failure } = record.history;
  const loaded = record.headers.length;
  const total = record.session?.messageCount ?? 0;
  const count = completeness === 'partial' && total > loaded ? { count: total - loaded } : {};
  if (isLoading || (completeness === 'unread' && isUsable(connection) && !failure && !record.failure)) {
    const label = loaded > 0 && total > loaded ? t('Loading {0} of {1}...', loaded, total) : t('Loading...');
    return { state: 'loading', label, ...count, ...(isLongWalk && { canCancel: true }) };
  }
  if (isTailSkipped) {
    const label = t('Loading was canceled at {0} of {1}. Load the rest', loaded, Math.max(total, loaded));
    return { state: 'cancelled', label };
  }
  if (failure && completeness !== 'complete')
    return { state: 'failed', label: t("Couldn't load older messages. Try again"), ...count };
  if (completeness === 'unread') return { state: 'unread', label: '' };
  return completeness === 'partial'
    ? { state: 'more', label: t('Load older messages'), ...count }
    : { state: 'none', label: '' };
}

/**
 * The composer below a conversation. `failure` is the message to show in the composer; without one, the composer shows
 * why the draft isn't on disk, if it isn't. `isWhenIdle` is true if messages are queued while the agent is working.
 */
export function describeComposer(
  record: SessionRecord,
  connection: Connection,
  failure: string | undefined,
  t: Translate,
  isWhenIdle = false,
): PageComposer {
  const canSend = isUsable(connection) && serviceOf(connection)?.origin === record.listEntry.key.origin;
  const { computerId } = record.draft;
  return {
    attachments: record.draft.attachments.flatMap((attachment) => describeAttachment(attachment, t)),
    canSend,
    hint: canSend
      ? describeSending(record, isWhenIdle, t)
      : t('Set an API key for this service to send messages. Your draft is saved.'),
    ...(computerId === undefined ? {} : { computer: plainLine(computerId, 80) }),
    ...defined({ undecided: describeUndecided(record.outbox, t) }),
    ...defined({ failure: failure ?? describeUnsavedDraft(record, t) }),
  };
}

/** The comments of the draft, in the order of the messages. */
export function describeComments(record: SessionRecord): readonly PageComment[] {
  const { draft, entryIdByMessageId } = record;
  return placeComments(draft.comments, record).map(({ comment }) => ({
    ...comment,
    key: entryIdByMessageId.get(comment.messageId) ?? comment.messageId,
  }));
}

/** The bookmarks of the session, in the order of the messages. Those of messages that aren't loaded come first. */
export function describeBookmarks(record: SessionRecord): readonly PageBookmark[] {
  return placeBookmarks(record).map(({ bookmark: { messageId, note = '' } }) => ({
    messageId,
    key: record.entryIdByMessageId.get(messageId) ?? messageId,
    note,
  }));
}

/** Describes an attachment and, as a separate item that can be removed, the outputs that are sent with it. */
function describeAttachment(attachment: StoredAttachment, t: Translate): PageAttachment[] {
  const { attachmentId, kind, parsedData } = attachment;
  const name = plainLine(attachment.name, 120);
  const file = { attachmentId, name, detail: attachmentDetail(attachment, t), kind };
  if (parsedData === undefined) return [file];
  const detail = t.formats.size(textSizeBytes(parsedData));
  return [file, { attachmentId: outputsId(attachment), name: t('Outputs of {0}', name), detail, kind: 'outputs' }];
}

/** Explains why the draft isn't on disk; undefined if it is, or if it is empty. */
function describeUnsavedDraft({ draft, draftFailure }: SessionRecord, t: Translate): string | undefined {
  if (!draftFailure || isEmptyDraft(draft)) return undefined;
  const reason = describeFailure(draftFailure, t);
  return `${reason} ${t("Your draft isn't saved yet. Lineside keeps trying while this window is open.")}`;
}

/**
 * Says when a message is sent if the connection or the agent delays it. Empty if neither does, or if, while offline,
 * the message would also wait for the user's decision about an earlier one.
 */
function describeSending(record: SessionRecord, isWhenIdle: boolean, t: Translate): string {
  if (isNetworkFailure(record.failure)) {
    // A message would wait for the user's decision about an earlier one, which the bar above the composer asks for.
    return record.outbox.some(holdsOthers) ? '' : t("Your message will be sent when you're back online.");
  }
  if (isWhenIdle && isWorking(record.session)) {
    return t('The agent is running. Your message will be sent when the agent is idle.');
  }
  if (record.session?.status !== 'unknown' || !(isWhenIdle || record.outbox.some(waitsForIdleAgent))) return '';
  return t("The agent's status is unknown, so messages wait until it is idle. To send them anyway, select Send Now.");
}

function holdsOthers(entry: OutboxEntry): boolean {
  return needsDecision(entry) && !entry.isPassed && !isScheduled(entry);
}

function waitsForIdleAgent(entry: OutboxEntry): boolean {
  return entry.state === 'queued' && entry.when === 'whenIdle' && !isScheduled(entry);
}

function attachmentDetail(attachment: StoredAttachment, t: Translate): string {
  const size = t.formats.size(attachment.sizeBytes);
  return attachment.isUnsaved ? `${size}, ${t('unsaved')}` : size;
}
