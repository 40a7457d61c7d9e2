import { beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { replaceKey } from '../../../../src/commands/account/connect.ts';
import { UserFacingError } from '../../../../src/commands/commandErrors.ts';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { failureOf } from '../../../../src/commands/enteredFailure.ts';
import { KeyNotStored } from '../../../../src/host/storage/apiKeyStore.ts';
import type { TextAnswer } from '../../../../src/host/prompts/askText.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { ready, service, sessionOf, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));
vi.mock('../../../../src/host/prompts/askText.ts', () => ({ askText: (question: Question) => ask(question) }));

interface Question {
  readonly title: string;
  readonly remark?: { readonly message: string };
}

const third = { origin: 'https://third.test', baseUrl: 'https://third.test', name: 'Third' };
const other = { origin: 'https://other.test', baseUrl: 'https://other.test', name: 'Other' };

/** What the person is asked, in order. They enter the next text, or press Escape if there is none. */
let questions: Question[];
let texts: string[];
let added: SessionKey[];

function ask(question: Question): Promise<TextAnswer> {
  questions.push(question);
  const text = texts.shift();
  return Promise.resolve(text === undefined ? { kind: 'cancelled', text: '' } : { kind: 'text', text });
}

beforeEach(() => {
  questions = [];
  texts = ['key'];
  added = [];
});

/** A context with two connected services: the current one, which is that of `ready`, and `other`. */
function contextWith(getSession: () => Promise<unknown>, storeKey = () => Promise.resolve()): CommandContext {
  const store = new Store(memoryBodies());
  store.setConnections(ready, [{ kind: 'ready', service: other }]);
  const connections = {
    openTrial: () => ({ getSession, dispose: () => undefined }),
    refresh: () => Promise.resolve(),
  };
  return {
    ...{ store, connections, t },
    keys: { store: storeKey },
    sessions: { refresh: (key: SessionKey) => store.takeSession(key, sessionOf(), 1, 1) },
    sessionList: {
      add: (key: SessionKey) => {
        added.push(key);
        store.addSession({ key, addedAt: 1 });
        return Promise.resolve();
      },
    },
    navigation: { openConversation: () => Promise.resolve() },
  } as unknown as CommandContext;
}

it('says that the service allows no more requests, but not that the key is tried again', async () => {
  const limited = new ApiError('status', 'too many requests', { sent: 'no', status: 429, retryAfterMs: 12_000 });
  await replaceKey(
    contextWith(() => Promise.reject(limited)),
    service,
  );
  expect(questions.at(1)?.remark?.message).toBe(
    'Too many requests. Nothing was saved. Press Enter to try the same key again.',
  );
});

it('continues with adding sessions of the service of the key', async () => {
  texts.push('s9');
  await replaceKey(
    contextWith(() => Promise.resolve({})),
    other,
  );
  expect(questions.map(({ title }) => title)).toEqual(['API Key for https://other.test', 'Add Session to Other']);
  expect(added).toEqual([{ origin: other.origin, sessionId: 's9' }]);
});

it('stores an accepted key again on Retry without asking for it', async () => {
  const storeKey = vi.fn(() => Promise.resolve()).mockRejectedValueOnce(new KeyNotStored('The keyring is locked.'));
  texts.push('s9');
  const context = contextWith(() => Promise.resolve({}), storeKey);
  const failed: unknown = await replaceKey(context, other).catch((error: unknown) => error);
  const { cause, retry } = failureOf(failed, () => undefined);
  expect(cause).toBeInstanceOf(UserFacingError);
  await retry();
  expect(storeKey.mock.calls).toEqual([
    [other.origin, 'key'],
    [other.origin, 'key'],
  ]);
  expect(questions.map(({ title }) => title)).toEqual(['API Key for https://other.test', 'Add Session to Other']);
});

it('adds the entered sessions on Retry without asking for them, once their service is connected', async () => {
  texts.push('s9 https://third.test/sessions/s1');
  const context = contextWith(() => Promise.resolve({}));
  const failed: unknown = await replaceKey(context, other).catch((error: unknown) => error);
  const { retry } = failureOf(failed, () => undefined);
  context.store.setConnections(
    ready,
    [other, third].map((each) => ({ kind: 'ready', service: each })),
  );
  await retry();
  expect(added.map(({ origin, sessionId }) => `${origin} ${sessionId}`)).toEqual([
    'https://other.test s9',
    'https://third.test s1',
  ]);
  expect(questions).toHaveLength(2);
});
