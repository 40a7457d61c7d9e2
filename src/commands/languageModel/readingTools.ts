import { inSlices } from '../../shared/slices.ts';
import { contentForModel, messageTextSteps, sessionLine, usageText } from '../../state/languageModel/sessionText.ts';
import { untrustedText } from '../../state/languageModel/untrustedText.ts';
import { isArchived } from '../../state/store/sessionFacts.ts';
import { matchesWords, searchWords } from '../../state/sessions/sessionSearch.ts';
import { recentFirst } from '../../state/sessions/sections.ts';
import { serviceOf } from '../../state/store/connection.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import { readOnce } from '../../sync/sessionReader.ts';
import type { Services } from '../services.ts';
import { hitsIn } from '../sessions/findCommands.ts';
import type { Consent } from './consent.ts';
import type { ToolCall } from './toolCall.ts';
import type { ToolInput } from './toolInputs.ts';
import { quoteParts } from './toolResult.ts';

type ReadingServices = Pick<Services, 'store' | 'sessions' | 'messages' | 'log'>;

const usualMessages = 10;
const usualHits = 10;

/** The tools that read sessions. They change nothing on the service and nothing that the user wrote. */
export class ReadingTools {
  readonly #services: ReadingServices;
  readonly #consent: Consent;

  constructor(services: ReadingServices, consent: Consent) {
    this.#services = services;
    this.#consent = consent;
  }

