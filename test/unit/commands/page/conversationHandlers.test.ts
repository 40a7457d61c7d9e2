import { expect, it, vi } from 'vitest';
import type { PageServices } from '../../../../src/commands/context.ts';
import { conversationHandlers } from '../../../../src/commands/page/conversationHandlers.ts';
import type { ConversationPage } from '../../../../src/views/conversation/conversationPage.ts';
import { key } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

it('loading all messages for a search makes the page wait for the first match', async () => {
  const done: string[] = [];
  const sessions = { loadRest: () => Promise.resolve(void done.push('load')) };
  const { loadRest } = conversationHandlers({ sessions, composer: {} } as unknown as PageServices);
  const page = { find: { awaitMatch: () => void done.push('await') } } as unknown as ConversationPage;
  await loadRest({ type: 'loadRest', ...key }, page);
  expect(done).toEqual(['load', 'await']);
});
