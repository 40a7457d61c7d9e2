/** What a link of ours names. It opens and never sends. */
export interface SessionLink {
  readonly sessionId: string;
  readonly messageId?: string;
  /** The origin of the service the session belongs to. */
  readonly origin?: string;
}

/** Why a link cannot be followed. */
export type LinkProblem = 'notOurs' | 'noSession' | 'badService';

const longestId = 1_000;

/** Reads a link by its path and query, as the editor hands them over: anybody may have written it. */
export function readSessionLink(path: string, query: string): SessionLink | LinkProblem {
  if (path !== '/open') return 'notOurs';
  const values = new URLSearchParams(query);
  const sessionId = values.get('session') ?? '';
  const messageId = values.get('message') ?? '';
  if (sessionId === '' || sessionId.length > longestId || messageId.length > longestId) return 'noSession';
  const service = values.get('service') ?? '';
  const origin = service === '' ? undefined : originOf(service);
  if (service !== '' && origin === undefined) return 'badService';
  return { sessionId, ...(messageId === '' ? {} : { messageId }), ...(origin === undefined ? {} : { origin }) };
}

/** The link to a session, or to a message of it. `scheme` is the editor's own, `extensionId` ours. */
export function sessionLink(scheme: string, extensionId: string, link: SessionLink): string {
  const { sessionId, messageId, origin } = link;
  const values = new URLSearchParams({
    session: sessionId,
    ...(origin === undefined ? {} : { service: origin }),
    ...(messageId === undefined ? {} : { message: messageId }),
  });
  // Where a plus sign stands for a space, not every reader knows.
  return `${scheme}://${extensionId}/open?${values.toString().replaceAll('+', '%20')}`;
}

/** The origin of an http or https address; undefined for anything else. */
export function originOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, origin } = new URL(address);
  return protocol === 'http:' || protocol === 'https:' ? origin : undefined;
}