  /** Lists the sessions of one service that are in the store, without a request. */
  listSessions(input: ToolInput<'lineside_list_sessions'>, { limits }: ToolCall): Promise<string> {
    const words = searchWords(input.text ?? '');
    const { store } = this.#services;
    const all = store.recordsOf(originOf(this.#services, input.service));
    const records = recentFirst(all).filter((record) => isMeant(record, input) && matchesWords(record, words));
    const others =
      store.connections.length > 1 ? ' Only one of several services was listed; name others by their origins: ' : '';
    const origins = others === '' ? [] : store.connections.map((connection) => serviceOf(connection)?.origin);
    const about = `${records.length} of ${all.length} sessions in the user's list.${others}${origins.join(', ')}`;
    return quoteParts(about, records.map(sessionLine), 'first', limits);
  }

  /** Reads messages of a session: the newest, or those around one. Asks the user first. */
  async readSession(input: ToolInput<'lineside_read_session'>, { limits, token }: ToolCall): Promise<string> {
    const key = sessionKeyOf(this.#services, input);
    if (!(await this.#consent.mayRead(key))) throw new Error('The user does not allow reading this session.');
    await this.#load(key, input.aroundMessageId);
    if (token.isCancellationRequested) throw new Error('Canceled.');
    const { headers } = this.#record(key);
    const wanted = headersFor(headers, input);
    const bodies = await this.#services.store.readBodies(
      key,
      wanted.map(({ messageId }) => messageId),
    );
    const roles = new Map(wanted.map(({ messageId, role }) => [messageId, role]));
    const parts: string[] = [];
    for (const body of bodies) {
      const part = await inSlices(messageTextSteps(body, body.role ?? roles.get(body.id)));
      if (part !== undefined) parts.push(part);
    }
    const about = [
      `Session ${untrustedId(key)}: ${parts.length} of ${headers.length} loaded messages, oldest first.`,
      ...(parts.length < wanted.length ? [`${wanted.length - parts.length} are not available or not for you.`] : []),
    ];
    const record = sessionLine(this.#record(key));
    return quoteParts(
      about.join(' '),
      [record, ...parts],
      input.aroundMessageId === undefined ? 'last' : 'first',
      limits,
    );
  }

  /** Finds text in cached conversations of one service, at most one message per session. Asks the user first. */
  async findInSessions(input: ToolInput<'lineside_find_in_sessions'>, { limits, token }: ToolCall): Promise<string> {
    const { store } = this.#services;
    const origin = originOf(this.#services, input.service);
    if (!(await this.#consent.mayReadAll(origin))) throw new Error('The user does not allow searching the sessions.');
    const records = store.recordsOf(origin);
    const stop = new AbortController();
    const listener = token.onCancellationRequested(() => stop.abort());
    const words = searchWords(input.text);
    const hits: string[] = [];
    try {
      for await (const { record, hit } of hitsIn(
        this.#services,
        recentFirst(records),
        words,
        stop.signal,
        contentForModel,
      )) {
        const { sessionId } = record.listEntry.key;
        hits.push(untrustedText(`- session ${sessionId}, message ${hit.messageId}: ${hit.excerpt}`));
        if (hits.length >= (input.limit ?? usualHits)) break;
      }
    } finally {
      listener.dispose();
    }
    const about = `${hits.length} sessions with a cached message that contains all words. One message is listed for each.`;
    return quoteParts(about, hits, 'first', limits);
  }

  /** The token counters of a session after a refresh. */
  async getUsage(input: ToolInput<'lineside_get_usage'>, { limits }: ToolCall): Promise<string> {
    const key = sessionKeyOf(this.#services, input);
    await this.#services.sessions.refresh(key);
    const record = this.#record(key);
    const freshness = record.failure ? ' The service could not be reached, so these are the last known counters.' : '';
    return quoteParts(`Token usage of session ${untrustedId(key)}.${freshness}`, [usageText(record)], 'first', limits);
  }

  async #load(key: SessionKey, messageId: string | undefined): Promise<void> {
    const { sessions, store } = this.#services;
    await sessions.restoreFromCache(key);
    await readOnce(sessions, key);
    const isMissing = messageId !== undefined && !store.header(key, messageId);
    if (isMissing && (await sessions.fetchMessage(key, messageId)) !== true)
      throw new Error('There is no such message.');
  }

  #record(key: SessionKey): SessionRecord {
    const record = this.#services.store.record(key);
    if (!record) throw new Error('The user removed this session from the list.');
    return record;
  }
}

/**
 * The origin of the service with this name or origin, or else of the current one; empty if there is no current service.
 * @throws Error for the model if the named service isn't connected.
 */
function originOf({ store }: Pick<Services, 'store'>, named: string | undefined): string {
  if (named === undefined) return serviceOf(store.connection)?.origin ?? '';
  const services = store.connections.flatMap((connection) => serviceOf(connection) ?? []);
  const service = services.find(({ origin, name }) => origin === named || name === named);
  if (!service)
    throw new Error('The user is not connected to such a service. Leave out "service" for the current one.');
  return service.origin;
}

/**
 * The key of a session in the list, of the named service or else of the current one.
 * @throws Error for the model if there is none.
 */
export function sessionKeyOf(
  services: Pick<Services, 'store'>,
  { sessionId, service }: Pick<ToolInput<'lineside_get_usage'>, 'sessionId' | 'service'>,
): SessionKey {
  const record = services.store.record({ origin: originOf(services, service), sessionId });
  if (!record || record.listEntry.isTransient)
    throw new Error('There is no such session in the list. Call lineside_list_sessions for the IDs.');
  return record.listEntry.key;
}

function isMeant(record: SessionRecord, input: ToolInput<'lineside_list_sessions'>): boolean {
  const { session } = record;
  const { status, tag, includeArchived = false } = input;
  if (isArchived(record) && !includeArchived) return false;
  if (status !== undefined && session?.status !== status) return false;
  return tag === undefined || (session?.sessionSettings?.tags ?? []).some(({ name }) => name === tag);
}

/** The headers of the messages to read, oldest first. */
function headersFor(
  all: readonly MessageHeader[],
  { last = usualMessages, aroundMessageId, roles }: ToolInput<'lineside_read_session'>,
): readonly MessageHeader[] {
  const headers = all.filter(({ role }) => roles === undefined || roles.some((wanted) => wanted === role));
  if (aroundMessageId === undefined) return headers.slice(-last);
  const time = all.find(({ messageId }) => messageId === aroundMessageId)?.createdAt ?? 0;
  const at = headers.findIndex(({ createdAt }) => createdAt >= time);
  const start = Math.max(0, (at < 0 ? headers.length : at) - Math.floor(last / 2));
  return headers.slice(start, start + last);
}

/**
 * The ID of a session for a sentence outside the quoted text, or a reference to that text if the ID has unusual
 * characters. IDs are in the user's list, but come from a service.
 */
function untrustedId({ sessionId }: SessionKey): string {
  return /^[\w.:-]{1,100}$/.test(sessionId) ? sessionId : '(named in the data)';
}
