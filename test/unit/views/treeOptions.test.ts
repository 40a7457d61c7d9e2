import type { Memento } from 'vscode';
import { expect, it, vi } from 'vitest';
import { TreeOptionsStore } from '../../../src/views/treeOptions.ts';

vi.mock('vscode', () => import('../../fakes/recordedEditor.ts'));

it('keeps the sessions whose messages match until the words of the filter change', () => {
  const memento = { get: () => undefined, update: () => Promise.resolve(), keys: () => [] } as unknown as Memento;
  const store = new TreeOptionsStore(memento);
  const filter = (text: string, only: 'all' | 'unread') => store.change({ filter: { text, only } });
  filter('cookie', 'all');
  store.setTextMatches(new Set(['s1']));
  filter('cookie', 'unread');
  filter('cookie', 'all');
  expect([...store.textMatches]).toEqual(['s1']);
  filter('cake', 'all');
  expect([...store.textMatches]).toEqual([]);
  store.dispose();
});
