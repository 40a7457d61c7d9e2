import { beforeEach, describe, expect, it, vi } from 'vitest';
import { pickReadingComputer, pickTargetComputer } from '../../../../src/commands/sessions/computers.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { person, recorded } from '../../../fakes/recordedEditor.ts';
import { ready, sessionOf, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const keyOf = (sessionId: string) => ({ origin: 'https://service.test', sessionId });
const key = keyOf('a');

let store: Store;
beforeEach(() => {
  store = new Store(memoryBodies());
  store.setConnection(ready);
  recorded.length = 0;
  person.clicks = undefined;
  person.types = undefined;
});

/** Adds a session that runs on `computerId`. It is read from `readFrom`; undefined means no specific computer. */
function add(sessionId: string, computerId: string, readFrom?: string): void {
  store.addSession({
    key: keyOf(sessionId),
    addedAt: 1,
    ...(readFrom === undefined ? {} : { computerId: readFrom }),
  });
  store.takeSession(keyOf(sessionId), sessionOf({ sessionId, computerId }), 1, 1);
}

const labels = () => {
  const items = recorded.findLast(({ what }) => what === 'picker')?.args[1] as readonly { readonly label: string }[];
  return items.map(({ label }) => label);
};

describe('the target of a message', () => {
  it('is the only known computer, without a list', async () => {
    add('a', 'mac-1');
    add('b', 'mac-1');
    expect(await pickTargetComputer(store, key, undefined, t)).toBe('mac-1');
    expect(recorded).toEqual([]);
  });

  it('is asked for if several computers are known, none, or only the chosen one', async () => {
    add('a', '');
    expect(await pickTargetComputer(store, key, undefined, t)).toBeUndefined();
    expect(labels()).toEqual([]);
    add('a', 'mac-1');
    person.types = 'other';
    person.clicks = 'other';
    expect(await pickTargetComputer(store, key, 'mac-1', t)).toBe('other');
    expect(labels()).toEqual(['mac-1', 'other']);
    person.types = undefined;
    add('b', 'mac-2');
    person.clicks = 'mac-2';
    expect(await pickTargetComputer(store, key, undefined, t)).toBe('mac-2');
    expect(labels()).toEqual(['mac-1', 'mac-2']);
  });
});

describe('the computer that a session is read from', () => {
  it('is the only known computer, without a list', async () => {
    add('a', 'mac-1');
    expect(await pickReadingComputer(store, key, t)).toBe('mac-1');
    expect(recorded).toEqual([]);
  });

  it('is asked for if several computers are known, or the session is read from the only one', async () => {
    add('a', 'mac-1', 'mac-1');
    person.clicks = 'No specific computer';
    expect(await pickReadingComputer(store, key, t)).toBe('');
    expect(labels()).toEqual(['No specific computer', 'mac-1']);
    store = new Store(memoryBodies());
    store.setConnection(ready);
    add('a', 'mac-1');
    add('b', 'mac-2');
    person.clicks = 'mac-2';
    expect(await pickReadingComputer(store, key, t)).toBe('mac-2');
    expect(labels()).toEqual(['No specific computer', 'mac-1', 'mac-2']);
  });
});
