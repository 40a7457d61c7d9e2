import { ApiError } from '../../../src/api/errors.ts';
import type { AddedMessage, MessagePage, SessionsApi } from '../../../src/api/sessionsApi.ts';
import type { SessionStatus } from '../../../src/api/resources/session.ts';

/** A call to the service in the parent process. `has` checks the message list as a user would. */
export type WindowCall = { readonly callId: number; readonly sessionId: string } & (
  | { readonly call: 'add'; readonly text: string; readonly files: readonly string[] }
  | { readonly call: 'list'; readonly cursor?: string | undefined; readonly limit?: number | undefined }
  | { readonly call: 'status' }
  | { readonly call: 'has'; readonly text: string }
);

export type ParentReply = { readonly callId: number } & (
  | { readonly added: AddedMessage }
  | { readonly page: MessagePage }
  | { readonly has: boolean }
  | { readonly status: SessionStatus }
  | { readonly fails: 'reset' | 'refused' | 'rejected' | 'busy' }
);

const waiting = new Map<number, (reply: ParentReply) => void>();
let lastCallId = 0;
type WithoutId<Call> = Call extends WindowCall ? Omit<Call, 'callId'> : never;

/** Asks the parent process. Rejects if the call fails there. */
export async function ask(call: WithoutId<WindowCall>): Promise<ParentReply> {
  const callId = ++lastCallId;
  const reply = await new Promise<ParentReply>((resolve) => {
    waiting.set(callId, resolve);
    process.send?.({ ...call, callId });
  });
  if (!('fails' in reply)) return reply;
  if (reply.fails === 'rejected') throw new ApiError('status', '422', { sent: 'maybe', status: 422 });
  if (reply.fails === 'busy') throw new ApiError('status', '429', { sent: 'maybe', status: 429 });
  throw new ApiError('unreachable', reply.fails, { sent: reply.fails === 'refused' ? 'no' : 'maybe' });
}
process.on('message', (reply: ParentReply) => waiting.get(reply.callId)?.(reply));
// Without its parent process, a window can't reach its service, so it exits.
process.on('disconnect', () => process.exit(1));

/** The service in the parent process. */
export const api: SessionsApi = {
  async addMessage(sessionId, message, { signal } = {}) {
    const files: string[] = [];
    for (const file of message.files ?? []) {
      let text = '';
      for await (const chunk of file.bytes.read()) text += new TextDecoder().decode(chunk);
      files.push(text);
    }
    if (signal?.aborted) throw new ApiError('cancelled', 'cancelled', { sent: 'no' });
    const reply = await ask({ call: 'add', sessionId, text: message.text, files });
    if (!('added' in reply)) throw new Error('no response to a POST');
    return reply.added;
  },
  async listMessages(sessionId, { cursor, limit } = {}) {
    const reply = await ask({ call: 'list', sessionId, cursor, limit });
    if (!('page' in reply)) throw new Error('no response to a list request');
    return reply.page;
  },
  getSession: () => Promise.reject(new Error('not used')),
  updateSession: () => Promise.reject(new Error('not used')),
  getMessage: () => Promise.reject(new Error('not used')),
  dispose: () => undefined,
};
