import { expect, it, vi } from 'vitest';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

it('shows why a request failed in the session of the request, whichever the page shows by then', async () => {
  page.key = meant;
  await handle({ type: 'attachUris', ...meant, uris: ['file:///a'] });
  await handle({ type: 'attachUris', ...meant, uris: ['file:///a'] });
  expect(problems).toEqual([
    ['s1', 'gone'],
    ['s1', 'gone'],
  ]);
});
