import { expect, it, vi } from 'vitest';
import type { PageServices } from '../../../../src/commands/context.ts';
import { PageRequests } from '../../../../src/commands/page/pageRequests.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import type { ConversationPage } from '../../../../src/views/conversation/conversationPage.ts';
import { t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

it('shows why a request failed in the session of the request, whichever the page shows by then', async () => {
  const problems: [string, string][] = [];
  const page = { key: { origin: 'https://service.test', sessionId: 's1' }, refreshComposer: () => undefined };
  const controller = {
    forgetProblem: () => false,
    attachUris: () => {
      page.key = { ...page.key, sessionId: 's2' };
      return Promise.reject(new Error('gone'));
    },
    takeProblem: ({ sessionId }: SessionKey, error: Error) => problems.push([sessionId, error.message]),
  };
  const requests = new PageRequests({ log: silentLog, composer: { controller }, t } as unknown as PageServices);
  await requests.handle({ type: 'attachUris', uris: ['file:///a'] }, page as unknown as ConversationPage);
  await requests.handle(
    { type: 'attachUris', sessionId: 's1', uris: ['file:///a'] },
    page as unknown as ConversationPage,
  );
  expect(problems).toEqual([
    ['s1', 'gone'],
    ['s1', 'gone'],
  ]);
});
