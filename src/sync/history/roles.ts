import { ApiError } from '../../api/errors.ts';
import type { Message, RoleFilter } from '../../api/resources/message.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import { inSlices } from '../../shared/slices.ts';
import { type MessageHeader, messageHeaderSteps } from '../../state/store/messageHeader.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { longestCopyLagMs } from '../connection/olderCopies.ts';
import { isAboutMessage } from '../connection/probe.ts';
import { type ListOrder, paginate } from './pagination.ts';

const filters: readonly RoleFilter[] = ['user', 'assistant', 'tool'];
/** The maximum number of messages to request one by one; a single message always has a role (spec 2.4). */
const singlesLimit = 3;

/** State kept between loads of a session's roles, so that only new messages are requested. */
export interface RoleMemory {
  /** For each filter, the cursor of the page at which a resumed walk continues. */
  readonly stops: Map<RoleFilter, string | undefined>;
  /** The IDs of messages whose roles couldn't be loaded; they are not requested again. */
  readonly unnamed: Set<string>;
}

export function newRoleMemory(): RoleMemory {
  return { stops: new Map(), unnamed: new Set() };
}

interface RoleReading {
  readonly signal: AbortSignal;
  /** The current time by the service's clock in Unix ms. */
  readonly serverNow: () => number;
  readonly order: ListOrder;
  readonly memory: RoleMemory;
  /**
   * Whether to continue at the page where the last walk stopped: for older messages, or if the list starts with the
   * oldest message.
   */
  readonly isResumed: boolean;
}

/**
 * Loads the roles of messages that were listed without one: many through the `role` filter, which is read only as far
 * as needed, and then up to three by ID. The roles of the others remain unknown, and those of new messages are
 * requested again at the next call. Rejects with the ApiError.
 */
export async function learnRoles(api: SessionsApi, key: SessionKey, store: Store, reading: RoleReading): Promise<void> {
  const { memory, signal } = reading;
  const missing = missingRoles(store, key, memory);
  const giveUp = (messageId: string, createdAt: number) => {
    // An older copy may not have a new message yet, so its role is requested again.
    if (Math.abs(reading.serverNow() - createdAt) > longestCopyLagMs) memory.unnamed.add(messageId);
  };
  const computerId = store.record(key)?.listEntry.computerId;
  if (missing.size > singlesLimit) {
    for (const role of filters) {
      if (missing.size > 0 && !(await walkFilter(api, key, store, role, missing, reading))) break;
    }
  }
  for (const [messageId, createdAt] of [...missing].slice(0, singlesLimit)) {
    missing.delete(messageId);
    const message = await getIfReadable(() => api.getMessage(key.sessionId, messageId, { computerId, signal }));
    if (message) {
      await inSlices(store.prepareMessages([message]), () => signal.aborted);
      store.takeMessages(key, [message], 'unknown');
    } else giveUp(messageId, createdAt);
  }
  for (const [messageId, createdAt] of missing) giveUp(messageId, createdAt);
}

/** Whether a message has no role, and {@link learnRoles} would request it. */
export function lacksRoles(store: Store, key: SessionKey, memory: RoleMemory): boolean {
  return missingRoles(store, key, memory).size > 0;
}

/**
 * Lists all messages of a role, whether they are loaded or not, without adding them to the store: in a conversation,
 * they would leave gaps. `onPage` receives the headers of each page. Resolves to false as soon as a message of another
 * role shows that the service ignores the filter. Rejects with the ApiError.
 */
export async function listRole(
  api: SessionsApi,
  key: SessionKey,
  store: Store,
  { role, signal, onPage }: RoleListing,
): Promise<boolean> {
  const computerId = store.record(key)?.listEntry.computerId;
  for await (const { page } of paginate(api, key.sessionId, { computerId, signal, role, needsNext: () => true })) {
    if (isUnfiltered(page.messages, role, key, store)) return false;
    const headers: MessageHeader[] = [];
    for (const message of page.messages) headers.push(await inSlices(messageHeaderSteps(message, role)));
    onPage(headers);
  }
  return true;
}

interface RoleListing {
  readonly role: RoleFilter;
  readonly signal: AbortSignal;
  readonly onPage: (headers: readonly MessageHeader[]) => void;
}

/** Whether a page that was filtered by a role has a message of another one. */
function isUnfiltered(messages: readonly Message[], filter: RoleFilter, key: SessionKey, store: Store): boolean {
  return messages.some(({ id, role = store.header(key, id)?.role ?? filter }) => role !== filter && role !== 'unknown');
}

/** Reads a message with `get`; undefined if the service responds with 404 or 410. Rejects with any other error. */
export async function getIfThere(get: () => Promise<Message>): Promise<Message | undefined> {
  try {
    return await get();
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 410)) return undefined;
    throw error;
  }
}

/** Reads a message with `get`; undefined if it can't be read by its ID. Rejects if that isn't due to the message. */
export async function getIfReadable(get: () => Promise<Message>): Promise<Message | undefined> {
  try {
    return await get();
  } catch (error) {
    if (isAboutMessage(error)) return undefined;
    throw error;
  }
}

/** The IDs of the messages whose role is missing, with their `createdAt`, oldest first. */
function missingRoles(store: Store, key: SessionKey, memory: RoleMemory): Map<string, number> {
  const headers = store.record(key)?.headers ?? [];
  const missing = headers.filter(
    ({ role, messageId, isGone, isDetached }) =>
      role === undefined && !isGone && !isDetached && !memory.unnamed.has(messageId),
  );
  return new Map(missing.map(({ messageId, createdAt }) => [messageId, createdAt]));
}

/**
 * Sets `role` for the messages in `missing` that the filter lists, and removes them from `missing`. Resolves to false
 * if the service ignores the filter.
 */
async function walkFilter(
  api: SessionsApi,
  key: SessionKey,
  store: Store,
  role: RoleFilter,
  missing: Map<string, number>,
  { signal, order, memory, isResumed }: RoleReading,
): Promise<boolean> {
  const times = [...missing.values()];
  const [oldest = 0, newest = 0] = [times[0], times.at(-1)];
  const computerId = store.record(key)?.listEntry.computerId;
  const from = isResumed ? memory.stops.get(role) : undefined;
  for await (const { page, cursor } of paginate(api, key.sessionId, { computerId, signal, role, from })) {
    if (isUnfiltered(page.messages, role, key, store)) return false;
    if (isResumed || !memory.stops.has(role)) memory.stops.set(role, cursor);
    // Take only loaded messages: a filter also lists messages far beyond them, which would leave gaps.
    const named = page.messages.filter((message) => missing.delete(message.id));
    await inSlices(store.prepareMessages(named), () => signal.aborted);
    store.takeMessages(key, named, role);
    const end = page.messages.at(-1)?.createdAt;
    const isPast = end !== undefined && (order === 'newestFirst' ? end < oldest : order !== 'unknown' && end > newest);
    if (isPast || missing.size === 0) return true;
  }
  return true;
}
