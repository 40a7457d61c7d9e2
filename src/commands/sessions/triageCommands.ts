import { showInfo } from '../../host/prompts/notify.ts';
import { needsYou, unsentCount } from '../../state/sessions/attention.ts';
import { nextNeedingYou } from '../../state/sessions/triage.ts';
import { sameSession } from '../../state/store/sessionKey.ts';
import { readMarkOf, type SessionRecord } from '../../state/store/sessionRecord.ts';
import type { CommandContext } from '../context.ts';
import { NothingToDoError } from '../commandErrors.ts';
import type { CommandHandlers, SessionArgument, SessionsArgument } from '../commandArguments.ts';
import { givenSession, targetSessions } from './pick.ts';
import { openSession } from './openSession.ts';

/** Commands that go through the sessions that need the user. */
export function triageCommands(context: CommandContext) {
  const triage = new Triage(context);
  return {
    nextNeedsMe: (argument) => triage.openNext(argument),
    catchUp: () => catchUp(context),
    markSessionDone: (argument) => markDone(context, argument),
    notWaiting: (argument) => markNotWaiting(context, argument),
  } satisfies Partial<CommandHandlers>;
}

/** Opens sessions one after the other, and remembers the last one. */
class Triage {
  readonly #context: CommandContext;
  /** The session that was opened last, as it was then: after that, it usually no longer needs the user. */
  #last: SessionRecord | undefined;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  /** Opens the next session that needs the user, after the given one or else after the current one. */
  async openNext(argument: SessionArgument): Promise<void> {
    const { store, t } = this.#context;
    const next = nextNeedingYou(store.records, this.#start(argument));
    if (!next) {
      void showInfo(store.records.some(needsYou) ? t('No other sessions need you.') : t('No sessions need you.'));
      return;
    }
    this.#last = next;
    await openSession(this.#context, next.listEntry.key);
  }

  #start(argument: SessionArgument): SessionRecord | undefined {
    const { store, t } = this.#context;
    if (argument.sessionId !== undefined) return store.record(givenSession(store, argument, t));
    const current = store.current && store.record(store.current);
    const isLast = sameSession(current?.listEntry.key, this.#last?.listEntry.key);
    return isLast && current && !needsYou(current) ? this.#last : current;
  }
}

/** Shows what happened in all sessions since the user last viewed them. */
async function catchUp({ catchUp: documents, t }: CommandContext): Promise<void> {
  if (!(await documents.open())) throw new NothingToDoError(t('Nothing new since you last viewed your sessions.'));
}

/** Marks sessions as read and their questions as seen. Messages that weren't sent still need a decision. */
async function markDone(context: CommandContext, argument: SessionsArgument): Promise<void> {
  const { store, sessionList, t } = context;
  const keys = await targetSessions(context, argument, t('Mark as Done'));
  for (const key of keys) {
    const { session, waiting } = store.record(key) ?? {};
    await sessionList.change(key, {
      ...(session && { readMark: readMarkOf(session) }),
      ...(waiting && { notWaitingId: waiting.messageId }),
    });
  }
  const records = keys.flatMap((key) => store.record(key) ?? []);
  if (records.some((record) => unsentCount(record) > 0))
    void showInfo(t("A message wasn't sent. Open the session to send it again or discard it."));
}

async function markNotWaiting(context: CommandContext, argument: SessionsArgument): Promise<void> {
  const { store, sessionList, t } = context;
  const keys = await targetSessions(context, argument, t('Not Waiting'));
  const waiting = keys.filter((key) => store.record(key)?.waiting);
  if (keys.length > 0 && waiting.length === 0)
    throw new NothingToDoError(t('Nothing indicates that the agent is waiting for you.'));
  for (const key of waiting)
    await sessionList.change(key, { notWaitingId: store.record(key)?.waiting?.messageId ?? '' });
}
