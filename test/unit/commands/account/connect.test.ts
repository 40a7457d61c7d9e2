import { beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { replaceKey } from '../../../../src/commands/account/connect.ts';
import type { CommandContext } from '../../../../src/commands/context.ts';
import type { TextAnswer } from '../../../../src/host/prompts/askText.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { ready, service, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));
vi.mock('../../../../src/host/prompts/askText.ts', () => ({ askText: (question: Question) => ask(question) }));

interface Question {
  readonly title: string;
  readonly remark?: { readonly message: string };
}

/** What the person is asked, in order. They enter a key first, and then press Escape. */
let questions: Question[];

function ask(question: Question): Promise<TextAnswer> {
  questions.push(question);
  return Promise.resolve(questions.length === 1 ? { kind: 'text', text: 'key' } : { kind: 'cancelled' });
}

beforeEach(() => {
  questions = [];
});

function contextWith(getSession: () => Promise<unknown>): CommandContext {
  const store = new Store(memoryBodies());
  store.setConnection(ready);
  const connections = {
    openTrial: () => ({ getSession, dispose: () => undefined }),
    refresh: () => Promise.resolve(),
  };
  return { store, connections, keys: { store: () => Promise.resolve() }, t } as unknown as CommandContext;
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
