import { expect, it, vi } from 'vitest';
import { readMessage } from '../../../../src/api/resources/message.ts';
import { Consent } from '../../../../src/commands/languageModel/consent.ts';
import { ReadingTools } from '../../../../src/commands/languageModel/readingTools.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { firstHit } from '../../../../src/sync/cache/findWords.ts';
import type { MessageCache } from '../../../../src/sync/cache/messageCache.ts';
import type { Services } from '../../../../src/commands/services.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { key, now, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

/** What the tool for searching tells a model about one session with these messages. */
async function found(text: string, ...messages: readonly object[]): Promise<string> {
  const store = new Store(memoryBodies());
  store.setConnection({ kind: 'ready', service: { origin: key.origin, baseUrl: key.origin } });
  store.addSession({ key, addedAt: 1 });
  const cached = messages.flatMap((part, at) => {
    return readMessage({ id: `m${at}`, role: 'assistant', createdAt: now, updatedAt: now, ...part }) ?? [];
  });
  const find: MessageCache['find'] = (_key, words, _signal, shownText) => {
    const hit = firstHit(cached, words, shownText && ((message) => shownText(message, message.role)));
    return Promise.resolve({ hit: withoutPause(hit), cachedCount: undefined });
  };
  const consent = new Consent({ store, t });
  vi.spyOn(consent, 'mayReadAll').mockResolvedValue(true);
  const tools = new ReadingTools({ store, messages: { find } } as unknown as Services, consent);
  const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
  return tools.findInSessions({ text }, { limits: undefined, token });
}

it('a search of a model finds what people read', async () => {
  expect(await found('deploy', { content: 'We deploy on Monday.' })).toContain('message m0: We deploy on Monday.');
  expect(await found('m0', { content: 'We deploy on Monday.' })).not.toContain('message m0');
});

it.each([
  ['a message for models only', { content: 'We deploy on Monday.', visibility: 'llm_only' }],
  ['a message that is hidden', { content: 'We deploy on Monday.', isUserVisible: false }],
  ['a message of the system', { content: 'We deploy on Monday.', role: 'system' }],
  ['a message whose role is not known', { content: 'We deploy on Monday.', role: undefined }],
  ['thinking', { content: [{ type: 'thinking', thinking: 'We deploy on Monday.' }] }],
])('a search of a model does not find %s', async (_, message) => {
  const answer = await found('deploy', message);
  expect(answer).toContain('0 sessions');
  expect(answer).not.toContain('Monday');
});

it('a search of a model shows no part of a secret, wherever its excerpt begins', async () => {
  const secret = 'PtYgjmUhBel31iEl2hpChYgCfrL1spNxnyVmihA+';
  const answer = await found('staging', { content: `export AWS_SECRET_ACCESS_KEY=${secret} # for staging` });
  expect(answer).toContain('for staging');
  for (let from = 0; from + 8 <= secret.length; from += 1) expect(answer).not.toContain(secret.slice(from, from + 8));
});
