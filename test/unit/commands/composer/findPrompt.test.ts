import { beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/api/resources/message.ts';
import { findPrompt } from '../../../../src/commands/composer/findPrompt.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { entryOf, key } from '../../state/samples.ts';

let store: Store;
let readIds: string[][];
beforeEach(() => {
  const bodies = memoryBodies();
  readIds = [];
  store = new Store({
    ...bodies,
    read: (sessionKey, ids) => {
      readIds.push([...ids]);
      return bodies.read(sessionKey, ids);
    },
  });
  store.addSession({ key, addedAt: 1 });
});

const message = (id: string, place: number, text: string, role: Message['role'] = 'user'): Message => ({
  id,
  role,
  createdAt: 1_000 + place,
  updatedAt: 1_000 + place,
  content: [{ type: 'text', text }],
});
const textsOf = async (step: 'older' | 'newer', from?: string) => {
  const texts: string[] = [];
  for (let prompt = await findPrompt(store, key, step, from); prompt;) {
    texts.push(prompt.text);
    prompt = await findPrompt(store, key, step, prompt.promptId);
  }
  return texts;
};

describe('prompt history', () => {
  it('goes from the newest prompt to older ones and back, and skips messages of other roles', async () => {
    store.takeMessages(key, [
      message('m1', 1, 'one'),
      message('m2', 2, 'an answer', 'assistant'),
      message('m3', 3, 'two'),
      message('m4', 4, 'three'),
    ]);
    expect(await textsOf('older')).toEqual(['three', 'two', 'one']);
    expect(await textsOf('newer', 'm1')).toEqual(['two', 'three']);
  });

  it('skips repetitions and messages without text', async () => {
    store.takeMessages(key, [
      message('m1', 1, 'first'),
      message('m2', 2, 'again'),
      message('m3', 3, '  \n'),
      message('m4', 4, 'again'),
    ]);
    expect(await textsOf('older')).toEqual(['again', 'first']);
  });

  it('includes outgoing messages as the newest ones, without duplicates', async () => {
    store.takeMessages(key, [message('m1', 1, 'listed')]);
    store.setOutbox(key, [
      entryOf({ entryId: 'e1', text: 'listed, as it was typed', state: 'accepted', messageId: 'm1' }),
      entryOf({ entryId: 'e2', text: 'on its way', state: 'queued' }),
    ]);
    expect(await textsOf('older')).toEqual(['on its way', 'listed']);
  });

  it('continues from a prompt that was in the outbox when it was shown and has been listed since', async () => {
    store.takeMessages(key, [message('m1', 1, 'listed')]);
    const entry = entryOf({ entryId: 'e2', text: 'on its way', state: 'accepted', messageId: 'm2' });
    store.setOutbox(key, [entry]);
    expect((await findPrompt(store, key, 'older', undefined))?.promptId).toBe('e2');
    store.takeMessages(key, [message('m2', 2, 'on its way')]);
    store.setOutbox(key, []);
    expect(await textsOf('older', 'e2')).toEqual(['listed']);
  });

  it('reads messages in batches', async () => {
    store.takeMessages(
      key,
      Array.from({ length: 500 }, (_, place) => message(`m${place}`, place, `text ${place}`)),
    );
    expect((await findPrompt(store, key, 'older', undefined))?.text).toBe('text 499');
    expect(readIds.flat().length).toBeLessThanOrEqual(20);
  });

  it('is empty for an unknown session or message', async () => {
    const other = { ...key, sessionId: 'another' };
    expect(await findPrompt(store, other, 'older', undefined)).toBeUndefined();
    store.takeMessages(key, [message('m1', 1, 'one')]);
    expect(await findPrompt(store, key, 'older', 'gone')).toBeUndefined();
  });
});
