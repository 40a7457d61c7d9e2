import { afterEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { changedFileUri, RowDecorations, unsentUri } from '../../../../src/views/sessions/rowDecorations.ts';
import { corpora } from '../../../fakes/corpora.ts';
import { hostileLinks } from '../../../fakes/hostileLinks.ts';
import { hostile, key } from '../../state/samples.ts';

vi.mock('vscode', () => ({
  FileDecoration: class {
    readonly shown: readonly unknown[];
    constructor(badge?: string, tooltip?: string, color?: { readonly id: string }) {
      this.shown = [badge, tooltip, color?.id];
    }
  },
  ThemeColor: class {
    readonly id: string;
    constructor(id: string) {
      this.id = id;
    }
  },
  Uri: { from: (parts: object) => ({ fragment: '', ...parts }) },
  window: { registerFileDecorationProvider: () => ({ dispose: () => undefined }) },
}));

const decorations = new RowDecorations();
afterEach(() => decorations.dispose());

/** The badge, the tooltip, and the color of a row. */
const shownFor = (uri: vscode.Uri) =>
  (decorations.provideFileDecoration(uri) as { readonly shown: unknown } | undefined)?.shown;

describe('decorations of rows', () => {
  const texts = [hostile, ...hostileLinks, ...Object.values(corpora).flat()];

  it('say only how a file changed and whether it is in the workspace, whatever its path is', () => {
    for (const text of texts) {
      expect(shownFor(changedFileUri(`x/${text}`, 'M', '✓')), text).toEqual([
        'M✓',
        undefined,
        'gitDecoration.modifiedResourceForeground',
      ]);
    }
    expect(shownFor(changedFileUri('a', 'A', '~'))).toEqual(['A~', undefined, 'gitDecoration.addedResourceForeground']);
    expect(shownFor(changedFileUri('a', 'D', ''))).toEqual(['D', undefined, 'gitDecoration.deletedResourceForeground']);
    expect(shownFor(changedFileUri('a', undefined, '✓'))).toBeUndefined();
  });

  it('say only how many messages were not sent, whatever the ID of the session is', () => {
    for (const sessionId of [...texts, 'a\ud800']) {
      expect(shownFor(unsentUri({ ...key, sessionId }, 9)), sessionId).toEqual([
        '9',
        undefined,
        'list.warningForeground',
      ]);
    }
    expect(shownFor(unsentUri(key, 10))).toEqual(['9+', undefined, 'list.warningForeground']);
  });
});
