import { beforeEach, expect, it, vi } from 'vitest';
import type { PageServices } from '../../../../src/commands/context.ts';
import { PageRequests } from '../../../../src/commands/page/pageRequests.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import type { PageMessage } from '../../../../src/shared/protocol/pageMessages.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import type { ConversationPage } from '../../../../src/views/conversation/conversationPage.ts';
import { t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

/** Two sessions with the same ID. */
const meant = { origin: 'https://one.test', sessionId: 's1' };
const shown = { origin: 'https://two.test', sessionId: 's1' };
const problems: [SessionKey, string][] = [];
/** What was done to which session. */
const done: [string, SessionKey][] = [];
const page = { key: meant, post: vi.fn(), refreshComposer: vi.fn(), revealMessage: vi.fn(), focusComposer: vi.fn() };
const act = (what: string, answer: unknown) => (key: SessionKey) => {
  done.push([what, key]);
  return answer;
};
const run = (what: string, { sessionId, service = '' }: { readonly sessionId: string; readonly service?: string }) => {
  done.push([what, { origin: service, sessionId }]);
  return Promise.resolve();
};
const controller = {
  forgetProblem: () => false,
  attachUris: () => {
    page.key = shown;
    return Promise.reject(new Error('gone'));
  },
  takeProblem: (key: SessionKey, { message }: Error) => problems.push([key, message]),
  attach: act('attach', Promise.resolve()),
  chooseSendTime: act('choose', Promise.resolve(undefined)),
};
const suggestions = {
  suggest: (_kind: string, _query: string, key: SessionKey) => act('suggest', undefined)(key),
  snippetOf: () => 'Review it',
  commandOf: () => undefined,
};
const services = {
  log: silentLog,
  t,
  commands: { run },
  composer: { controller, suggestions },
  drafts: { addText: act('text', undefined), removeAttachment: act('remove', undefined) },
  store: { record: () => undefined, header: () => undefined, readBodies: act('read', Promise.resolve([])) },
  sessions: {
    loadOlder: act('older', Promise.resolve()),
    stopLoading: act('stop', undefined),
    loadRest: act('rest', Promise.resolve()),
    refresh: act('refresh', Promise.resolve()),
    restoreFromCache: act('restore', Promise.resolve()),
  },
  filters: { set: act('filter', undefined) },
  messageActions: { run: act('message', Promise.resolve()) },
  documents: { openContent: act('document', Promise.resolve()) },
  messageFiles: { show: act('picture', Promise.resolve()), save: act('file', Promise.resolve()) },
  sentFiles: { read: act('sent', Promise.resolve([])) },
  agentFiles: { look: act('look', Promise.resolve({})), find: act('find', Promise.resolve([])) },
};
const requests = new PageRequests(services as unknown as PageServices);
const handle = (message: PageMessage) => requests.handle(message, page as unknown as ConversationPage);

beforeEach(() => {
  vi.clearAllMocks();
  problems.length = 0;
  done.length = 0;
});

it('shows why a request failed in the session of the request, whichever the page shows by then', async () => {
  page.key = meant;
  await handle({ type: 'attachUris', ...meant, uris: ['file:///a'] });
  await handle({ type: 'attachUris', ...meant, uris: ['file:///a'] });
  expect(problems).toEqual([
    [meant, 'gone'],
    [meant, 'gone'],
  ]);
});
