import { expect, it, vi } from 'vitest';

const written = new Map<string, unknown>();
vi.mock('vscode', () => ({
  workspace: { getConfiguration: () => ({ get: (name: string) => written.get(name) }) },
}));

it.each(['**/.env*', [7], ['**/.env*', ''], null])(
  'asks before every file if the setting has the invalid value %j',
  async (value) => {
    const { readSettings } = await import('../../../src/host/settings.ts');
    written.set('attachments.askBefore', value);
    expect(readSettings().askBefore).toEqual(['**']);
    written.set('attachments.askBefore', []);
    expect(readSettings().askBefore).toEqual([]);
  },
);

it('keeps valid snippets if another one is invalid', async () => {
  const { readSettings } = await import('../../../src/host/settings.ts');
  written.set('composer.snippets', { review: 'Review this.', wrong: 7 });
  expect(readSettings().snippets).toEqual({ review: 'Review this.' });
  written.set('composer.snippets', 'Review this.');
  expect(readSettings().snippets).toEqual({});
});
