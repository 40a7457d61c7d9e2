import { beforeEach, expect, it, vi } from 'vitest';
import type { PageServices } from '../../../../src/commands/context.ts';
import { ApiError } from '../../../../src/api/errors.ts';
import { PageRequests } from '../../../../src/commands/page/pageRequests.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import type { PageMessage } from '../../../../src/shared/protocol/pageMessages.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import type { ConversationPage } from '../../../../src/views/conversation/conversationPage.ts';
import { recorded } from '../../../fakes/recordedEditor.ts';
import { t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

/** Two sessions with the same ID. */
const meant = { origin: 'https://one.test', sessionId: 's1' };
const shown = { origin: 'https://two.test', sessionId: 's1' };
const failures: [SessionKey, string][] = [];
/** What was done to which session. */
const done: [string, SessionKey][] = [];
const page = {
  ...{ key: meant, post: vi.fn(), refreshComposer: vi.fn(), revealMessage: vi.fn(), focusComposer: vi.fn() },
  find: { awaitMatch: vi.fn() },
};
const act = (what: string, answer: unknown) => (key: SessionKey) => {
  done.push([what, key]);
  return answer;
};
const run = (what: string, { sessionId, service = '' }: { readonly sessionId: string; readonly service?: string }) => {
  done.push([what, { origin: service, sessionId }]);
  return Promise.resolve();
};
const controller = {
  attachUris: () => {
    page.key = shown;
    return Promise.reject(new Error('gone'));
  },
  failures: {
    forget: () => false,
    forgetUnlessRejected: () => false,
    take: (key: SessionKey, { message }: Error) => failures.push([key, message]),
  },
  attach: act('attach', Promise.resolve()),
  pasted: { remove: act('remove', undefined) },
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
  drafts: { addText: act('text', undefined) },
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
  failures.length = 0;
  done.length = 0;
});

it('shows why a request failed in the session of the request, whichever the page shows by then', async () => {
  page.key = meant;
  await handle({ type: 'attachUris', ...meant, uris: ['file:///a'] });
  await handle({ type: 'attachUris', ...meant, uris: ['file:///a'] });
  expect(failures).toEqual([
    [meant, 'gone'],
    [meant, 'gone'],
  ]);
});

it.each<[PageMessage, readonly string[]]>([
  [{ type: 'loadOlder', ...meant }, ['older']],
  [{ type: 'cancelLoading', ...meant }, ['stop']],
  [{ type: 'loadRest', ...meant }, ['rest']],
  [{ type: 'setFilter', ...meant, detailLevel: 'answers' }, ['filter']],
  [{ type: 'messageAction', ...meant, action: 'copy', key: 'm1' }, ['message']],
  [{ type: 'messageAction', ...meant, action: 'toggleBookmark', key: 'm1' }, ['toggleBookmark']],
  [{ type: 'showAll', ...meant, key: 'm1' }, ['document']],
  [{ type: 'showTurn', ...meant, key: 'm1', part: 'changes' }, ['showChanges']],
  [{ type: 'openPicture', ...meant, messageId: 'm1', path: '0' }, ['picture']],
  [{ type: 'saveFile', ...meant, messageId: 'm1', path: '0' }, ['file']],
  [{ type: 'openPath', ...meant, path: 'a.ts' }, ['restore', 'find']],
  [{ type: 'findPaths', askId: 1, ...meant, paths: ['a.ts'] }, ['restore', 'look']],
  [{ type: 'getDetails', askId: 1, ...meant, key: 'm1' }, ['restore', 'read', 'sent']],
  [{ type: 'getStep', askId: 1, ...meant, messageId: 'm1', index: 0 }, ['restore', 'read']],
  [{ type: 'suggest', askId: 1, ...meant, kind: 'file', query: 'a' }, ['suggest']],
  [{ type: 'chooseSendTime', askId: 1, ...meant }, ['choose']],
  [{ type: 'attach', ...meant, what: 'selection' }, ['attach']],
  [{ type: 'removeAttachment', ...meant, attachmentId: 'a1' }, ['remove']],
  [{ type: 'takeSuggestion', ...meant, kind: 'snippet', suggestionId: 'review' }, ['text']],
  [{ type: 'act', ...meant, action: 'refresh' }, ['refresh']],
  [{ type: 'act', ...meant, action: 'removeSession' }, ['removeSession']],
  [{ type: 'act', ...meant, action: 'changeModel' }, ['editSettings']],
  [{ type: 'act', ...meant, action: 'moveConversationToSideBar' }, ['moveConversationToSideBar']],
  [{ type: 'revealMessage', ...meant, messageId: 'm1' }, []],
])('carries out %o for its session although the page shows one of another service', async (message, expected) => {
  page.key = shown;
  await handle(message);
  expect(done).toEqual(expected.map((what) => [what, meant]));
  expect(failures).toEqual([]);
  expect(page.revealMessage).not.toHaveBeenCalled();
  // A snippet isn't inserted into the composer of the other session.
  expect(page.post).not.toHaveBeenCalledWith(expect.objectContaining({ type: 'insertText' }));
});

it('says why an image could not be opened', async () => {
  recorded.length = 0;
  const show = vi.spyOn(services.messageFiles, 'show');
  show.mockReturnValueOnce(Promise.reject(new ApiError('unreachable', 'no connection', { sent: 'no' })));
  await handle({ type: 'openPicture', ...meant, messageId: 'm1', path: '0' });
  expect(JSON.stringify(recorded)).toContain("Can't reach the service.");
});
