import type { Memento } from 'vscode';
import { expect, it, vi } from 'vitest';
import type { FilterState } from '../../../src/state/sessions/sections.ts';
import { TreeOptionsStore } from '../../../src/views/treeOptionsStore.ts';
import { configure, configured } from '../../fakes/recordedEditor.ts';

vi.mock('vscode', () => import('../../fakes/recordedEditor.ts'));

const memento = { get: () => undefined, update: () => Promise.resolve(), keys: () => [] } as unknown as Memento;

it('keeps the sessions whose messages match until the words of the filter change', () => {
  const store = new TreeOptionsStore(memento);
  const filter = (text: string, ...states: FilterState[]) => store.change({ filter: { text, states, tags: [] } });
  filter('cookie');
  store.setTextMatches(new Set(['s1']));
  filter('cookie', 'unread');
  filter('cookie');
  expect([...store.textMatches]).toEqual(['s1']);
  filter('cake');
  expect([...store.textMatches]).toEqual([]);
  store.dispose();
});

it('stores a changed grouping or order only, in addition to what another window has stored', () => {
  const values = new Map<string, unknown>();
  const shared = {
    get: (name: string) => values.get(name),
    update: (name: string, value: unknown) => Promise.resolve(void values.set(name, value)),
    keys: () => [],
  } as unknown as Memento;
  const [one, other] = [new TreeOptionsStore(shared), new TreeOptionsStore(shared)];
  other.change({ groupBy: 'status' });
  one.change({ filter: { text: 'cookie', states: [], tags: [] } });
  one.change({ sortBy: 'name' });
  const next = new TreeOptionsStore(shared);
  expect(next.options).toMatchObject({ groupBy: 'status', sortBy: 'name', filter: { text: '' } });
  for (const store of [one, other, next]) store.dispose();
});

it('follows the setting for the length of titles', () => {
  const store = new TreeOptionsStore(memento);
  const changed = vi.fn();
  store.onDidChange(changed);
  expect(store.titleWidth).toBe(18);
  configure('lineside.sessions.titleLength', 40);
  expect(store.titleWidth).toBe(40);
  expect(changed).toHaveBeenCalledTimes(1);
  configure('lineside.sessions.titleLength', 'long');
  expect(store.titleWidth).toBe(18);
  store.dispose();
  configure('lineside.sessions.titleLength', 50);
  expect(store.titleWidth).toBe(18);
  configured.clear();
});
